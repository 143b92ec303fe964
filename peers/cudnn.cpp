// cuDNN 9, NVIDIA's neural network functions, loaded at run time: a filter is a convolution layer of one
// channel, the image's channels are its batch. Two algorithms: exact products and sums in f32, and factors
// rounded to the 10 bits of TF32. The cuDNN algorithm is chosen before timing begins, by trying the two that
// support everything and those that cuDNN's own heuristic ranks first.
//
// cuDNN takes planes of floats and supports no border but zeros. Kernels of ours convert other borders, bytes
// and interleaved channels (support/device.cu), and their time is included; an f32 image of one channel and
// whole rows under `zero` is used without conversion.

#include "peers/peers.hpp"

#include "core/request/sample.hpp"
#include "core/support/error.hpp"
#include "peers/cudnn/binding.hpp"
#include "peers/support/gpu_peer.hpp"
#include "peers/support/remembered.hpp"
#include "peers/support/trials.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace kg::peers {

extern const Algorithm kCudnnBank, kCudnnBankTf32; // cudnn/banks.cpp

namespace {

using namespace cudnn;

/// A batch of consecutive planes.
struct Shape {
    int count, height, width;
    std::size_t bytes() const {
        return aligned(static_cast<std::size_t>(count) * static_cast<std::size_t>(height) *
                       static_cast<std::size_t>(width) * sizeof(float));
    }
    Planes planes(std::byte* data) const {
        return {reinterpret_cast<float*>(data), width, height, width, std::int64_t{width} * height};
    }
};

/// How a layer is computed.
struct Setting {
    int algorithm = kImplicitGemm, math = kFmaMath;
    std::size_t work_bytes = 0;
    bool is_same_algorithm(const Setting& other) const {
        return algorithm == other.algorithm && math == other.math;
    }
};

/// Key of the fastest setting: device, math, and the sizes of batch, input, output and kernel.
using Layer = std::array<int, 9>;
Remembered<Layer, Setting>& known_settings() {
    static Remembered<Layer, Setting> all;
    return all;
}

/// True where cuDNN's own padding is our border.
bool pads_itself(const ImageStep& step, const Reach& r) {
    return step.border == Border::zero && r.left == r.right && r.up == r.down;
}

class CudnnPlan final : public Plan {
public:
    CudnnPlan(const ImageStep& step, Engine& engine, int math, bool marks, const PlanContext& context)
        : step_(step), marks_(marks), reach_(reach(step.stages.front())),
          pads_itself_(pads_itself(step, reach_)),
          queue_(engine.queue()), // before cuDNN: makes the engine's device current
          offset_(offset_in(step.stages.front(), step.in)) {
        auto k = taps(step.stages.front().kernels.front());
        for (float& w : k.weights) w /= k.divisor;
        weights_ = on_device(engine, k.weights);

        to_ = {step.in.channels, static_cast<int>(step.size.height), static_cast<int>(step.size.width)};
        from_ = to_;
        if (!pads_itself_) from_.height += reach_.up + reach_.down, from_.width += reach_.left + reach_.right;
        const auto describe = [](const Object& tensor, const Shape& s) {
            check(calls().set_tensor(tensor.get(), kNchw, kFloat, s.count, 1, s.height, s.width));
        };
        describe(from_shape_, from_);
        describe(to_shape_, to_);
        check(calls().set_filter(weights_shape_.get(), kFloat, kNchw, 1, 1, k.height, k.width));
        check(calls().set_convolution(layer_.get(), pads_itself_ ? reach_.up : 0,
                                      pads_itself_ ? reach_.left : 0, 1, 1, 1, 1, kCorrelation, kFloat));
        choose(engine, math,
               {facts_of(engine).device, math, to_.count, from_.height, from_.width, to_.height, to_.width,
                k.height, k.width},
               context);
        queue_.reset();
    }

