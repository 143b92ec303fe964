#include "app/io/codecs/opencv/opencv.hpp"

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include <algorithm>
#include <climits>
#include <cstring>
#include <limits>

namespace kg::io {

namespace {

/// OpenCV's codecs, loaded with the first file that needs them: they bring a hundred other libraries, whose
/// loading would take most of the program's start.
const SharedLibrary& codecs() {
    static const SharedLibrary library(KG_OPENCV_IMGCODECS, "OpenCV");
    return library;
}

// Names of functions in the library: those of the header with the types of their parameters.
constexpr const char* kDecode = "_ZN2cv8imdecodeERKNS_11_InputArrayEi";
constexpr const char* kEncode = "_ZN2cv8imencodeERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
                                "RKNS_11_InputArrayERSt6vectorIhSaIhEERKSB_IiSaIiEE";
constexpr const char* kHaveWriter =
    "_ZN2cv15haveImageWriterERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

/// One of these functions. Throws Error.
template <typename Function>
Function codec_function(const char* name) {
    try {
        return codecs().get<Function>(name);
    } catch (const Unavailable& absent) {
        throw Error(absent, "", ""); // not a device that is absent: no other engine has the function
    }
}

/// Throws Error without OpenCV's codecs.
void require_codecs() { codec_function<decltype(&cv::imencode)>(kEncode); }

cv::Mat imdecode(const cv::Mat& encoded, int flags) {
    using Function = decltype(static_cast<cv::Mat (*)(cv::InputArray, int)>(cv::imdecode));
    static const auto function = codec_function<Function>(kDecode);
    return function(encoded, flags);
}

bool imencode(const std::string& extension, const cv::Mat& mat, std::vector<unsigned char>& bytes,
              const std::vector<int>& parameters) {
    static const auto function = codec_function<decltype(&cv::imencode)>(kEncode);
    return function(extension, mat, bytes, parameters);
}

/// False without OpenCV's codecs.
bool have_image_writer(const std::string& extension) {
    static const auto function = codecs().find<decltype(&cv::haveImageWriter)>(kHaveWriter);
    return function && function(extension);
}

/// Where cv::error() leaves its message while this thread decodes or encodes. cv::imdecode catches the
/// exception that follows and returns an empty image.
thread_local std::string* reason_of_thread = nullptr;

int keep_reason(int status, const char*, const char* message, const char*, int, void*) {
    // The message of an assertion is its condition, which is no reason. So is one of several lines.
    const bool is_reason = status != cv::Error::StsAssert && !std::strchr(message, '\n');
    if (reason_of_thread && reason_of_thread->empty() && is_reason) *reason_of_thread = message;
    return 0;
}

/// Installs keep_reason() for the process, and silences OpenCV's log.
void prepare_opencv() {
    static const bool once = [] {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        cv::redirectError(keep_reason);
        return true;
    }();
    static_cast<void>(once);
}

class Listening {
public:
    Listening() {
        prepare_opencv();
        reason_of_thread = &reason_;
    }
    Listening(const Listening&) = delete;
    ~Listening() { reason_of_thread = nullptr; }

