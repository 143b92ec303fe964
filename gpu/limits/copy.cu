// Lower bound for filters: every byte of the input is read once, every byte of the output written once, 16
// bytes at a time where the rows allow it, with enough accesses in flight to saturate the memory bandwidth.
//
// Two algorithms, since neither is always the faster: the accesses of `limit:copy` pass through the cache as
// those of filters do; `limit:copy_streaming` marks them to be evicted first, because it never reuses them.

#include "gpu/kernels/stage.hpp"
#include "gpu/limits.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kThreads = 256;
constexpr int kAtOnce = 4; // words that a thread reads before it writes the first

struct CopyParameters {
    const std::byte* src;
    std::byte* dst;
    std::int64_t src_pitch, dst_pitch;
    std::int64_t unit;                  ///< the lesser of the input's and the output's bytes per row
    std::uint32_t words, words_per_row; ///< words of a unit; a row's remainder goes with its last word
    int fold, spread;                   ///< units in a row of input and of output; one of them is 1
};

template <bool Streaming, typename Word>
__device__ Word load(const Word* from) {
    if constexpr (Streaming) return __ldcs(from);
    else return *from;
}
template <bool Streaming, typename Word>
__device__ void store(Word* to, Word word) {
    if constexpr (Streaming) __stcs(to, word);
    else *to = word;
}

__device__ void add(uint4& sum, const uint4& word) {
    sum.x ^= word.x, sum.y ^= word.y, sum.z ^= word.z, sum.w ^= word.w;
}
template <typename Word>
__device__ void add(Word& sum, Word word) {
    sum ^= word;
}

template <typename Word, bool Streaming>
__global__ void __launch_bounds__(kThreads, 4) copy_words(const __grid_constant__ CopyParameters p) {
    constexpr std::int64_t kBytes = sizeof(Word);
    const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; first < p.words;
         first += kAtOnce * threads) {
        std::int64_t from[kAtOnce], to[kAtOnce], left[kAtOnce]; // left: bytes of the row behind the word
        bool here[kAtOnce];
        Word word[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            here[k] = first + k * threads < p.words;
            const auto i = static_cast<std::uint32_t>(first + k * threads);
            const std::int64_t row = i / p.words_per_row;
            const std::int64_t column = std::int64_t{i % p.words_per_row} * kBytes;
            from[k] = row * p.src_pitch + column;
            to[k] = row * p.dst_pitch + column;
            left[k] = p.unit - column - kBytes;
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (here[k]) word[k] = load<Streaming>(reinterpret_cast<const Word*>(p.src + from[k]));
#pragma unroll 1
        for (int f = 1; f < p.fold; ++f) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                if (here[k])
                    add(word[k],
                        load<Streaming>(reinterpret_cast<const Word*>(p.src + from[k] + f * p.unit)));
        }
#pragma unroll 1
        for (int s = 0; s < p.spread; ++s) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                if (here[k]) store<Streaming>(reinterpret_cast<Word*>(p.dst + to[k] + s * p.unit), word[k]);
        }
        if constexpr (kBytes > 1) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                if (!here[k] || left[k] >= kBytes) continue;
#pragma unroll 1
                for (std::int64_t i = 0; i < left[k]; ++i)
                    p.dst[to[k] + kBytes + i] = p.src[from[k] + kBytes + i];
            }
        }
    }
}

/// The kernel for words of `bytes`.
template <bool Streaming>
const void* kernel_for(std::int64_t bytes) {
    if (bytes == 16) return reinterpret_cast<const void*>(&copy_words<uint4, Streaming>);
    if (bytes == 4) return reinterpret_cast<const void*>(&copy_words<unsigned, Streaming>);
    return reinterpret_cast<const void*>(&copy_words<unsigned char, Streaming>);
}

