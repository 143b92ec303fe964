#pragma once
// Pictures from and to files and pipes. Which libraries decode and encode does not show here: upright pictures in RGB(A)
// or grey(+alpha) order, with depth and alpha as the file has them. docs/pictures.md says what each format holds.

#include "app/io/files/files.hpp"
#include "app/io/formats.hpp"
#include "core/image/image.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// What travels with a picture and is not pixels; each as the bytes that files carry, empty where there is none.
struct Metadata {
    std::string exif; ///< a TIFF structure, without JPEG's "Exif" prefix
    std::string icc;
    std::string xmp;
    std::string
        photoshop{}; ///< image resources (8BIM...), IPTC among them: of JPEG's APP13 and TIFF's tag 34377
    std::vector<std::string> comments{}; ///< of JPEG
    struct Density {
        double x = 0, y = 0;   ///< 0 = nothing is said
        bool per_metre = true; ///< false: only the ratio of the two counts
        bool operator==(const Density&) const = default;
    } density{};
    struct Chunk {
        std::string type, data;
        bool operator==(const Chunk&) const = default;
    };
    std::vector<Chunk>
        chunks{}; ///< of PNG, to be written again as they are: texts, and what says what the samples mean
    struct Attribute {
        std::string name, type, data;
        bool operator==(const Attribute&) const = default;
    };
    std::vector<Attribute> attributes{}; ///< of OpenEXR: values as files carry them
    bool associated_alpha =
        false; ///< of TIFF, which says so: colour is multiplied by alpha, and is to be again

    bool operator==(const Metadata&) const = default;
    bool empty() const { return *this == Metadata(); }
};

/// What a file says of its making, if this program made it: the recipe, for people and for programs. What the two mean
/// is not known here (app/process/recipe_record.hpp).
struct MadeBy {
    std::string program; ///< with its version
    std::string text;    ///< one line; may be empty
    std::string json;

    bool operator==(const MadeBy&) const = default;
};
/// As it stands among the metadata: from a file, so not to be trusted.
std::optional<MadeBy> made_by(const Metadata& metadata);

struct Picture {
    Image image; ///< upright
    std::filesystem::path path;
    std::vector<std::string> notes{}; ///< what one must know: "16-bit", "page 1 of 3", "damaged: ..."
    std::string format{};             ///< id in formats()
    std::string original{}; ///< how the file keeps it where that differs: "palette", "CMYK", "1-bit samples"
    Depth stored = Depth::u8; ///< the file's own depth: f16 files are read as f32, which holds them exactly
    int page = 1, pages = 1;
    int orientation = 1; ///< what EXIF said (1 to 8); it has been applied
    bool linear = false; ///< the format's numbers are linear light (EXR, HDR)
    Metadata metadata{};
    std::vector<std::string>
        details{}; ///< what nobody misses, for who asks: "1 preview picture ... is left out"
    std::optional<Depth> write_as{}; ///< its result's depth in a file, where the result itself is wider
};

struct ReadOptions {
    int page = 1; ///< from 1
    /// A larger picture is refused before anything is decoded. Empty = 2^31, and large pictures in next to no bytes are
    /// refused, too.
    std::optional<std::int64_t> max_pixels{};
};

/// Both throw Error with a sentence that names the file and the reason. A damaged file gives an Error, or a picture of
/// the declared size with the missing part empty and a note "damaged: ..." (is_damage_note() finds it).
Picture read_picture(const std::filesystem::path& path, const ReadOptions& options = {});
/// `name` stands for the file in sentences: "standard input". The picture's path is empty.
Picture decode_picture(std::string_view bytes, std::string_view name, const ReadOptions& options = {});
bool is_damage_note(std::string_view note);
/// True if the note merely says what the picture is ("16-bit", "palette"), rather than what was chosen, converted or lost.
bool is_plain_note(const Picture& picture, std::string_view note);

/// For reading a picture's bytes: what does not begin like one is refused at once, because it may be a disk image, or
/// endless. A file has no limit where the options say how many pixels it may have.
ReadLimits picture_limits(std::string_view name, const ReadOptions& options = {});

/// What a file says of itself; no pixel is decoded.
struct PictureInfo {
    std::string format; ///< id in formats()
    std::string title;  ///< the format's, or, where it stands for several, "PGM": the one that the file is
    Extent size;        ///< upright
    PixelFormat pixels; ///< as read_picture() would give them
    Depth stored = Depth::u8;
    std::string original;
    int pages = 1, orientation = 1;
    bool linear = false;
    std::string icc_name; ///< empty without a profile
    bool exif = false, xmp = false;
    std::optional<MadeBy> made_by{};
    std::vector<std::string> notes; ///< details, too
};
PictureInfo probe(std::string_view bytes, std::string_view name, const ReadOptions& options = {});
PictureInfo probe(const std::filesystem::path& path, const ReadOptions& options = {});

struct WriteOptions {
    std::string format{}; ///< id or ending; empty = by the path's ending
    const Metadata* metadata =
        nullptr; ///< kept where the format can; orientation becomes 1, thumbnails are dropped
    std::optional<int> jpeg_quality{}; ///< 1 to 100; empty = 95
    /// Written where the format keeps metadata, in the place of what `metadata` says of an earlier making.
    std::optional<MadeBy> made_by{};
    bool no_recipe = false;       ///< made_by is not written
    std::optional<Depth> depth{}; ///< to round the samples to, in which the format holds them; empty = theirs
    /// Of the metadata only what says what the samples look like is kept: profile, PNG's colour chunks, density. Nor is
    /// made_by written.
    bool strip = false;
};

struct Encoded {
    std::string bytes;
    std::vector<std::string> notes; ///< what could not be kept: "JPEG holds no alpha: left out"
};

/// `name` stands for the file in sentences. The picture's depth must be what storable() says. Throws Error.
Encoded encode_picture(const ConstImageView& picture, std::string_view format, std::string_view name,
                       const WriteOptions& options = {});
/// encode_picture() and write_file(). Returns the notes.
std::vector<std::string> write_picture(const std::filesystem::path& path, const ConstImageView& picture,
                                       const WriteOptions& options = {});

} // namespace kg
