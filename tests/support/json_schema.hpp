#pragma once
// A JSON Schema validator for the keywords of docs/*.schema.json: type, const, enum, minimum, maximum,
// required, properties, items, $ref to $defs, anyOf, if/then/else. Any other validating keyword is reported
// as a fault.

#include <string>
#include <string_view>
#include <vector>

namespace kg::testing {

/// Locations and descriptions of violations of the schema; empty = valid. Both arguments are JSON text.
std::vector<std::string> schema_faults(std::string_view schema, std::string_view document);

} // namespace kg::testing
