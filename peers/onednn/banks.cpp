// oneDNN for filter banks: its direct convolution, one call per item, spread over the engine's threads.
//
// oneDNN chooses the layouts: mostly channels in blocks of a vector. Weights are brought into theirs while
// the plan is made. Items of any strides are brought into theirs, and results back, by oneDNN itself, and
// the time of both is included.

#include "core/image/batch.hpp"
#include "core/image/copy_tensor.hpp"
#include "core/request/bank_request.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/runtime/thread_limit.hpp"
#include "peers/onednn/binding.hpp"
#include "peers/support/bank_limits.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace kg::peers {

namespace {

using namespace onednn;

/// Memory from a multiple of 64 bytes on.
class Block {
public:
    void resize(std::size_t bytes) {
        if (all_.size() < bytes + kStep) all_.resize(bytes + kStep);
    }
    void* data() {
        void* at = all_.data();
        auto room = all_.size();
        return std::align(kStep, room - kStep, at, room);
    }

private:
    static constexpr std::size_t kStep = 64;
    std::vector<std::byte> all_;
};

Shape shape_in(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
    Shape shape;
    check(calls().shape_by_strides(&shape, static_cast<int>(extents.size()), extents.data(), kFloat,
                                   strides.data()));
    return shape;
}

/// Of consecutive numbers.
Shape dense_shape(const std::vector<std::int64_t>& extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (auto i = extents.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * extents[i];
    return shape_in(extents, strides);
}

/// In the layout that oneDNN prefers.
Shape any_shape(const std::vector<std::int64_t>& extents) {
    Shape shape;
    check(calls().shape_by_tag(&shape, static_cast<int>(extents.size()), extents.data(), kFloat, kAnyLayout));
    return shape;
}

/// An item's view with strides of its own.
Shape shape_of(const TensorView& view) {
    const auto numbers = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes / sizeof(float)); };
    const auto channel = numbers(view.format.channel_stride), row = numbers(view.pitch),
               column = numbers(view.format.column_stride);
    const auto& [width, height] = view.size;
    const auto item = std::max({channel * view.format.channels, row * height, column * width});
    return shape_in({1, view.format.channels, height, width}, {item, channel, row, column});
}

Object memory_at(const Shape& shape, const Object& engine, void* address) {
    return {"dnnl_memory_destroy",
            [&](void** made) { return calls().make_memory(made, &shape, engine.get(), address); }};
}

Object primitive_of(const Object& chosen) {
    return {"dnnl_primitive_destroy",
            [&](void** made) { return calls().make_primitive(made, chosen.get()); }};
}

/// Brings numbers from one layout into another.
class Reorder {
public:
    Reorder(const Shape& from, const Shape& to, const Object& engine)
        : engine_(engine), from_(from), to_(to),
          primitive_(primitive_of({"dnnl_primitive_desc_destroy", [&](void** made) {
                                       return calls().choose_reorder(made, &from_, engine.get(), &to_,
                                                                     engine.get(), nullptr);
                                   }})) {}

    bool is_from(const Shape& from) const { return calls().same_shape(&from_, &from) != 0; }
    bool is_to(const Shape& to) const { return calls().same_shape(&to_, &to) != 0; }
    void run(const Object& stream, void* from, void* to) const {
        const auto source = memory_at(from_, engine_, from), result = memory_at(to_, engine_, to);
        const Argument arguments[] = {{kSource, source.get()}, {kResult, result.get()}};
        check(calls().execute(primitive_.get(), stream.get(), 2, arguments));
    }

private:
    const Object& engine_;
    Shape from_, to_;
    Object primitive_;
};

std::vector<std::int64_t> weight_extents(const BankRequest& r) {
    if (r.groups == 1) return {r.filters, r.channels, r.kernel.height, r.kernel.width};
    return {r.groups, group_filters(r), group_channels(r), r.kernel.height, r.kernel.width};
}

