// cuDNN for filter banks, which is what it is made for: one call per item, in the algorithm that its find
// mode measures as the fastest. Two algorithms: products and sums in f32, and factors rounded to the 10 bits
// of TF32.
//
// It takes planes without gaps. Rows of other pitches are copied, outputs are copied back, and the time of
// both is included.

#include "core/request/bank_request.hpp"
#include "core/support/error.hpp"
#include "peers/cudnn/binding.hpp"
#include "peers/support/bank_limits.hpp"
#include "peers/support/gpu_peer.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace kg::peers {

namespace {

using namespace cudnn;

/// Consecutive channels.
struct Channels {
    std::int64_t count = 0;
    Extent size;

    std::size_t row_bytes() const { return static_cast<std::size_t>(size.width) * sizeof(float); }
    std::int64_t rows() const { return count * size.height; }
    std::size_t bytes() const { return aligned(row_bytes() * static_cast<std::size_t>(rows())); }
    bool are_in(const BufferView& view) const {
        return view.tensor->column_stride == sizeof(float) && view.pitch == row_bytes() &&
               view.covers == whole(size) &&
               (count == 1 ||
                view.tensor->channel_stride == row_bytes() * static_cast<std::size_t>(size.height));
    }
};

/// Copies the rectangle `part` of every channel between a view, which covers it, and channels at `packed`.
void copy_part(Queue& queue, const BufferView& view, const Channels& channels, const Rect& part,
               std::byte* packed, bool to_view) {
    if (view.tensor->column_stride != sizeof(float))
        throw Error("interleaved-channels", "cuDNN's planes are copied row by row: NCHW is needed");
    const auto row = channels.row_bytes(), part_bytes = static_cast<std::size_t>(part.width) * sizeof(float);
    for (std::int64_t c = 0; c < channels.count; ++c) {
        const Rows in_view{address_of(view) + static_cast<std::size_t>(c) * view.tensor->channel_stride +
                               static_cast<std::size_t>(part.y - view.covers.y) * view.pitch +
                               static_cast<std::size_t>(part.x - view.covers.x) * sizeof(float),
                           view.pitch};
        const Rows own{packed + static_cast<std::size_t>(c * channels.size.height + part.y) * row +
                           static_cast<std::size_t>(part.x) * sizeof(float),
                       row};
        copy_rows(queue, to_view ? in_view : own, to_view ? own : in_view, part_bytes, part.height);
    }
}

class CudnnBankPlan final : public Plan {
public:
    CudnnBankPlan(const BankRequest& r, Engine& engine, int math)
        : queue_(engine.queue()), // before cuDNN: makes the engine's device current
          from_{r.channels, r.size}, to_{r.filters, output_size(r)}, weights_(on_device(engine, r.weights)) {
        const auto describe = [](const Object& tensor, const Channels& c) {
            check(calls().set_tensor(tensor.get(), kNchw, kFloat, 1, static_cast<int>(c.count),
                                     static_cast<int>(c.size.height), static_cast<int>(c.size.width)));
        };
        describe(from_shape_, from_);
        describe(to_shape_, to_);
        if (!r.bias.empty()) {
            bias_ = on_device(engine, r.bias);
            describe(bias_shape_, {r.filters, {1, 1}});
        }
        const auto number = [](std::int64_t n) { return static_cast<int>(n); };
        check(calls().set_filter(weights_shape_.get(), kFloat, kNchw, number(r.filters),
                                 number(group_channels(r)), number(r.kernel.height), number(r.kernel.width)));
        check(calls().set_convolution(layer_.get(), number(r.padding.top), number(r.padding.left),
                                      number(r.stride.rows), number(r.stride.columns),
                                      number(r.dilation.rows), number(r.dilation.columns), kCorrelation,
                                      kFloat));
        check(calls().set_groups(layer_.get(), number(r.groups)));
        check(calls().set_math(layer_.get(), math));
        choose(engine, math);
        queue_.reset();
    }

