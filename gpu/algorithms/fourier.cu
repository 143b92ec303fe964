// Convolution as a product of spectra, in three launches with transforms of our own.
//
// Like `cufft` it cuts the image into tiles, and a frame is a tile and the kernel's reach around it
// (overlap-save, gpu/kernels/fourier/overlap_save.hpp), but no frame is laid out for a library. The first
// launch transforms the rows of the frames straight from the image, border resolved; the second transforms
// columns, multiplies by the kernel's spectrum and transforms back; the third transforms the rows back and
// writes the outputs (gpu/kernels/fourier/frame_spectra.cuh, gpu/kernels/fourier/fft.cuh). A number goes
// through the memory four times instead of eight. For floats it is the fastest beyond about 51 x 51, below
// which `fourier_fused` is, at 63 x 63 in a third of the time of cuFFT with plan and kernel spectrum prepared
// (docs/performance.md).
//
// Numbers are float32, so it serves only requests for which semantics 11 and 12 allow that; `cufft` serves
// the rest. Samples that cannot be transformed (NaN, infinity and those that would overflow) are added tap by
// tap, as in `cufft` (gpu/kernels/fourier/frames.cuh).

#include "core/request/step.hpp"
#include "gpu/kernels/fourier/fourier_frames.hpp"
#include "gpu/kernels/fourier/frame_spectra.cuh"
#include "gpu/kernels/fourier/overlap_save.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg::gpu {

namespace {

/// The kernels of one frame size, for the depths of a step.
struct Launches {
    const void *rows, *columns, *outputs, *taps, *spectrum;
    int together; ///< rows or columns per block
};
template <int Size, typename In, typename Out>
Launches launches_of() {
    const auto address = [](auto* kernel) { return reinterpret_cast<const void*>(kernel); };
    return {address(&rows_to_spectra<In, Size>),         address(&multiply_columns<Size>),
            address(&spectra_to_outputs<In, Out, Size>), address(&taps_to_spectra<Size>),
            address(&columns_to_spectrum<Size>),         kTogether<Size>};
}
Launches launches_of(const ImageStep& step, int size) {
    if (size == 2048) return launches_of<2048, float, float>(); // choose_frames()
    return with_all_samples(step.in, step.out, [&](auto in, auto out) {
        using In = decltype(in);
        using Out = decltype(out);
        return size == 256   ? launches_of<256, In, Out>()
               : size == 512 ? launches_of<512, In, Out>()
                             : launches_of<1024, In, Out>();
    });
}

FourierFrames choose(const ImageStep& step, const Engine& engine) {
    return choose_frames(step, engine.device().memory_limit);
}

class FourierPlan final : public StagePlan {
public:
    FourierPlan(const ImageStep& step, Engine& engine, const FourierFrames& choice)
        : StagePlan(step, pack(step, false)), size_(choice.size), launches_(launches_of(step, choice.size)),
          frames_(frames_of(step, choice)), numbers_(twiddles_and_weights(engine)),
          spectrum_(make_spectrum(engine)) {}

    /// Computes whole groups of tiles, whatever region of them is requested, so that every rectangle has the
    /// bytes of the whole.
    Needs needs(const Rect& output) const override {
        const auto tiles = whole_tiles(group_width(), frames_.tile_height, output);
        auto needs = StagePlan::needs(intersect(tiles, whole(step().size)));
        const auto groups = tiles.width / group_width() * (tiles.height / frames_.tile_height);
        needs.scratch_bytes = frame_bytes() + square_bytes(groups);
        needs.row_quantum = frames_.tile_height;
        return needs;
    }

private:
    int group_width() const { return frames_.tile_width * tiles_of_group(step()); }
    unsigned blocks_along(int numbers) const {
        return static_cast<unsigned>((numbers + launches_.together - 1) / launches_.together);
    }
    /// Bytes of all frames that are in memory at once.
    std::size_t frame_bytes() const {
        return static_cast<std::size_t>(frames_.at_once) * static_cast<std::size_t>(pairs_of_group(step())) *
               static_cast<std::size_t>(frames_.size) * sizeof(float2);
    }
    /// For all frames; only floats have squares.
    std::size_t square_bytes(std::int64_t groups) const {
        return is_integer(step().in.depth)
                   ? 0
                   : static_cast<std::size_t>(groups) *
                         static_cast<std::size_t>(2 * pairs_of_group(step()) * frames_.squares) *
                         sizeof(float);
    }
    const float* twiddles() const { return reinterpret_cast<const float*>(numbers_->device_address()); }
    const float* weights() const { return twiddles() + twiddles_; }

    std::shared_ptr<CudaBuffer> twiddles_and_weights(Engine& engine) {
        auto numbers = twiddles_of(size_);
        twiddles_ = numbers.size();
        numbers.insert(numbers.end(), packed().weights.begin(), packed().weights.end());
        return device_copy(numbers, engine);
    }

