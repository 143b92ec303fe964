#pragma once
// Properties of this program in an XMP packet. Properties of other programs are kept byte for byte: expat
// parses the packet and locates our elements and attributes. XMP specification, part 1 (ISO 16684-1).

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kg::io {

/// Local name ("Recipe") and value, UTF-8.
using OwnProperties = std::map<std::string, std::string>;

/// Our properties in the packet; none if it is damaged.
OwnProperties own_properties(std::string_view packet);

/// Replaces our properties in the packet. An empty packet becomes a complete one; the result is empty if no
/// properties remain. nullopt if the packet cannot be parsed: no XML, with a document type, nested too
/// deeply, or above 16 MiB.
std::optional<std::string> with_own_properties(const std::string& packet, const OwnProperties& own);

} // namespace kg::io
