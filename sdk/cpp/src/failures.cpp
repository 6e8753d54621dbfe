#include "failures.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <typeinfo>

#include "text.hpp"

namespace arena {

namespace {

constexpr std::size_t LONGEST = 200;

std::string full_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : type.name();
}

// Type and message of the exception that is being handled.
std::string describe() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  std::string name = type == nullptr ? "something" : full_name(*type);
  try {
    throw;
  } catch (const std::exception& error) {
    return name + ": " + error.what();
  } catch (...) {
    return name;
  }
}

std::string shortened(std::string_view text) {
  std::string line = in_one_line(text);
  return line.size() <= LONGEST ? line : cut(std::move(line), LONGEST - 3) + "...";
}

}  // namespace

void Failures::take(std::string_view method) {
  const std::string what = describe();
  const std::string line = shortened(what);
  std::cerr << method << " raised " << what << std::endl;
  auto found = std::ranges::find(counts_, method, &Count::method);
  if (found == counts_.end()) found = counts_.insert(found, Count{std::string(method), 0, {}});
  ++found->times;
  found->last = line;
  if (is_strict_) throw StrictFailure(std::string(method) + " raised " + line);
}

std::vector<std::string> Failures::summary() const {
  std::vector<std::string> phrases;
  for (const Count& count : counts_) {
    const bool is_question = count.method == "choose" || count.method == "respond";
    phrases.push_back(count.method + " raised " + so_many(count.times, "time") + " (last: " +
                      count.last + ")" + (is_question ? "; default actions were played" : ""));
  }
  return phrases;
}

std::string class_name(const std::type_info& type) {
  std::string name = full_name(type);
  const std::size_t end = name.find_last_of(':');
  return end == std::string::npos ? name : name.substr(end + 1);
}

}  // namespace arena
