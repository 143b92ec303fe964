#pragma once
// Images from and to files and pipes, independent of the libraries that decode and encode. Images are
// upright, in RGB(A) or grey(+alpha) order, with the depth and alpha of the file. docs/images.md describes
// each format.

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

/// Data beside the pixels, each as the bytes in a file; empty if absent.
struct Metadata {
    std::string exif; ///< a TIFF structure, without JPEG's "Exif" prefix
    std::string icc;
    std::string xmp;
    /// Image resources (8BIM...) with IPTC, from JPEG's APP13 and TIFF's tag 34377.
    std::string photoshop{};
    std::vector<std::string> comments{}; ///< JPEG only
    struct Density {
        double x = 0, y = 0;   ///< 0 = unspecified
        bool per_metre = true; ///< false: only their ratio is meaningful
        bool operator==(const Density&) const = default;
    } density{};
    struct Chunk {
        std::string type, data;
        bool operator==(const Chunk&) const = default;
    };
    /// Chunks of PNG that are copied unchanged: texts, and the interpretation of the samples.
    std::vector<Chunk> chunks{};
    struct Attribute {
        std::string name, type, data;
        bool operator==(const Attribute&) const = default;
    };
    std::vector<Attribute> attributes{}; ///< OpenEXR only: values in the file's encoding
    /// TIFF only: the file declares premultiplied colour, and so will a file written from it.
    bool associated_alpha = false;

    bool operator==(const Metadata&) const = default;
    bool empty() const { return *this == Metadata(); }
};

/// The record in a file that this program made: the recipe, for people and for programs. Its contents are
/// interpreted elsewhere (app/process/file/recipe_record.hpp).
struct MadeBy {
    std::string program; ///< with its version
    std::string text;    ///< one line; may be empty
    std::string json;

    bool operator==(const MadeBy&) const = default;
};
/// The record in the metadata. It comes from a file and must not be trusted.
std::optional<MadeBy> made_by(const Metadata& metadata);

struct LoadedImage {
    Image pixels; ///< upright
    std::filesystem::path path;
    std::vector<std::string> notes{}; ///< remarks for the user: "16-bit", "page 1 of 3"
    std::string damage{};             ///< "damaged: " and why rows are missing; empty = complete
    std::string format{};             ///< id in formats()
    std::string original{};   ///< the storage in the file if it differs: "palette", "CMYK", "1-bit samples"
    Depth stored = Depth::u8; ///< depth in the file: f16 files are read as f32, which is exact
    int page = 1, pages = 1;
    int orientation = 1; ///< from EXIF (1 to 8); it has been applied
    bool linear = false; ///< samples are linear light (EXR, HDR)
    Metadata metadata{};
    /// Minor remarks, shown on request: "1 preview image ... is left out".
    std::vector<std::string> details{};
    std::optional<Depth> write_as{}; ///< depth of the result in a file, if the result itself is wider
};

struct ReadOptions {
    int page = 1; ///< from 1
    /// A larger image is refused before it is decoded. Empty = 2^31; large images in implausibly few bytes
    /// are then refused, too.
    std::optional<std::int64_t> max_pixels{};
    ImageMemorySource* memory = nullptr; ///< memory for the decoded pixels; null: the usual one
};

/// Both throw Error with a message that names the file and the reason. A damaged file gives an Error, or an
/// image of the declared size with the missing rows empty and its `damage`.
LoadedImage read_image(const std::filesystem::path& path, const ReadOptions& options = {});
/// `name` replaces the file's name in messages: "standard input". The image's path is empty.
LoadedImage decode_image(std::string_view bytes, std::string_view name, const ReadOptions& options = {});
/// True if the note only describes the image ("16-bit", "palette"), rather than a choice, a conversion or a
/// loss.
bool is_plain_note(const LoadedImage& image, std::string_view note);

/// True if the note names something beside the pixels that no written file will have: "its chunk bKGD is not
/// kept".
bool is_loss_note(std::string_view note);

/// Limits for reading the bytes of an image. A file that does not begin like an image is refused at once,
/// because it may be a disk image or endless. With ReadOptions::max_pixels files have no limit.
ReadLimits image_limits(std::string_view name, const ReadOptions& options = {});

/// What a file declares; no pixel is decoded.
struct ImageInfo {
    std::string format; ///< id in formats()
    /// Title of the format, or of the file's specific format if one covers several, such as "PGM".
    std::string title;
    Extent size;        ///< upright
    PixelFormat pixels; ///< as read_image() would return them
    Depth stored = Depth::u8;
    std::string original;
    int pages = 1, orientation = 1;
    bool linear = false;
    std::string icc_name; ///< empty without a profile
    bool exif = false, xmp = false;
    std::optional<MadeBy> made_by{};
    std::vector<std::string> notes; ///< including details
    std::string damage{};           ///< as in LoadedImage, as far as it is known without decoding
};
ImageInfo probe(std::string_view bytes, std::string_view name, const ReadOptions& options = {});
ImageInfo probe(const std::filesystem::path& path, const ReadOptions& options = {});

struct WriteOptions {
    std::string format{}; ///< id or extension; empty = by the path's extension
    /// Kept if the format can hold it; the orientation becomes 1, thumbnails are dropped.
    const Metadata* metadata = nullptr;
    std::optional<int> jpeg_quality{}; ///< 1 to 100; empty = 95
    /// Written if the format keeps metadata, in place of an earlier record in `metadata`.
    std::optional<MadeBy> made_by{};
    bool no_recipe = false;       ///< made_by is not written
    std::optional<Depth> depth{}; ///< depth to round the samples to, which the format holds; empty = theirs
    /// Keeps only metadata that defines the samples: profile, PNG's colour chunks, density. Does not write
    /// made_by either.
    bool strip = false;
    /// Threads that may compress, the calling one among them; 0 = one for each core. The bytes are the same.
    int threads = 0;
};

struct Encoded {
    std::string bytes;
    std::vector<std::string> notes; ///< what could not be kept: "JPEG holds no alpha: left out"
};

/// `name` names the file in messages. The image's depth must be that of storable(). Throws Error.
Encoded encode_image(const ConstImageView& image, std::string_view format, std::string_view name,
                     const WriteOptions& options = {});
/// Calls encode_image() and write_file(). Returns the notes.
std::vector<std::string> write_image(const std::filesystem::path& path, const ConstImageView& image,
                                     const WriteOptions& options = {});

} // namespace kg
