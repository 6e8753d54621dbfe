#include "json.hpp"

#include <google/protobuf/util/json_util.h>

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace arena::testing {

namespace {

Json parse(const std::string& text) {
  Json json;
  const auto status = google::protobuf::util::JsonStringToMessage(text, &json);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return json;
}

void write(const Json& json, std::ostream& out) {
  switch (json.kind_case()) {
    case Json::kStructValue: {
      std::map<std::string, const Json*> members;
      for (const auto& [name, value] : json.struct_value().fields()) members[name] = &value;
      out << '{';
      for (const auto& [name, value] : members) {
        out << '"' << name << "\": ";
        write(*value, out);
        out << ", ";
      }
      out << '}';
      break;
    }
    case Json::kListValue:
      out << '[';
      for (const Json& value : json.list_value().values()) {
        write(value, out);
        out << ", ";
      }
      out << ']';
      break;
    case Json::kStringValue:
      out << '"' << json.string_value() << '"';
      break;
    case Json::kNumberValue:
      out << json.number_value();
      break;
    case Json::kBoolValue:
      out << (json.bool_value() ? "true" : "false");
      break;
    default:
      out << "null";
  }
}

}  // namespace

std::vector<Json> cases(const std::string& file) {
  std::ifstream in(ARENA_VECTORS "/" + file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error(ARENA_VECTORS "/" + file + " cannot be read");
  const Json json = parse(text.str());
  return {json.list_value().values().begin(), json.list_value().values().end()};
}

const Json& at(const Json& object, const std::string& name) {
  return object.struct_value().fields().at(name);
}

std::string text_at(const Json& object, const std::string& name) {
  return at(object, name).string_value();
}

std::string normal(const std::string& json) { return normal(parse(json)); }

std::string normal(const Json& json) {
  std::stringstream out;
  out.precision(15);
  write(json, out);
  return out.str();
}

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t place = 0; place + 1 < hex.size(); place += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(place, 2), nullptr, 16));
  }
  return bytes;
}

std::string hex_of(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace arena::testing