class CopyPlan final : public Plan {
public:
    CopyPlan(bool streaming, const DeviceLimits& device)
        : streaming_(streaming),
          resident_(std::int64_t{device.multiprocessors} * device.threads_per_multiprocessor) {}

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& cuda = static_cast<CudaQueue&>(queue);
        for (const auto& item : items)
            if (!cuda.stop_requested()) copy(cuda, item.src.crop(item.dst.covers), item.dst);
    }

private:
    void copy(CudaQueue& cuda, const BufferView& src, const BufferView& dst) const {
        auto rows = dst.covers.height;
        const auto in = dst.covers.width * static_cast<std::int64_t>(bytes_per_pixel(src.format)),
                   out = dst.covers.width * static_cast<std::int64_t>(bytes_per_pixel(dst.format));
        CopyParameters p{address_of(src),
                         address_of(dst),
                         static_cast<std::int64_t>(src.pitch),
                         static_cast<std::int64_t>(dst.pitch),
                         std::min(in, out),
                         0,
                         0,
                         0,
                         0};
        p.fold = static_cast<int>(in / p.unit);
        p.spread = static_cast<int>(out / p.unit);
        const bool alike = in == out;
        if (alike && p.src_pitch == in && p.dst_pitch == out && in * rows <= kMostWords) // one long row
            p.unit *= rows, rows = 1;
        const auto word = word_bytes(p, rows, alike);
        p.words_per_row = static_cast<std::uint32_t>(p.unit / word);
        // As many launches as it takes to count their words in 32 bits.
        for (const auto band = std::max<std::int64_t>(1, kMostWords / p.words_per_row); rows > 0;
             rows -= band) {
            p.words = static_cast<std::uint32_t>(p.words_per_row * std::min(band, rows));
            // Every resident thread has a word; beyond that, several each.
            const auto threads = std::max((std::int64_t{p.words} + kAtOnce - 1) / kAtOnce,
                                          std::min<std::int64_t>(p.words, resident_));
            void* arguments[] = {&p};
            cuda.launch(streaming_ ? kernel_for<true>(word) : kernel_for<false>(word),
                        static_cast<unsigned>((threads + kThreads - 1) / kThreads), kThreads, 0, arguments);
            p.src += band * p.src_pitch;
            p.dst += band * p.dst_pitch;
        }
    }

    /// The widest access that all rows allow.
    static std::int64_t word_bytes(const CopyParameters& p, std::int64_t rows, bool alike) {
        const auto pitches = rows > 1 ? p.src_pitch | p.dst_pitch : 0;
        const auto places = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p.src) |
                                                      reinterpret_cast<std::uintptr_t>(p.dst)) |
                            pitches;
        for (const std::int64_t bytes : {16, 4})
            if (places % bytes == 0 && p.unit >= bytes && (alike || p.unit % bytes == 0)) return bytes;
        return 1;
    }

    static constexpr std::int64_t kMostWords = std::int64_t{1} << 31;

    bool streaming_;
    std::int64_t resident_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& size = std::get<ImageStep>(request).size; // keeps a row's byte count in 32 bits
    return std::max(size.width, size.height) >= kLongestSide ? "the image is 2^28 or more pixels wide or high"
                                                             : std::string();
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

template <bool streaming>
std::shared_ptr<const Plan> plan(const PlanStep&, Engine& engine, const PlanContext&) {
    return std::make_shared<CopyPlan>(streaming, cuda_engine(engine).limits());
}

constexpr Algorithm kCopy{"limit:copy",        "Copy",  "Reads and writes the bytes of a request",
                          "16 bytes a thread", why_not, cost,
                          plan<false>},
    kStreaming{"limit:copy_streaming",
               "Streaming copy",
               "Reads and writes the bytes of a request, marked to be evicted first from the cache",
               "16 bytes a thread, ld.global.cs and st.global.cs",
               why_not,
               cost,
               plan<true>};

} // namespace

std::span<const Algorithm* const> copies() {
    static constexpr const Algorithm* all[] = {&kCopy, &kStreaming};
    return all;
}

} // namespace kg::gpu
