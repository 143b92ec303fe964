// Convolution as a product of spectra, transformed by cuFFT: the cost hardly depends on the kernel size.
//
// The image is cut into tiles; a frame holds a tile and the kernels' reach around it (overlap-save,
// gpu/kernels/fourier/overlap_save.hpp). As many frames as half of the L2 cache holds are laid out, border
// resolved, transformed, multiplied by the kernels' spectra, which the plan keeps, transformed back and
// written to the image before the next ones are processed, so that no intermediate result goes through the
// GPU's memory. An output costs about 5 log2(N) operations for each transform of N samples in each direction
// and 6 for the product, times the ratio of frame to tile: about 200 operations for 31 x 31, where the taps
// are 1922, and hardly more for 255 x 255, where they are 130050. Up to about 20 x 20 `tiled` is faster.
//
// Numbers are float32 where semantics 12 allows the rounding error of a transform, or where rounding an
// integer sum removes it. They are float64 elsewhere, and for images so small that launching takes longer
// than computing. Integers therefore come out as from every other algorithm. Samples that must not be
// transformed are added tap by tap (gpu/kernels/fourier/frames.cuh).

#include "core/request/step.hpp"
#include "gpu/kernels/fourier/cufft_transform.hpp"
#include "gpu/kernels/fourier/frames.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <bit>

namespace kg::gpu {

namespace {

std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// The kernels of one precision, for the depths of a step.
struct Launches {
    const void *lay_out, *finish, *lay_out_taps, *conjugate, *multiply;
};
template <typename Number>
Launches launches_of(const ImageStep& step) {
    return with_all_samples(step.in, step.out, [](auto in, auto out) {
        using In = decltype(in);
        using Out = decltype(out);
        const auto address = [](auto* kernel) { return reinterpret_cast<const void*>(kernel); };
        return Launches{address(&lay_out_frames<In, Number>), address(&finish_tiles<In, Out, Number>),
                        address(&lay_out_taps<Number>), address(&conjugate_and_scale<Number>),
                        address(&multiply_spectra<Number>)};
    });
}

Frames frames_of(const ImageStep& step, const CufftChoice& choice) {
    const auto& t = choice.tiling;
    Frames f{};
    f.width = t.frame_width, f.height = t.frame_height;
    f.row = 2 * spectrum_width(f.width), f.size = f.row * f.height;
    f.tile_width = t.tile_width, f.tile_height = t.tile_height;
    f.squares_across = (f.width + kSquare - 1) / kSquare;
    f.squares = f.squares_across * ((f.height + kSquare - 1) / kSquare);
    f.channels = std::popcount(computed_channels(step));
    f.at_once = t.at_once;
    f.largest = is_integer(step.in.depth) ? static_cast<float>(full_scale(step.in)) : choice.largest_sample;
    f.noise = choice.noise;
    f.whole_sums = choice.whole_sums;
    const int alpha = step.out.alpha;
    f.divided = step.out.premultiplied && alpha >= 0 && (computed_channels(step) >> alpha & 1u);
    return f;
}

class CufftPlan final : public StagePlan {
public:
    CufftPlan(const ImageStep& step, Engine& engine, const CufftChoice& choice)
        : StagePlan(step, pack(step, false)), precision_(choice.precision),
          launches_(precision_ == Precision::float32 ? launches_of<float>(step) : launches_of<double>(step)),
          frames_(frames_of(step, choice)), weights_(device_copy(packed().weights, engine)),
          there_(transform(engine, frames_.at_once * frames_.channels, Direction::forward)),
          back_(transform(engine, kernels() * frames_.at_once * frames_.channels, Direction::inverse)),
          spectra_(make_spectra(engine)) {}

    /// Computes whole tiles, whatever region of them is requested, so that every rectangle has the bytes of
    /// the whole.
    Needs needs(const Rect& output) const override {
        const auto tiles = whole_tiles(frames_.tile_width, frames_.tile_height, output);
        auto needs = StagePlan::needs(intersect(tiles, whole(step().size)));
        needs.scratch_bytes = frame_bytes() + square_bytes() +
                              aligned(std::max(there_->work_bytes(), back_->work_bytes()));
        needs.row_quantum = frames_.tile_height;
        return needs;
    }

private:
    int kernels() const { return packed().common.kernel_count; }
    /// Bytes of all frames that are in memory at once.
    std::size_t frame_bytes() const {
        return aligned(static_cast<std::size_t>(kernels()) * static_cast<std::size_t>(frames_.at_once) *
                       static_cast<std::size_t>(frames_.channels) * static_cast<std::size_t>(frames_.size) *
                       bytes(precision_));
    }
    std::size_t square_bytes() const {
        return aligned(static_cast<std::size_t>(frames_.at_once) *
                       static_cast<std::size_t>(frames_.channels) *
                       static_cast<std::size_t>(frames_.squares) * sizeof(float));
    }
    std::shared_ptr<const Transform> transform(const Engine& engine, int count, Direction direction) const {
        return shared_transform(
            {cuda_engine(engine).index(), frames_.width, frames_.height, count, precision_, direction});
    }