    /// Whole items only: a rectangle is cut from a whole result.
    Needs needs(const Rect&) const override {
        return {whole(from_.size), from_.bytes() + to_.bytes() + work_bytes_, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const std::lock_guard lock(one_at_a_time_); // the stream is part of the handle's state
        auto* const own = address_of(scratch);
        check(calls().set_stream(handle_.get(), stream_of(queue)));
        for (const auto& item : items) { // one after the other, so that they share the scratch
            const auto* x = own;
            if (from_.are_in(item.src)) x = address_of(item.src);
            else copy_part(queue, item.src, from_, whole(from_.size), own, false);
            const bool straight = to_.are_in(item.dst);
            auto* const y = straight ? address_of(item.dst) : own + from_.bytes();
            forward(x, y, own + from_.bytes() + to_.bytes());
            if (!straight) copy_part(queue, item.dst, to_, item.dst.covers, y, true);
        }
    }

private:
    void forward(const std::byte* x, std::byte* y, std::byte* work) const {
        constexpr float kOne = 1, kZero = 0; // y = 1 * result + 0 * y
        check(calls().forward(handle_.get(), &kOne, from_shape_.get(), x, weights_shape_.get(),
                              address_of(weights_), layer_.get(), algorithm_,
                              work_bytes_ > 0 ? work : nullptr, work_bytes_, &kZero, to_shape_.get(), y));
        if (bias_.memory)
            check(calls().add(handle_.get(), &kOne, bias_shape_.get(), address_of(bias_), &kOne,
                              to_shape_.get(), y));
    }

    /// The fastest in moderate memory that gives the same bytes every time, as cuDNN measures it.
    void choose(Engine& engine, int math) {
        constexpr std::size_t kMostWork = std::size_t{1} << 30;
        const auto most = std::min(kMostWork, facts_of(engine).memory_bytes / 8);
        const auto allocated = [&](std::size_t bytes) {
            return BufferView{engine.allocate(bytes), 0, bytes, {}, {0, 0, 1, 1}};
        };
        const auto x = allocated(from_.bytes()), y = allocated(to_.bytes()), work = allocated(most);
        check(calls().set_stream(handle_.get(), stream_of(*queue_)));
        std::array<Ranked, 8> found{};
        int count = 0;
        check(calls().find(handle_.get(), from_shape_.get(), address_of(x), weights_shape_.get(),
                           address_of(weights_), layer_.get(), to_shape_.get(), address_of(y),
                           static_cast<int>(found.size()), &count, found.data(), address_of(work), most));
        const auto all = std::span(found).first(
            static_cast<std::size_t>(std::clamp(count, 0, static_cast<int>(found.size()))));
        const auto best = std::ranges::find_if(all, [&](const Ranked& r) { // the fastest first
            return r.status == 0 && r.determinism == kDeterministic && r.memory <= most;
        });
        if (best == all.end()) throw Error("no-algorithm", "cuDNN has no algorithm for this bank");
        algorithm_ = best->algorithm;
        check(calls().set_math(layer_.get(), math == kFmaMath ? kFmaMath : best->math));
        check(calls().work_bytes(handle_.get(), from_shape_.get(), weights_shape_.get(), layer_.get(),
                                 to_shape_.get(), algorithm_, &work_bytes_));
        queue_->fence().wait();
    }

    std::unique_ptr<Queue> queue_; ///< used while the plan is made
    Channels from_, to_;
    BufferView weights_, bias_; ///< no bias: no memory
    Object handle_{"cudnnCreate", "cudnnDestroy"},
        from_shape_{"cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"},
        to_shape_{"cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"},
        bias_shape_{"cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"},
        weights_shape_{"cudnnCreateFilterDescriptor", "cudnnDestroyFilterDescriptor"},
        layer_{"cudnnCreateConvolutionDescriptor", "cudnnDestroyConvolutionDescriptor"};
    int algorithm_ = kImplicitGemm;
    std::size_t work_bytes_ = 0;
    mutable std::mutex one_at_a_time_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<BankRequest>(step);
    if (r.border != Border::zero || r.padding.top != r.padding.bottom || r.padding.left != r.padding.right)
        return "it pads with zeros, and as many on both sides";
    return why_not_in_32_bits(r);
}

Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

template <int math>
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<CudnnBankPlan>(std::get<BankRequest>(step), engine, math);
}

/// As those for images (peers/cudnn.cpp).
double error(const PlanStep& step) { return 2e-5 * absolute_weights(std::get<BankRequest>(step)); }
double tf32_error(const PlanStep& step) { return 0x1p-9 * absolute_weights(std::get<BankRequest>(step)); }

} // namespace

extern const Algorithm kCudnnBank, kCudnnBankTf32;
const Algorithm kCudnnBank{
    "cudnn:bank",     "cuDNN, fp32", "A convolutional layer in the algorithm that cuDNN's find mode prefers",
    "NVIDIA cuDNN 9", why_not,       cost,
    plan<kFmaMath>,   false,         error};
const Algorithm kCudnnBankTf32{
    "cudnn:bank_tf32",  "cuDNN, TF32", "The same on tensor cores, factors rounded to 10 bits",
    "NVIDIA cuDNN 9",   why_not,       cost,
    plan<kDefaultMath>, false,         tf32_error};

} // namespace kg::peers
