// Text as it may be sent and logged.
#pragma once

#include <string>
#include <string_view>

namespace arena {

// UTF-8 with every byte that is none replaced by `?`: protobuf refuses other text.
std::string clean(std::string_view text);

// Lines as one, with a blank for each line break.
std::string in_one_line(std::string_view text);

// As much of UTF-8 as fits into so many bytes, without a part of a character.
std::string cut(std::string text, std::size_t bytes);

// `1 note`, `2 notes`
std::string so_many(int count, std::string_view noun);

}  // namespace arena
