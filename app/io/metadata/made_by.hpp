#pragma once
// Where a file keeps what it says of its making (MadeBy): in PNG a text of ours, in OpenEXR an attribute, elsewhere
// properties of ours in XMP.

#include "app/io/image_file.hpp"

namespace kg::io {

/// Without what an earlier filtering said of itself, which no longer is the whole truth.
void drop_made_by(Metadata& metadata);

/// Says it anew for a file of this format, if that keeps metadata or attributes. `most_xmp` is the largest packet that it holds.
/// `metadata` is clean and says nothing of it yet. What cannot be said is named in `notes`.
void add_made_by(Metadata& metadata, const MadeBy& made, const FileFormat& format, std::size_t most_xmp,
                 std::vector<std::string>& notes);

} // namespace kg::io