Object make_cpu() {
    return {"dnnl_engine_destroy", [](void** made) { return calls().make_engine(made, kCpu, 0); }};
}

/// The convolution of one item, in the implementation and layouts that oneDNN prefers.
Object choose(const BankRequest& r, const Object& engine) {
    const auto output = output_size(r);
    const auto source = any_shape({1, r.channels, r.size.height, r.size.width}),
               result = any_shape({1, r.filters, output.height, output.width}),
               weights = any_shape(weight_extents(r)), bias = dense_shape({r.filters});
    const std::int64_t strides[] = {r.stride.rows, r.stride.columns},
                       skipped[] = {r.dilation.rows - 1, r.dilation.columns - 1},
                       before[] = {r.padding.top, r.padding.left},
                       behind[] = {r.padding.bottom, r.padding.right};
    Convolution layer;
    check(calls().convolution(&layer, kForward, kDirect, &source, &weights, r.bias.empty() ? nullptr : &bias,
                              &result, strides, skipped, before, behind));
    const Object attributes("dnnl_primitive_attr_destroy", calls().make_attributes);
    check(calls().set_scratch_mode(attributes.get(), kOwnScratch));
    return {"dnnl_primitive_desc_destroy", [&](void** made) {
                return calls().choose(made, &layer, attributes.get(), engine.get(), nullptr);
            }};
}

/// True for banks that oneDNN computes in its reference implementation alone, such as groups with weights of
/// 39 x 39: it takes minutes for one item, and cannot be stopped.
bool takes_minutes(const BankRequest& r) {
    constexpr double kMostProducts = 1e8; // of a second or two
    const auto output = output_size(r);
    if (static_cast<double>(output.width) * static_cast<double>(output.height) *
            static_cast<double>(r.filters * term_count(r)) <
        kMostProducts)
        return false;
    const auto engine = make_cpu();
    const auto chosen = choose(r, engine);
    const char* name = "";
    check(calls().query(chosen.get(), kImplementationOf, 0, static_cast<void*>(&name)));
    return std::string_view(name).starts_with("ref");
}

class OnednnBankPlan final : public Plan, public std::enable_shared_from_this<OnednnBankPlan> {
public:
    OnednnBankPlan(const BankRequest& r, int threads)
        : size_(r.size), output_(output_size(r)), filters_(r.filters),
          threads_(cpu::limit_threads(threads, 0, 1)), bias_(r.bias), engine_(make_cpu()) {
        const Threads limit(threads_); // it divides the work while it chooses
        chosen_ = choose(r, engine_);
        primitive_ = primitive_of(chosen_);
        keep_weights(r);
    }