    /// Complete on return.
    std::shared_ptr<CudaBuffer> make_spectrum(Engine& engine) const {
        auto spectrum = std::dynamic_pointer_cast<CudaBuffer>(
            engine.allocate(static_cast<std::size_t>(frames_.size) * sizeof(float2), BufferKind::device));
        make_current(cuda_engine(engine).index());
        const Stream stream;
        const WaitAtEnd wait(stream); // also when a call fails: before the memory is freed
        auto common = packed().common;
        const auto *own_weights = weights(), *own_twiddles = twiddles();
        auto* frame = spectrum->device_address();
        const dim3 blocks(blocks_along(size_));
        void* taps[] = {&common, &own_weights, &own_twiddles, &frame};
        check(cudaLaunchKernel(launches_.taps, blocks, kBlockThreads, taps, 0, stream.get()));
        const double divisor = frames_.whole_sums ? 1.0 : static_cast<double>(common.kernels[0].divisor);
        auto scale = static_cast<float>(1 / (frames_.size * divisor));
        void* columns[] = {&scale, &own_twiddles, &frame};
        check(cudaLaunchKernel(launches_.spectrum, blocks, kBlockThreads, columns, 0, stream.get()));
        check(cudaStreamSynchronize(stream.get()));
        return spectrum;
    }

    /// Processes item after item and run of tiles after run, all in the same scratch.
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto f = frames_;
        set_tiles(f, parameters.common, group_width());
        auto* squares = scratch + frame_bytes();
        for (int which = 0; which < static_cast<int>(count); ++which) {
            if (const auto bytes = square_bytes(f.tiles); bytes > 0)
                check(cudaMemsetAsync(squares, 0, bytes, queue.stream()));
            for (f.first = 0; f.first < f.tiles; f.first += f.at_once) {
                if (queue.stop_requested()) return;
                run(queue, parameters.common, which, f, scratch, squares + square_bytes(f.first));
            }
        }
    }

    void run(CudaQueue& queue, StageCommon& c, int which, Frames f, std::byte* frames,
             std::byte* squares) const {
        f.at_once = std::min(f.at_once, f.tiles - f.first);
        const auto *own_twiddles = twiddles(), *own_weights = weights();
        const auto* spectrum = spectrum_->device_address();
        const auto pairs = static_cast<unsigned>(f.at_once * pairs_of_group(step()));
        void* reading[] = {&c, &which, &f, &own_twiddles, &frames, &squares};
        queue.launch(launches_.rows, {blocks_along(size_), pairs}, kBlockThreads, 0, reading);
        void* multiplying[] = {&c.stop, &f.tile_height, &own_twiddles, &spectrum, &frames};
        queue.launch(launches_.columns, {blocks_along(size_), pairs}, kBlockThreads, 0, multiplying);
        void* writing[] = {&c, &which, &f, &own_twiddles, &frames, &squares, &own_weights};
        queue.launch(launches_.outputs, {blocks_along(f.tile_height), pairs}, kBlockThreads, 0, writing);
    }

    int size_;
    Launches launches_;
    Frames frames_;            ///< except the rectangle of tiles
    std::size_t twiddles_ = 0; ///< floats of numbers_ before the weights
    std::shared_ptr<CudaBuffer> numbers_, spectrum_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float64); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().kernels.size() != 1) return "it takes one kernel, not several that are combined";
    if (computed_channels(step) == 0) return "there is no channel to transform";
    const auto choice = choose(step, engine);
    if (choice.size == 0)
        return "its frames, for floats at most 2048 x 2048 and otherwise 1024 x 1024, do not hold the "
               "kernel, or not the memory them";
    if (!is_integer(step.out.depth) && !sums_are_whole(step) &&
        step.size.width * step.size.height < kFewestFourierPixels)
        return "so small an image is summed tap by tap as soon, and to the last digit";
    const double gain = absolute_gain(step.stages.front());
    if (!(gain >= 0x1p-60 && gain <= 0x1p60) ||
        !float32_suffices(step, static_cast<double>(choice.size) * choice.size))
        return "what a transform in float32 rounds is more than the rules allow here";
    return {};
}

Cost cost(const PlanStep& request, const Engine& engine) {
    return {choose(std::get<ImageStep>(request), engine).microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<FourierPlan>(with_whole_sums(step), engine, choose(step, engine));
}

double error(const PlanStep& request) { return fourier_error(std::get<ImageStep>(request)); }

} // namespace

extern const Algorithm kFourier{"fourier",
                                "Fourier",
                                "Any kernel as a product of spectra, in three launches",
                                "overlap-save (Oppenheim and Schafer 2010, 8.7)",
                                why_not,
                                cost,
                                plan,
                                false,
                                error};

} // namespace kg::gpu
