#include "app/io/codecs/png/png_packing.hpp"

#include "app/io/codecs/png/png_filter.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <new>
#include <semaphore>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <zlib.h>

namespace kg::io {

namespace {

constexpr std::size_t kPiece = std::size_t{512} << 10;
constexpr std::size_t kDictionary = std::size_t{32} << 10; ///< as far as deflate looks back
constexpr int kLevel = 3; ///< a quarter of the default's time for a few per cent more bytes

/// A part of the filtered bytes behind the end of the part before it.
struct Piece {
    std::vector<Bytef> bytes;
    std::size_t dictionary = 0;
    bool is_last = false;

    std::size_t length() const { return bytes.size() - dictionary; }
};

struct Packed {
    std::string bytes;
    uLong sum = 0; ///< Adler-32 of what is packed
    std::size_t length = 0;
};

/// Deflate without head and sum (RFC 1951); up to a whole byte where it is not the last one.
Packed pack(const Piece& piece) {
    constexpr int kBare = -15, kMemory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kBare, kMemory, Z_FILTERED) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&deflateEnd)> ended(&stream, deflateEnd);
    auto* const begin = const_cast<Bytef*>(piece.bytes.data());
    if (piece.dictionary > 0) deflateSetDictionary(&stream, begin, static_cast<uInt>(piece.dictionary));
    stream.next_in = begin + piece.dictionary;
    stream.avail_in = static_cast<uInt>(piece.length());
    constexpr uLong kFlush = 16;
    Packed packed{std::string(deflateBound(&stream, stream.avail_in) + kFlush, '\0'), 0, piece.length()};
    stream.next_out = reinterpret_cast<Bytef*>(packed.bytes.data());
    stream.avail_out = static_cast<uInt>(packed.bytes.size());
    deflate(&stream, piece.is_last ? Z_FINISH : Z_SYNC_FLUSH);
    if (stream.avail_in > 0 || stream.avail_out == 0) throw Error("zlib takes more room than it said");
    packed.bytes.resize(stream.total_out);
    packed.sum = adler32_z(adler32_z(0, nullptr, 0), begin + piece.dictionary, piece.length());
    return packed;
}

struct GiveBack {
    void operator()(std::counting_semaphore<>* helpers) const { helpers->release(); }
};
using TakenHelper = std::unique_ptr<std::counting_semaphore<>, GiveBack>;

/// By a thread of its own where a helper is free and the system has a thread; else it is done when this returns.
std::future<Packed> begin_to_pack(Piece given, std::counting_semaphore<>& helpers) {
    const auto piece = std::make_shared<const Piece>(std::move(given));
    if (helpers.try_acquire()) {
        const auto helper = std::make_shared<TakenHelper>(&helpers);
        try {
            return std::async(std::launch::async, [piece, helper] {
                auto packed = pack(*piece);
                helper->reset();
                return packed;
            });
        } catch (const std::system_error&) { // too many threads
        }
    }
    auto packed = std::async(std::launch::deferred, [piece] { return pack(*piece); });
    packed.wait();
    return packed;
}

class Pieces final : public PngPacking {
public:
    Pieces(Extent size, const PixelFormat& format, int at_once, PngData data)
        : data_(std::move(data)), filter_(size, format), at_once_(static_cast<std::size_t>(at_once)),
          helpers_(at_once - 1), row_(filter_.filtered_bytes()) {
        piece_.bytes.reserve(kDictionary + kPiece);
    }

    void add(const ConstImageView& rows) override {
        for (std::int64_t y = 0; y < rows.size.height; ++y) {
            filter_.filter(rows.row<std::byte>(y), row_.data());
            for (std::size_t done = 0; done < row_.size();) {
                if (piece_.length() == kPiece) begin_next();
                const auto count = std::min(row_.size() - done, kPiece - piece_.length());
                const auto from = row_.begin() + static_cast<std::ptrdiff_t>(done);
                piece_.bytes.insert(piece_.bytes.end(), from, from + static_cast<std::ptrdiff_t>(count));
                done += count;
            }
        }
    }
    void finish() override {
        piece_.is_last = true;
        send(std::move(piece_));
        all_sent_ = true;
        while (!on_way_.empty()) take_first();
    }

private:
    void begin_next() {
        Piece next;
        next.bytes.reserve(kDictionary + kPiece);
        next.bytes.assign(piece_.bytes.end() - kDictionary, piece_.bytes.end());
        next.dictionary = kDictionary;
        send(std::exchange(piece_, std::move(next)));
    }
    void send(Piece piece) {
        if (on_way_.size() == at_once_) take_first();
        on_way_.push_back(begin_to_pack(std::move(piece), helpers_));
    }
    /// What it holds, with the head and the sum of the whole before the first and behind the last one (RFC 1950).
    void take_first() {
        auto packed = on_way_.front().get();
        on_way_.pop_front();
        const bool is_first = length_ == 0;
        sum_ = is_first ? packed.sum : adler32_combine(sum_, packed.sum, static_cast<z_off_t>(packed.length));
        length_ += packed.length;
        if (is_first) packed.bytes.insert(0, "\x78\x5e"); // a window of 32 KiB, a fast level
        if (all_sent_ && on_way_.empty())
            for (const int shift : {24, 16, 8, 0}) packed.bytes += static_cast<char>(sum_ >> shift);
        data_(packed.bytes);
    }

    PngData data_;
    PngRowFilter filter_;
    const std::size_t at_once_;
    std::counting_semaphore<> helpers_; ///< free ones; who writes packs, too
    std::vector<std::uint8_t> row_;
    Piece piece_;
    std::deque<std::future<Packed>> on_way_; ///< in their order
    bool all_sent_ = false;
    std::size_t length_ = 0; ///< of what is given on
    uLong sum_ = 0;
};

} // namespace

std::unique_ptr<PngPacking> pack_png_in_pieces(Extent size, const PixelFormat& format, int at_once,
                                               PngData data) {
    return std::make_unique<Pieces>(size, format, std::max(at_once, 1), std::move(data));
}

std::size_t memory_to_pack_a_piece() {
    constexpr std::size_t kOfZlib = std::size_t{1} << 18; // its windows and tables
    return kDictionary + 2 * kPiece + kOfZlib;
}

} // namespace kg::io
