#pragma once
// A JSON Schema validator for what docs/*.schema.json use: type, const, enum, minimum, maximum, required, properties, items,
// $ref to $defs, anyOf, if/then/else. Any other keyword that would check something is itself a fault.

#include <string>
#include <string_view>
#include <vector>

namespace kg::testing {

/// Where and how the document is not what the schema says; empty = valid. Both are JSON text.
std::vector<std::string> schema_faults(std::string_view schema, std::string_view document);

} // namespace kg::testing
