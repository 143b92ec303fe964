#include "app/io/image_file.hpp"

#include "core/error.hpp"

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

struct Format {
    std::string_view extension;
    std::array<bool, 4> holds; ///< by Depth: u8 u16 f16 f32
    bool alpha;
};
constexpr Format kFormats[] = {
    {"png", {true, true, false, false}, true},    {"jpg", {true, false, false, false}, false},
    {"jpeg", {true, false, false, false}, false}, {"tif", {true, true, false, true}, true},
    {"tiff", {true, true, false, true}, true},    {"webp", {true, false, false, false}, true},
    {"bmp", {true, false, false, false}, true},   {"ppm", {true, true, false, false}, false},
    {"pgm", {true, true, false, false}, false},   {"pnm", {true, true, false, false}, false},
    {"pfm", {false, false, false, true}, false},
};

std::string quoted(const fs::path& path) { return "\"" + path.string() + "\""; }

const Format& format_of(std::string_view extension) {
    std::string wanted(extension.starts_with('.') ? extension.substr(1) : extension);
    std::ranges::transform(wanted, wanted.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string known;
    for (const auto& format : kFormats) {
        if (format.extension == wanted) return format;
        known += (known.empty() ? "" : ", ") + std::string(format.extension);
    }
    throw Error("\"" + std::string(extension) + "\" is not a picture format that can be written; use " +
                known);
}

Depth depth_of(int cv_depth) {
    switch (cv_depth) {
    case CV_8U: return Depth::u8;
    case CV_16U: return Depth::u16;
    case CV_32F: return Depth::f32;
    default:
        throw Error(
            "its samples are of a kind that is not supported (8 and 16 bit integers and 32 bit floats are)");
    }
}

int cv_type(const PixelFormat& format) {
    switch (format.depth) {
    case Depth::u8: return CV_8UC(format.channels);
    case Depth::u16: return CV_16UC(format.channels);
    case Depth::f32: return CV_32FC(format.channels);
    case Depth::f16: break;
    }
    throw Error("16 bit floats cannot be written to this format");
}

/// Copies pixels between OpenCV's order (BGR, BGRA) and ours; the same swap serves both ways.
template <typename Sample>
void swap_red_blue(const std::byte* from, std::byte* to, std::int64_t pixels, int channels) {
    const auto* in = reinterpret_cast<const Sample*>(from);
    auto* out = reinterpret_cast<Sample*>(to);
    for (std::int64_t i = 0; i < pixels * channels; i += channels) {
        out[i] = in[i + 2], out[i + 1] = in[i + 1], out[i + 2] = in[i];
        if (channels == 4) out[i + 3] = in[i + 3];
    }
}

void copy_row(const std::byte* from, std::byte* to, std::int64_t pixels, const PixelFormat& format) {
    if (format.channels < 3)
        std::memcpy(to, from, static_cast<std::size_t>(pixels) * bytes_per_pixel(format));
    else if (bytes(format.depth) == 1) swap_red_blue<std::uint8_t>(from, to, pixels, format.channels);
    else if (bytes(format.depth) == 2) swap_red_blue<std::uint16_t>(from, to, pixels, format.channels);
    else swap_red_blue<std::uint32_t>(from, to, pixels, format.channels);
}

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xFF\xD8\xFF"); }

} // namespace

std::string read_file(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) throw Error("cannot read " + quoted(path) + ": it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error("cannot read " + quoted(path) + ": " + std::strerror(errno));
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) throw Error("cannot read " + quoted(path) + ": " + std::strerror(errno));
    return bytes;
}