    /// The kernels' spectra, complete on return.
    std::shared_ptr<CudaBuffer> make_spectra(Engine& engine) const {
        const auto device_bytes = [&](std::size_t count) {
            return std::dynamic_pointer_cast<CudaBuffer>(engine.allocate(count, BufferKind::device));
        };
        const auto forward = transform(engine, kernels(), Direction::forward);
        const auto numbers = std::int64_t{kernels()} * frames_.size;
        auto spectra = device_bytes(static_cast<std::size_t>(numbers) * bytes(precision_));
        const auto work = device_bytes(std::max<std::size_t>(forward->work_bytes(), 1));
        make_current(cuda_engine(engine).index());
        const Stream stream;
        const WaitAtEnd wait(stream); // also when a call fails: before the memory is freed
        auto common = packed().common;
        auto f = frames_;
        const auto* weights = weights_->device_address();
        auto* data = spectra->device_address();
        void* taps[] = {&common, &f, &weights, &data};
        check(cudaLaunchKernel(launches_.lay_out_taps,
                               {static_cast<unsigned>(f.squares), 1, static_cast<unsigned>(kernels())},
                               kSquareThreads, taps, 0, stream.get()));
        forward->enqueue(stream.get(), data, work->device_address());
        auto count = numbers / 2;
        const double samples = static_cast<double>(f.width) * f.height;
        auto as_float = static_cast<float>(samples);
        auto as_double = samples;
        void* scaling[] = {&data, &count,
                           precision_ == Precision::float32 ? static_cast<void*>(&as_float) : &as_double};
        check(cudaLaunchKernel(launches_.conjugate,
                               {static_cast<unsigned>((count + kSpectrumThreads - 1) / kSpectrumThreads)},
                               {kSpectrumThreads}, scaling, 0, stream.get()));
        check(cudaStreamSynchronize(stream.get()));
        return spectra;
    }

    /// Processes item after item and run of tiles after run, all in the same scratch.
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto f = frames_;
        set_tiles(f, parameters.common, f.tile_width);
        for (int which = 0; which < static_cast<int>(count); ++which)
            for (f.first = 0; f.first < f.tiles; f.first += f.at_once) {
                if (queue.stop_requested()) return;
                run(queue, parameters.common, which, f, scratch);
            }
    }

    void run(CudaQueue& queue, StageCommon& c, int which, Frames& f, std::byte* scratch) const {
        std::byte *frames = scratch, *squares = scratch + frame_bytes(), *work = squares + square_bytes();
        const auto* weights = weights_->device_address();
        const auto* spectra = spectra_->device_address();
        const auto at_once = static_cast<unsigned>(f.at_once);
        void* laying_out[] = {&c, &which, &f, &frames, &squares};
        queue.launch(launches_.lay_out, {static_cast<unsigned>(f.squares), 1, at_once}, kSquareThreads, 0,
                     laying_out);
        there_->enqueue(queue.stream(), frames, work);

        int count = f.at_once * f.channels, numbers = f.size / 2, kernel_count = kernels();
        void* multiplying[] = {&frames, &count, &numbers, &spectra, &kernel_count};
        queue.launch(launches_.multiply,
                     {static_cast<unsigned>((numbers + kSpectrumThreads - 1) / kSpectrumThreads),
                      static_cast<unsigned>((count + kFramesEach - 1) / kFramesEach)},
                     {kSpectrumThreads}, 0, multiplying);
        back_->enqueue(queue.stream(), frames, work);

        const auto squares_of = [](int length) {
            return static_cast<unsigned>((length + kSquare - 1) / kSquare);
        };
        void* finishing[] = {&c, &which, &f, &frames, &squares, &weights};
        queue.launch(launches_.finish, {squares_of(f.tile_width) * squares_of(f.tile_height), 1, at_once},
                     kSquareThreads, 0, finishing);
    }

    Precision precision_;
    Launches launches_;
    Frames frames_; ///< except the rectangle of tiles
    std::shared_ptr<CudaBuffer> weights_;
    std::shared_ptr<const Transform> there_, back_;
    std::shared_ptr<CudaBuffer> spectra_;
};

CufftChoice choice_for(const ImageStep& step, const Engine& engine) {
    return choose_cufft(step, cuda_engine(engine).limits().cache_bytes,
                        room_for_frames(engine.device().memory_limit, kMostFrameBytes));
}

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float64); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (computed_channels(step) == 0) return "there is no channel to transform";
    if (const auto& why = why_no_cufft(); !why.empty()) return why;
    return choice_for(step, engine).why_not;
}

Cost cost(const PlanStep& request, const Engine& engine) {
    return {choice_for(std::get<ImageStep>(request), engine).tiling.microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<CufftPlan>(with_whole_sums(step), engine, choice_for(step, engine));
}

double error(const PlanStep& request) { return fourier_error(std::get<ImageStep>(request)); }

} // namespace

extern const Algorithm kCufft{"cufft",
                              "Fourier (cuFFT)",
                              "Any kernel as a product of spectra, tile by tile in the cache",
                              "overlap-save (Oppenheim and Schafer 2010, 8.7), NVIDIA cuFFT 12",
                              why_not,
                              cost,
                              plan,
                              false,
                              error};

} // namespace kg::gpu
