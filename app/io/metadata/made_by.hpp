#pragma once
// The place of the record (MadeBy) in a file: a text chunk in PNG, an attribute in OpenEXR, properties of our
// namespace in XMP elsewhere.

#include "app/io/image_file.hpp"

namespace kg::io {

/// Removes the record of an earlier filtering, which is outdated.
void drop_made_by(Metadata& metadata);

/// Adds the record for a file of this format, if the format keeps metadata or attributes. `most_xmp` is its
/// largest packet. `metadata` is clean and has no record. `notes` names what could not be added.
void add_made_by(Metadata& metadata, const MadeBy& made, const FileFormat& format, std::size_t most_xmp,
                 std::vector<std::string>& notes);

} // namespace kg::io
