#include "app/io/codecs/opencv/opencv.hpp"

#include "core/support/error.hpp"

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include <climits>
#include <cstring>
#include <iostream>
#include <streambuf>

namespace kg::io {

namespace {

/// Captures std::cerr, where OpenCV writes the reason for a failed decoding before it returns an empty image.
/// Collects the output of a thread while it decodes, and forwards all other output to the real buffer. Stays
/// installed for the life of the process.
class Overheard : public std::streambuf {
public:
    static Overheard& instance() {
        static auto* only = new Overheard; // never destroyed: std::cerr outlives all other objects
        return *only;
    }
    static void begin() {
        instance();
        text_.clear();
        listening_ = true;
    }
    static std::string end() {
        listening_ = false;
        return std::move(text_);
    }

protected:
    int_type overflow(int_type c) override {
        if (!listening_) return real_->sputc(traits_type::to_char_type(c));
        text_ += traits_type::to_char_type(c);
        return c;
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        if (!listening_) return real_->sputn(text, count);
        text_.append(text, static_cast<std::size_t>(count));
        return count;
    }
    int sync() override { return listening_ ? 0 : real_->pubsync(); }

private:
    Overheard() : real_(std::cerr.rdbuf()) {
        std::cerr.rdbuf(this); // last: another thread may be writing
    }

    std::streambuf* real_;
    static inline thread_local bool listening_ = false;
    static inline thread_local std::string text_;
};

/// Extracts REASON from "...: error: (-2:Unspecified error) REASON in function 'f'". The condition of an
/// assertion is not a reason.
std::string reason_in(const std::string& text) {
    constexpr std::string_view kBefore = "Unspecified error) ";
    const auto begin = text.find(kBefore), end = text.find(" in function", begin);
    if (begin == text.npos || end == text.npos) return "it is damaged";
    return "it is damaged: " + text.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

/// Runs OpenCV with its output captured, and returns the output.
template <typename Work>
std::string quietly(Work work) {
    static const auto silent = cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    static_cast<void>(silent);
    Overheard::begin();
    try {
        work();
    } catch (const cv::Exception& error) {
        Overheard::end();
        throw Error(reason_in(error.what()));
    } catch (...) {
        Overheard::end();
        throw;
    }
    return Overheard::end();
}

int cv_type(const PixelFormat& format) {
    switch (format.depth) {
    case Depth::u8: return CV_8UC(format.channels);
    case Depth::u16: return CV_16UC(format.channels);
    case Depth::f32: return CV_32FC(format.channels);
    case Depth::f16: break;
    }
    throw Error("16-bit floats do not go through this encoder");
}

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

} // namespace

Image opencv_decode(const Source& source, const Header& header) {
    const auto& [bytes, page, memory] = source;
    const auto size = header.size;
    const auto& format = header.pixels;
    constexpr std::int64_t kSide = 1 << 20, kPixels = 1 << 30; // OpenCV's own limits
    if (size.width > kSide || size.height > kSide || size.width * size.height > kPixels ||
        bytes.size() > INT_MAX)
        throw Error("files of this format are read up to 2^30 pixels, 2^20 a side and 2 GB");
    const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    cv::Mat decoded;
    const auto output = quietly([&] { decoded = cv::imdecode(encoded, cv::IMREAD_UNCHANGED); });
    if (decoded.empty()) throw Error(reason_in(output));
    if (decoded.type() != cv_type(format) || decoded.cols != size.width || decoded.rows != size.height)
        throw Error("it is damaged: its pixels are not what its header says");
    Image image(size, format, memory);
    for (int y = 0; y < decoded.rows; ++y)
        copy_row(decoded.ptr<std::byte>(y), image.view().row<std::byte>(y), size.width, format);
    return image;
}

std::string opencv_encode(const std::string& extension, const ConstImageView& image,
                          const std::vector<int>& parameters) {
    if (image.size.width > INT_MAX || image.size.height > INT_MAX)
        throw Error("it is too large for the format");
    cv::Mat mat(static_cast<int>(image.size.height), static_cast<int>(image.size.width),
                cv_type(image.format));
    for (int y = 0; y < mat.rows; ++y)
        copy_row(image.row<std::byte>(y), mat.ptr<std::byte>(y), mat.cols, image.format);
    std::vector<unsigned char> bytes;
    bool done = false;
    quietly([&] { done = cv::imencode(extension, mat, bytes, parameters); });
    if (!done) throw Error("the encoder refused it");
    return {bytes.begin(), bytes.end()};
}

} // namespace kg::io