    /// Whole images only: a rectangle is cut from a whole result.
    Needs needs(const Rect&) const override {
        return {whole(step_.size), from_.bytes() + to_.bytes() + setting_.work_bytes, step_.size.height};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const std::lock_guard lock(one_at_a_time_); // the stream is part of the handle's state
        auto* own = address_of(scratch);
        const auto from = from_.planes(own), to = to_.planes(own + from_.bytes());
        check(calls().set_stream(handle_.get(), stream_of(queue)));
        for (const auto& item : items) { // one after the other, so that they share the scratch
            const auto src = item.src.crop(whole(step_.size));
            const float* x = from.data;
            if (pads_itself_ && lies_as_wanted(src)) x = reinterpret_cast<const float*>(address_of(src));
            else extend(queue, src, step_.border, pads_itself_ ? Reach{} : reach_, from);
            const bool straight = offset_ == 0.0f && lies_as_wanted(item.dst);
            float* y = straight ? reinterpret_cast<float*>(address_of(item.dst)) : to.data;
            if (marks_) queue.mark(kOwnWork);
            run(setting_, x, y, own + from_.bytes() + to_.bytes());
            if (marks_) queue.mark("bringing back");
            if (!straight) finish(queue, to, 1, offset_, item.dst);
        }
    }

private:
    bool lies_as_wanted(const BufferView& view) const {
        return view.format.depth == Depth::f32 && view.format.channels == 1 &&
               view.covers == whole(step_.size) &&
               view.pitch == static_cast<std::size_t>(step_.size.width) * sizeof(float);
    }

    void run(const Setting& setting, const float* x, float* y, std::byte* work) const {
        constexpr float kOne = 1, kZero = 0; // y = 1 * result + 0 * y
        check(calls().forward(handle_.get(), &kOne, from_shape_.get(), x, weights_shape_.get(),
                              address_of(weights_), layer_.get(), setting.algorithm,
                              setting.work_bytes > 0 ? work : nullptr, setting.work_bytes, &kZero,
                              to_shape_.get(), y));
    }

    /// Settings that give the same bytes every time: first the two that support everything, then those that
    /// cuDNN expects to be fastest. Its transforms in tiles of 32 are excluded: judging by their trial times
    /// (H200, cuDNN 9), layers of one channel go tile by tile, 26 us each, which is 13 s for a 31 x 31 kernel
    /// at 1920 x 1080, where products take 4 ms.
    std::vector<Setting> candidates(int math) const {
        std::vector<Setting> all{{kImplicitPrecompGemm, math, 0}, {kImplicitGemm, math, 0}};
        check(calls().set_math(layer_.get(), math));
        std::array<Ranked, 4> ranked{};
        int count = 0;
        if (calls().rank(handle_.get(), from_shape_.get(), weights_shape_.get(), layer_.get(),
                         to_shape_.get(), static_cast<int>(ranked.size()), &count, ranked.data()) != 0)
            count = 0; // the heuristic failed
        count = std::clamp(count, 0, static_cast<int>(ranked.size()));
        for (const auto& r : std::span(ranked).first(static_cast<std::size_t>(count))) {
            if (r.status != 0 || r.determinism != kDeterministic || r.algorithm == kFftTiling) continue;
            const Setting setting{r.algorithm, math == kFmaMath ? kFmaMath : r.math, 0};
            if (std::ranges::none_of(all, [&](const Setting& s) { return s.is_same_algorithm(setting); }))
                all.push_back(setting);
        }
        return all;
    }