    Error damage() const {
        if (reason_.empty()) return Error("damaged-file", "it is damaged");
        return Error("damaged-file", "it is damaged: {}", reason_);
    }

private:
    std::string reason_;
};

int cv_type(const PixelFormat& format) {
    switch (format.depth) {
    case Depth::u8: return CV_8UC(format.channels);
    case Depth::u16: return CV_16UC(format.channels);
    case Depth::f32: return CV_32FC(format.channels);
    case Depth::f16:
    case Depth::f64: break;
    }
    throw Error("unsupported-depth", "16-bit floats do not go through this encoder");
}

cv::Mat decoded(const Source& source, const Header& header, int flags) {
    const auto& bytes = source.bytes;
    const auto size = header.size;
    constexpr std::int64_t kSide = 1 << 20, kPixels = 1 << 30; // OpenCV's own limits
    if (size.width > kSide || size.height > kSide || size.width * size.height > kPixels ||
        bytes.size() > INT_MAX)
        throw Error("too-many-pixels",
                    "files of this format are read up to 2^30 pixels, 2^20 in width and height, and 2 GB");
    const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    const Listening listening;
    cv::Mat decoded;
    try {
        decoded = imdecode(encoded, flags);
    } catch (const cv::Exception&) {
        throw listening.damage();
    }
    if (decoded.empty()) throw listening.damage();
    return decoded;
}

Error contradiction() { return Error("damaged-file", "it is damaged: its pixels do not match its header"); }

/// Copies a row between BGR(A), OpenCV's order, and RGB(A); the exchange is its own inverse.
template <typename Sample>
void copy_row(const std::byte* from, std::byte* to, std::int64_t pixels, int channels) {
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
    else if (bytes(format.depth) == 1) copy_row<std::uint8_t>(from, to, pixels, format.channels);
    else if (bytes(format.depth) == 2) copy_row<std::uint16_t>(from, to, pixels, format.channels);
    else copy_row<std::uint32_t>(from, to, pixels, format.channels);
}

/// Copies a row of BGR(A) or grey to the channels of the format.
template <typename Sample>
void fit_row(const Sample* from, int channels, Sample* to, std::int64_t pixels, const PixelFormat& format,
             int bits) {
    constexpr std::uint32_t kWhite = std::numeric_limits<Sample>::max();
    const std::uint32_t largest = bits > 0 ? (1u << bits) - 1 : kWhite;
    for (std::int64_t i = 0; i < pixels; ++i, from += channels, to += format.channels)
        for (int c = 0; c < format.channels; ++c) {
            const bool alpha = c == format.alpha;
            if (alpha && channels < 4) {
                to[c] = static_cast<Sample>(kWhite);
                continue;
            }
            const auto stored = std::min<std::uint32_t>(from[alpha ? 3 : channels < 3 ? 0 : 2 - c], largest);
            // No ties: `largest` is odd.
            to[c] = static_cast<Sample>((stored * kWhite + largest / 2) / largest);
        }
}

} // namespace

bool opencv_reads(const std::string& extension) {
    prepare_opencv();
    // OpenCV has a decoder wherever it has the encoder, and looks for a decoder in files only.
    return have_image_writer(extension);
}

void require_opencv_reader(const std::string& extension, std::string_view title) {
    require_codecs();
    if (!opencv_reads(extension))
        throw Error(
            "format-not-built",
            "it is of the format {}, which the installed OpenCV is built without; install one that reads it, "
            "or save the image as PNG or TIFF",
            title);
}

Image opencv_decode(const Source& source, const Header& header) {
    const auto mat = decoded(source, header, cv::IMREAD_UNCHANGED);
    const auto& format = header.pixels;
    if (mat.type() != cv_type(format) || mat.cols != header.size.width || mat.rows != header.size.height)
        throw contradiction();
    Image image(header.size, format, source.memory);
    for (int y = 0; y < mat.rows; ++y)
        copy_row(mat.ptr<std::byte>(y), image.view().row<std::byte>(y), header.size.width, format);
    return image;
}

Image opencv_decode(const Source& source, const Header& header, const OpencvResult& result) {
    const auto mat = decoded(source, header, result.in_colour ? cv::IMREAD_COLOR : cv::IMREAD_UNCHANGED);
    const auto& format = header.pixels;
    const int channels = mat.channels();
    if (mat.depth() != CV_MAT_DEPTH(cv_type(format)) || channels == 2 || channels > 4 ||
        mat.cols != header.size.width || mat.rows != header.size.height)
        throw contradiction();
    Image image(header.size, format, source.memory);
    const auto view = image.view();
    for (int y = 0; y < mat.rows; ++y)
        if (format.depth == Depth::u8)
            fit_row(mat.ptr<std::uint8_t>(y), channels, view.row<std::uint8_t>(y), mat.cols, format,
                    result.bits);
        else
            fit_row(mat.ptr<std::uint16_t>(y), channels, view.row<std::uint16_t>(y), mat.cols, format,
                    result.bits);
    return image;
}

std::string opencv_encode(const std::string& extension, const ConstImageView& image,
                          const std::vector<int>& parameters) {
    if (image.size.width > INT_MAX || image.size.height > INT_MAX)
        throw Error("too-large-for-format", "it is too large for the format");
    cv::Mat mat(static_cast<int>(image.size.height), static_cast<int>(image.size.width),
                cv_type(image.format));
    for (int y = 0; y < mat.rows; ++y)
        copy_row(image.row<std::byte>(y), mat.ptr<std::byte>(y), mat.cols, image.format);
    std::vector<unsigned char> bytes;
    const Listening listening;
    bool done = false;
    try {
        done = imencode(extension, mat, bytes, parameters);
    } catch (const cv::Exception&) {
        throw listening.damage();
    }
    if (!done) throw Error("encoder-failed", "the encoder refused it");
    return {bytes.begin(), bytes.end()};
}

} // namespace kg::io