    /// Whole items only: a rectangle is cut from a whole result.
    Needs needs(const Rect&) const override { return {whole(size_), 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<cpu::HostQueue&>(queue);
        host.enqueue(
            [&host, self = shared_from_this(), batch = std::vector<Item>(items.begin(), items.end())](
                const cpu::HostQueue::Context& context) { self->run(host, batch, context.stop); });
    }

private:
    void keep_weights(const BankRequest& r) {
        weights_.resize(calls().shape_bytes(&shape(kWeightsOf)));
        const auto given = dense_shape(weight_extents(r));
        auto from = r.weights;
        const auto stream = make_stream();
        Reorder(given, shape(kWeightsOf), engine_).run(stream, from.data(), weights_.data());
        check(calls().wait(stream.get()));
    }

    /// Lives as long as the plan.
    const Shape& shape(int which) const { return *calls().shape_of(chosen_.get(), which, 0); }
    Object make_stream() const {
        return {"dnnl_stream_destroy",
                [&](void** made) { return calls().make_stream(made, engine_.get(), kInOrder); }};
    }

    void run(const cpu::HostQueue& host, const std::vector<Item>& items, const std::stop_token& stop) const {
        thread_local Block source, result, scratch, dense;
        source.resize(calls().shape_bytes(&shape(kSourceOf)));
        result.resize(calls().shape_bytes(&shape(kResultOf)));
        scratch.resize(calls().shape_bytes(&shape(kScratchOf)));
        const Threads limit(threads_);
        const auto stream = make_stream();
        std::optional<Reorder> in, out; // those of a batch mostly have the same strides
        for (const auto& item : items) {
            if (stop.stop_requested()) throw Cancelled();
            const auto from = host.tensor(item.src), to = host.tensor(item.dst);
            void* x = from.data;
            if (const auto given = shape_of(from); !calls().same_shape(&given, &shape(kSourceOf))) {
                if (!in || !in->is_from(given)) in.emplace(given, shape(kSourceOf), engine_);
                in->run(stream, from.data, x = source.data());
            }
            const bool all = item.dst.covers == whole(output_);
            auto target = to;
            if (!all) {
                dense.resize(static_cast<std::size_t>(filters_ * output_.width * output_.height) *
                             sizeof(float));
                target = batch_item(static_cast<float*>(dense.data()), {1, filters_, output_}, Layout::nchw,
                                    0);
            }
            const auto wanted = shape_of(target);
            const bool straight = calls().same_shape(&wanted, &shape(kResultOf)) != 0;
            void* const y = straight ? target.data : result.data();
            forward(stream, x, y, scratch.data());
            if (!straight) {
                if (!out || !out->is_to(wanted)) out.emplace(shape(kResultOf), wanted, engine_);
                out->run(stream, y, target.data);
            }
            check(calls().wait(stream.get()));
            if (!all) {
                target.data = target.at(item.dst.covers.x, item.dst.covers.y);
                target.size = to.size;
                copy_tensor(target, to);
            }
        }
    }

    void forward(const Object& stream, void* x, void* y, void* scratch) const {
        const auto source = memory_at(shape(kSourceOf), engine_, x),
                   result = memory_at(shape(kResultOf), engine_, y),
                   weights = memory_at(shape(kWeightsOf), engine_, weights_.data()),
                   room = memory_at(shape(kScratchOf), engine_, scratch);
        std::vector<Argument> arguments{{kSource, source.get()},
                                        {kResult, result.get()},
                                        {kWeights, weights.get()},
                                        {kScratch, room.get()}};
        Object bias;
        if (!bias_.empty()) {
            bias = memory_at(dense_shape({filters_}), engine_, bias_.data());
            arguments.push_back({kBias, bias.get()});
        }
        check(calls().execute(primitive_.get(), stream.get(), static_cast<int>(arguments.size()),
                              arguments.data()));
    }

    Extent size_, output_;
    std::int64_t filters_;
    int threads_;
    mutable std::vector<float> bias_; ///< oneDNN only reads them
    mutable Block weights_;
    Object engine_, chosen_, primitive_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<BankRequest>(step);
    if (r.border != Border::zero) return "it pads with zeros";
    if (auto why = why_not_in_32_bits(r); !why.empty() || !library().absent().empty()) return why;
    try {
        return takes_minutes(r) ? "oneDNN has only its reference implementation for this bank" : "";
    } catch (const Error& e) {
        return e.what();
    }
}

Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<OnednnBankPlan>(std::get<BankRequest>(step), cpu::threads_of(engine));
}

/// A sum in f32 in any order: each of its terms and the bias passes at most one rounding per term, half an
/// eps of a partial sum.
double error(const PlanStep& step) {
    const auto& r = std::get<BankRequest>(step);
    return static_cast<double>(term_count(r) + 1) * absolute_weights(r) *
           static_cast<double>(std::numeric_limits<float>::epsilon());
}

} // namespace

extern const Algorithm kOnednnConvolution;
const Algorithm kOnednnConvolution{
    "onednn:convolution",
    "oneDNN, direct",
    "A convolutional layer; items are brought into blocks of channels and back",
    "oneDNN 2",
    why_not,
    cost,
    plan,
    false,
    error};

} // namespace kg::peers