    /// Takes the fastest setting that works in moderate memory.
    void choose(Engine& engine, int math, const Layer& layer, const PlanContext& context) {
        if (const auto known = known_settings().find(layer)) {
            setting_ = *known;
            check(calls().set_math(layer_.get(), setting_.math));
            return;
        }
        constexpr std::size_t kMostWork = std::size_t{2} << 30;
        const auto most = std::min(kMostWork, facts_of(engine).memory_bytes / 8);
        const auto allocated = [&](std::size_t bytes) {
            return BufferView{engine.allocate(bytes), 0, bytes, {}, {0, 0, 1, 1}};
        };
        const auto x = allocated(from_.bytes()), y = allocated(to_.bytes());
        check(calls().set_stream(handle_.get(), stream_of(*queue_)));
        Trials trials(*queue_, context);
        std::optional<Setting> best;
        bool all_tried = true;
        for (auto candidate : candidates(math)) {
            if (!trials.may_go_on()) {
                all_tried = false;
                break;
            }
            check(calls().set_math(layer_.get(), candidate.math));
            const bool does = calls().work_bytes(handle_.get(), from_shape_.get(), weights_shape_.get(),
                                                 layer_.get(), to_shape_.get(), candidate.algorithm,
                                                 &candidate.work_bytes) == 0;
            if (!does || candidate.work_bytes > most) continue;
            const auto work = allocated(std::max<std::size_t>(candidate.work_bytes, 1));
            try {
                if (trials.is_fastest([&] {
                        run(candidate, reinterpret_cast<const float*>(address_of(x)),
                            reinterpret_cast<float*>(address_of(y)), address_of(work));
                    }))
                    best = candidate;
            } catch (const Refusal&) {
                // cuDNN reports only now that it does not support this setting.
            }
        }
        if (!best) throw Error("no-algorithm", "cuDNN has no algorithm for this image and kernel");
        setting_ = *best;
        check(calls().set_math(layer_.get(), setting_.math));
        if (all_tried) known_settings().keep(layer, setting_);
    }

    ImageStep step_;
    bool marks_;
    Reach reach_;
    bool pads_itself_;
    std::unique_ptr<Queue> queue_; ///< used while the plan is made
    float offset_;
    BufferView weights_;
    Shape from_{}, to_{};
    Object handle_{"cudnnCreate", "cudnnDestroy"},
        from_shape_{"cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"},
        to_shape_{"cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"},
        weights_shape_{"cudnnCreateFilterDescriptor", "cudnnDestroyFilterDescriptor"},
        layer_{"cudnnCreateConvolutionDescriptor", "cudnnDestroyConvolutionDescriptor"};
    Setting setting_;
    mutable std::mutex one_at_a_time_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_for_gpu_peers(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    const auto r = reach(step.stages.front());
    const auto samples = (step.size.width + r.left + r.right) * (step.size.height + r.up + r.down) *
                         step.in.channels;
    return samples > std::numeric_limits<int>::max() ? "it counts samples in 32 bits" : "";
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
template <int math, bool marks>
std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext& context) {
    return std::make_shared<CudnnPlan>(std::get<ImageStep>(request), engine, math, marks, context);
}
/// Sums in an order of its own, or by transforms (Winograd's, Fourier's) in small tiles.
double error(const PlanStep& request) { return 2e-5 * absolute_gain(std::get<ImageStep>(request)); }
/// Both factors of a product keep 10 bits behind the point, rounded or cut off: each is off by 2^-10 of
/// itself at most.
double tf32_error(const PlanStep& request) { return 0x1p-9 * absolute_gain(std::get<ImageStep>(request)); }

template <bool marks>
constexpr Algorithm kFp32{"cudnn:fp32",
                          "cuDNN, fp32",
                          "Any kernel as a convolution layer; laying out planes and borders is included",
                          "NVIDIA cuDNN 9",
                          why_not,
                          cost,
                          plan<kFmaMath, marks>,
                          false,
                          error};
template <bool marks>
constexpr Algorithm kTf32{"cudnn:tf32",
                          "cuDNN, TF32",
                          "The same on tensor cores, factors rounded to 10 bits",
                          "NVIDIA cuDNN 9",
                          why_not,
                          cost,
                          plan<kDefaultMath, marks>,
                          false,
                          tf32_error};
constexpr const Algorithm *kAlgorithms[] = {&kFp32<false>, &kTf32<false>},
                          *kMarked[] = {&kFp32<true>, &kTf32<true>},
                          *kBanks[] = {&kCudnnBank, &kCudnnBankTf32};

std::string absent() {
    auto why = why_no_cuda();
    return why.empty() ? library().absent() : why;
}
std::string version() {
    const auto number = calls().version();
    return std::to_string(number / 10000) + "." + std::to_string(number % 10000 / 100) + "." +
           std::to_string(number % 100);
}

} // namespace

extern const Peer kCudnn{"cudnn", "cuDNN", "cuda", absent, version, kAlgorithms, true, kMarked, {}, kBanks};

} // namespace kg::peers