void write_file(const fs::path& path, std::string_view bytes) {
    auto temporary = path;
    temporary += ".part" + std::to_string(::getpid());
    try {
        std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        file.close();
        if (!file) throw Error("cannot write " + quoted(path) + ": " + std::strerror(errno));
        fs::rename(temporary, path);
    } catch (const fs::filesystem_error& error) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw Error("cannot write " + quoted(path) + ": " + error.code().message());
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

Picture read_picture(const fs::path& path) {
    const auto bytes = read_file(path);
    if (bytes.empty()) throw Error("cannot open " + quoted(path) + ": the file is empty");
    try {
        const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
        // "Unchanged" keeps alpha and depth but ignores EXIF orientation; JPEG has no alpha and needs the orientation.
        const int flags = is_jpeg(bytes) ? cv::IMREAD_ANYCOLOR | cv::IMREAD_ANYDEPTH : cv::IMREAD_UNCHANGED;
        const cv::Mat decoded = cv::imdecode(encoded, flags);
        if (decoded.empty()) throw Error("it is not a picture, or it is damaged");
        PixelFormat format{depth_of(decoded.depth()), decoded.channels(), decoded.channels() == 4 ? 3 : -1};
        if (format.channels < 1 || format.channels > 4) throw Error("it has more than four channels");
        Picture picture{Image({decoded.cols, decoded.rows}, format), path, {}};
        for (int y = 0; y < decoded.rows; ++y)
            copy_row(decoded.ptr<std::byte>(y), picture.image.view().row<std::byte>(y), decoded.cols, format);
        if (format.depth == Depth::u16) picture.notes.push_back("16-bit");
        if (format.depth == Depth::f32) picture.notes.push_back("float");
        return picture;
    } catch (const cv::Exception& error) {
        throw Error("cannot open " + quoted(path) + ": " +
                    (error.err.empty() ? "it is damaged" : "it is damaged or too large (" + error.err + ")"));
    } catch (const Error& error) {
        throw Error("cannot open " + quoted(path) + ": " + error.what());
    }
}

Storable storable(std::string_view extension, Depth wanted) {
    const auto& format = format_of(extension);
    const auto holds = [&](Depth depth) { return format.holds[static_cast<std::size_t>(depth)]; };
    if (holds(wanted)) return {wanted, format.alpha};
    for (const auto depth : {Depth::f32, Depth::u16, Depth::u8}) // the deepest that there is loses least
        if (holds(depth)) return {depth, format.alpha};
    return {Depth::u8, format.alpha};
}

void write_picture(const fs::path& path, const ConstImageView& picture) {
    const auto& file_format = format_of(path.extension().string());
    if (!file_format.holds[static_cast<std::size_t>(picture.format.depth)])
        throw Error("cannot write " + quoted(path) + ": the format does not hold " +
                    std::string(name(picture.format.depth)));
    cv::Mat mat(static_cast<int>(picture.size.height), static_cast<int>(picture.size.width),
                cv_type(picture.format));
    for (int y = 0; y < mat.rows; ++y)
        copy_row(picture.row<std::byte>(y), mat.ptr<std::byte>(y), mat.cols, picture.format);
    if (picture.format.alpha >= 0 && !file_format.alpha) cv::cvtColor(mat, mat, cv::COLOR_BGRA2BGR);
    std::vector<unsigned char> bytes;
    try {
        const bool is_grey_name = file_format.extension == "pgm";
        if (is_grey_name && mat.channels() != 1) throw Error("a PGM file holds grey only; use .ppm");
        if (file_format.extension == "ppm" && mat.channels() == 1) cv::cvtColor(mat, mat, cv::COLOR_GRAY2BGR);
        std::vector<int> settings{cv::IMWRITE_JPEG_QUALITY, 95};
        // OpenCV's own choice for float colour in TIFF is LogLuv, which loses data without a word.
        constexpr int kDeflate = 8;
        if (file_format.extension.starts_with("tif") && mat.depth() == CV_32F)
            settings = {cv::IMWRITE_TIFF_COMPRESSION, kDeflate};
        if (!cv::imencode("." + std::string(file_format.extension), mat, bytes, settings))
            throw Error("the encoder refused it");
    } catch (const cv::Exception& error) {
        throw Error("cannot write " + quoted(path) + ": " + error.err);
    }
    write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace kg
