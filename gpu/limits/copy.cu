// What filtering cannot beat: every byte of the input read once, every byte of the output written once, 16 bytes at a time
// where the rows allow it, and enough of them under way to keep the memory busy.
//
// Two ways, since neither is always the best: `limit:copy` lets its bytes pass through the cache as filters do, and
// `limit:copy_streaming` marks them as those to evict first, because it never comes back to them.

#include "gpu/runtime/device.hpp"
#include "gpu/kernels/stage.hpp"
#include "gpu/limits.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kThreads = 256;
constexpr int kAtOnce = 4; // pieces that a thread reads before it writes the first

struct CopyParameters {
    const std::byte* src;
    std::byte* dst;
    std::int64_t src_pitch, dst_pitch;
    std::int64_t unit;                    ///< the lesser of the two sides' bytes in a row
    std::uint32_t pieces, pieces_per_row; ///< of a unit; what is left of a row goes with its last piece
    int fold, spread;                     ///< units in a row of input and of output; one of them is 1
};

template <bool Streaming, typename Piece>
__device__ Piece load(const Piece* from) {
    if constexpr (Streaming) return __ldcs(from);
    else return *from;
}
template <bool Streaming, typename Piece>
__device__ void store(Piece* to, Piece piece) {
    if constexpr (Streaming) __stcs(to, piece);
    else *to = piece;
}

__device__ void add(uint4& sum, const uint4& piece) {
    sum.x ^= piece.x, sum.y ^= piece.y, sum.z ^= piece.z, sum.w ^= piece.w;
}
template <typename Piece>
__device__ void add(Piece& sum, Piece piece) {
    sum ^= piece;
}

template <typename Piece, bool Streaming>
__global__ void __launch_bounds__(kThreads, 4) copy_pieces(const __grid_constant__ CopyParameters p) {
    constexpr std::int64_t kBytes = sizeof(Piece);
    const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; first < p.pieces;
         first += kAtOnce * threads) {
        std::int64_t from[kAtOnce], to[kAtOnce], left[kAtOnce]; // left: bytes of the row behind the piece
        bool here[kAtOnce];
        Piece piece[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            here[k] = first + k * threads < p.pieces;
            const auto i = static_cast<std::uint32_t>(first + k * threads);
            const std::int64_t row = i / p.pieces_per_row;
            const std::int64_t column = std::int64_t{i % p.pieces_per_row} * kBytes;
            from[k] = row * p.src_pitch + column;
            to[k] = row * p.dst_pitch + column;
            left[k] = p.unit - column - kBytes;
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (here[k]) piece[k] = load<Streaming>(reinterpret_cast<const Piece*>(p.src + from[k]));
#pragma unroll 1
        for (int f = 1; f < p.fold; ++f) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                if (here[k])
                    add(piece[k],
                        load<Streaming>(reinterpret_cast<const Piece*>(p.src + from[k] + f * p.unit)));
        }
#pragma unroll 1
        for (int s = 0; s < p.spread; ++s) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                if (here[k]) store<Streaming>(reinterpret_cast<Piece*>(p.dst + to[k] + s * p.unit), piece[k]);
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

/// The kernel for pieces of `bytes`.
template <bool Streaming>
const void* kernel_for(std::int64_t bytes) {
    if (bytes == 16) return reinterpret_cast<const void*>(&copy_pieces<uint4, Streaming>);
    if (bytes == 4) return reinterpret_cast<const void*>(&copy_pieces<unsigned, Streaming>);
    return reinterpret_cast<const void*>(&copy_pieces<unsigned char, Streaming>);
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
        if (alike && p.src_pitch == in && p.dst_pitch == out && in * rows <= kMostPieces) // one long row
            p.unit *= rows, rows = 1;
        const auto piece = piece_bytes(p, rows, alike);
        p.pieces_per_row = static_cast<std::uint32_t>(p.unit / piece);
        // Rows in as many launches as their pieces can be counted in.
        for (const auto band = std::max<std::int64_t>(1, kMostPieces / p.pieces_per_row); rows > 0;
             rows -= band) {
            p.pieces = static_cast<std::uint32_t>(p.pieces_per_row * std::min(band, rows));
            // Every thread that fits has a piece; beyond that, several each.
            const auto threads = std::max((std::int64_t{p.pieces} + kAtOnce - 1) / kAtOnce,
                                          std::min<std::int64_t>(p.pieces, resident_));
            void* arguments[] = {&p};
            cuda.launch(streaming_ ? kernel_for<true>(piece) : kernel_for<false>(piece),
                        static_cast<unsigned>((threads + kThreads - 1) / kThreads), kThreads, 0, arguments);
            p.src += band * p.src_pitch;
            p.dst += band * p.dst_pitch;
        }
    }

    /// The widest access that all rows allow.
    static std::int64_t piece_bytes(const CopyParameters& p, std::int64_t rows, bool alike) {
        const auto pitches = rows > 1 ? p.src_pitch | p.dst_pitch : 0;
        const auto places = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p.src) |
                                                      reinterpret_cast<std::uintptr_t>(p.dst)) |
                            pitches;
        for (const std::int64_t bytes : {16, 4})
            if (places % bytes == 0 && p.unit >= bytes && (alike || p.unit % bytes == 0)) return bytes;
        return 1;
    }

    static constexpr std::int64_t kMostPieces = std::int64_t{1} << 31;

    bool streaming_;
    std::int64_t resident_;
};

std::string why_not(const Request& request, const Engine&) {
    const auto& size =
        std::get<ImageRequest>(request).size; // so that a row's bytes can be counted in 32 bits
    return std::max(size.width, size.height) >= kLongestSide
               ? "a side of the picture is 2^28 pixels or longer"
               : std::string();
}
Cost cost(const Request&, const Engine&) { return {Cost::kOnlyWhenForced}; }

template <bool streaming>
std::shared_ptr<const Plan> plan(const Request&, Engine& engine) {
    return std::make_shared<CopyPlan>(streaming, cuda_engine(engine).limits());
}

constexpr Algorithm kCopy{"limit:copy",        "Copy",  "Reads and writes the bytes of a request",
                          "16 bytes a thread", why_not, cost,
                          plan<false>},
    kStreaming{"limit:copy_streaming",
               "Streaming copy",
               "Reads and writes the bytes of a request, which the cache is told to evict first",
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
