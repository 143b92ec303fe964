#include "app/io/codecs/png/png_compression.hpp"

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

constexpr std::size_t kBlock = std::size_t{512} << 10;
constexpr std::size_t kDictionary = std::size_t{32} << 10; ///< the window of deflate
constexpr int kLevel = 3; ///< a quarter of the default's time for a few per cent more bytes

/// A section of the filtered bytes, preceded by the end of the previous one.
struct Block {
    std::vector<Bytef> bytes;
    std::size_t dictionary = 0;
    bool is_last = false;

    std::size_t length() const { return bytes.size() - dictionary; }
};

struct Compressed {
    std::string bytes;
    uLong sum = 0; ///< Adler-32 of the uncompressed bytes
    std::size_t length = 0;
};

/// Raw deflate (RFC 1951); flushed to a byte boundary unless it is the last block.
Compressed compress_block(const Block& block) {
    constexpr int kBare = -15, kMemory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kBare, kMemory, Z_FILTERED) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&deflateEnd)> ended(&stream, deflateEnd);
    auto* const begin = const_cast<Bytef*>(block.bytes.data());
    if (block.dictionary > 0) deflateSetDictionary(&stream, begin, static_cast<uInt>(block.dictionary));
    stream.next_in = begin + block.dictionary;
    stream.avail_in = static_cast<uInt>(block.length());
    constexpr uLong kFlush = 16;
    Compressed compressed{std::string(deflateBound(&stream, stream.avail_in) + kFlush, '\0'), 0,
                          block.length()};
    stream.next_out = reinterpret_cast<Bytef*>(compressed.bytes.data());
    stream.avail_out = static_cast<uInt>(compressed.bytes.size());
    deflate(&stream, block.is_last ? Z_FINISH : Z_SYNC_FLUSH);
    if (stream.avail_in > 0 || stream.avail_out == 0)
        throw Error("encoder-failed", "zlib needs more room than deflateBound() returned");
    compressed.bytes.resize(stream.total_out);
    compressed.sum = adler32_z(adler32_z(0, nullptr, 0), begin + block.dictionary, block.length());
    return compressed;
}

struct GiveBack {
    void operator()(std::counting_semaphore<>* helpers) const { helpers->release(); }
};
using TakenHelper = std::unique_ptr<std::counting_semaphore<>, GiveBack>;

/// Compresses in another thread if a helper is free and the system provides a thread; else before it returns.
std::future<Compressed> begin_to_compress(Block given, std::counting_semaphore<>& helpers) {
    const auto block = std::make_shared<const Block>(std::move(given));
    if (helpers.try_acquire()) {
        const auto helper = std::make_shared<TakenHelper>(&helpers);
        try {
            return std::async(std::launch::async, [block, helper] {
                auto compressed = compress_block(*block);
                helper->reset();
                return compressed;
            });
        } catch (const std::system_error&) { // too many threads
        }
    }
    auto compressed = std::async(std::launch::deferred, [block] { return compress_block(*block); });
    compressed.wait();
    return compressed;
}

class BlockCompression final : public PngCompression {
public:
    BlockCompression(Extent size, const PixelFormat& format, int at_once, PngData data)
        : data_(std::move(data)), filter_(size, format), at_once_(static_cast<std::size_t>(at_once)),
          helpers_(at_once - 1), row_(filter_.filtered_bytes()) {
        block_.bytes.reserve(kDictionary + kBlock);
    }

    void add(const ConstImageView& rows) override {
        for (std::int64_t y = 0; y < rows.size.height; ++y) {
            filter_.filter(rows.row<std::byte>(y), row_.data());
            for (std::size_t done = 0; done < row_.size();) {
                if (block_.length() == kBlock) begin_next();
                const auto count = std::min(row_.size() - done, kBlock - block_.length());
                const auto from = row_.begin() + static_cast<std::ptrdiff_t>(done);
                block_.bytes.insert(block_.bytes.end(), from, from + static_cast<std::ptrdiff_t>(count));
                done += count;
            }
        }
    }
    void finish() override {
        block_.is_last = true;
        send(std::move(block_));
        all_sent_ = true;
        while (!in_flight_.empty()) take_first();
    }

private:
    void begin_next() {
        Block next;
        next.bytes.reserve(kDictionary + kBlock);
        next.bytes.assign(block_.bytes.end() - kDictionary, block_.bytes.end());
        next.dictionary = kDictionary;
        send(std::exchange(block_, std::move(next)));
    }
    void send(Block block) {
        if (in_flight_.size() == at_once_) take_first();
        in_flight_.push_back(begin_to_compress(std::move(block), helpers_));
    }
    /// Writes the first block in flight. The header precedes the first block and the checksum follows the
    /// last one (RFC 1950).
    void take_first() {
        auto compressed = in_flight_.front().get();
        in_flight_.pop_front();
        const bool is_first = length_ == 0;
        sum_ = is_first ? compressed.sum
                        : adler32_combine(sum_, compressed.sum, static_cast<z_off_t>(compressed.length));
        length_ += compressed.length;
        if (is_first) compressed.bytes.insert(0, "\x78\x5e"); // a window of 32 KiB, a fast level
        if (all_sent_ && in_flight_.empty())
            for (const int shift : {24, 16, 8, 0}) compressed.bytes += static_cast<char>(sum_ >> shift);
        data_(compressed.bytes);
    }

    PngData data_;
    PngRowFilter filter_;
    const std::size_t at_once_;
    std::counting_semaphore<> helpers_; ///< free ones; the caller compresses, too
    std::vector<std::uint8_t> row_;
    Block block_;
    std::deque<std::future<Compressed>> in_flight_; ///< in order
    bool all_sent_ = false;
    std::size_t length_ = 0; ///< bytes of the blocks written so far, before compression
    uLong sum_ = 0;
};

} // namespace

std::unique_ptr<PngCompression> compress_png_in_blocks(Extent size, const PixelFormat& format, int at_once,
                                                       PngData data) {
    return std::make_unique<BlockCompression>(size, format, std::max(at_once, 1), std::move(data));
}

std::size_t memory_to_compress_a_block() {
    constexpr std::size_t kOfZlib = std::size_t{1} << 18; // windows and tables
    return kDictionary + 2 * kBlock + kOfZlib;
}

} // namespace kg::io
