// The test vectors: JSON, read and compared with protobuf's own means.
#pragma once

#include <google/protobuf/struct.pb.h>

#include <string>
#include <vector>

namespace arena::testing {

using Json = google::protobuf::Value;

// The cases of a file in sdk/vectors.
std::vector<Json> cases(const std::string& file);

// A member of an object; fails the test if there is none.
const Json& at(const Json& object, const std::string& name);

std::string text_at(const Json& object, const std::string& name);

// Text as JSON, with keys in order: two that mean the same are the same text.
std::string normal(const std::string& json);
std::string normal(const Json& json);

std::string bytes_of(const std::string& hex);
std::string hex_of(const std::string& bytes);

}  // namespace arena::testing
