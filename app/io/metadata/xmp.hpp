#pragma once
// Properties of this program in an XMP packet, among those of others, which stay as they are to the byte. The packet is
// read by expat, which says where in it our elements and attributes stand. XMP specification, part 1 (ISO 16684-1).

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kg::io {

/// Local name ("Recipe") and value, UTF-8.
using OwnProperties = std::map<std::string, std::string>;

/// Ours in the packet; none where it is damaged.
OwnProperties own_properties(std::string_view packet);

/// The packet with these of ours and no others; a whole one where it is empty, and empty where nothing is left to say.
/// Nothing where the packet cannot be understood: no XML, with a document type, nested deeper than any packet, above
/// 16 MiB.
std::optional<std::string> with_own_properties(const std::string& packet, const OwnProperties& own);

} // namespace kg::io
