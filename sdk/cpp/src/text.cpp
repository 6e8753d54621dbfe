#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace arena {

namespace {

bool continues(char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80; }

// The bytes of the character that `text` begins with; 0 if it begins with none. Too long forms,
// surrogates and what is beyond Unicode are told by the second byte.
std::size_t length_of_first(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text.front());
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead > 0xF4 || length == 0 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + length, continues)) return 0;
  const auto second = static_cast<std::uint8_t>(text[1]);
  const bool is_wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return is_wrong ? 0 : length;
}

// The bytes of the line break that `text` begins with; 0 if it begins with none.
std::size_t break_at(std::string_view text) {
  constexpr std::array<std::string_view, 11> breaks = {
      "\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"};
  const auto* const found =
      std::ranges::find_if(breaks, [text](std::string_view one) { return text.starts_with(one); });
  return found == breaks.end() ? 0 : found->size();
}

}  // namespace

std::string clean(std::string_view text) {
  std::string cleaned;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    cleaned += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return cleaned;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = break_at(text);
    text.remove_prefix(length);
    if (text.empty()) break;  // a break at the end ends the line, and begins none
    if (length != 0) {
      line += ' ';
    } else {
      line += text.front();
      text.remove_prefix(1);
    }
  }
  return line;
}

std::string cut(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues(text[bytes])) --bytes;
  text.resize(bytes);
  return text;
}

std::string so_many(int count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace arena
