#pragma once
// The contract of every algorithm: buffers, plans, queues, engines.
// One operation supports strips, processing out of core, preview, cancellation and chains in cache: compute
// the outputs in a rectangle of an image of a given whole size.

#include "core/image/image.hpp"
#include "core/image/tensor.hpp"
#include "core/plan/completion.hpp"
#include "core/plan/cost_corrections.hpp"
#include "core/plan/plan_context.hpp"
#include "core/request/request.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg {

/// Memory of one engine.
class Buffer {
public:
    virtual ~Buffer() = default;
    virtual std::size_t size() const = 0;
    /// nullptr if a CPU cannot access the memory; then only upload() and download() reach it.
    virtual std::byte* host() = 0;
};

/// A rectangle of an image, or of every channel of a tensor, in a buffer. Pixel (covers.x, covers.y) is at
/// `offset`; rows are `pitch` bytes apart.
struct BufferView {
    std::shared_ptr<Buffer> memory;
    std::size_t offset = 0, pitch = 0;
    PixelFormat format; ///< format of the pixels of an image
    Rect covers;
    std::optional<TensorFormat> tensor{}; ///< set for signals and filter banks, whose `format` has no meaning

    /// A view of a smaller rectangle of the same image or tensor in the same memory.
    BufferView crop(const Rect& part) const;
    /// From the first byte to the last, the padding between rows and behind the last one included.
    std::size_t size_in_bytes() const;
};

/// One image, or one item of a tensor's batch.
struct Item {
    BufferView src; ///< covers at least needs(dst.covers).source
    BufferView dst; ///< covers = the requested outputs
};

struct Needs {
    Rect source;                   ///< the input pixels that the outputs depend on, borders resolved
    std::size_t scratch_bytes = 0; ///< for one item
    /// Outputs computed in strips that begin at multiples of this have identical bytes.
    std::int64_t row_quantum = 1;
};

class Queue;
class Engine;

/// A request prepared for execution. Immutable: any number of queues and threads may run it at the same time.
/// Owns no scratch.
class Plan {
public:
    virtual ~Plan() = default;
    /// `output` must lie in the image and must not be empty.
    virtual Needs needs(const Rect& output) const = 0;
    /// Enqueues the work without waiting or allocating. `scratch` holds at least needs().scratch_bytes per
    /// item, aligned to 256 bytes. All items have the same rectangles, so that engines can batch them.
    virtual void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const = 0;

    /// Ids of the algorithms, in order, joined by " > "; of a ComposedPlan, those of the composed filter.
    std::string algorithm;
    std::string reason; ///< the choice of the planner and its reason, as text
};

/// Estimated time of an algorithm, accurate enough for ranking; infinity = only when forced.
struct Cost {
    double microseconds = 0;
    static constexpr double kOnlyWhenForced = std::numeric_limits<double>::infinity();
};

/// One algorithm: one constant object per file under algorithms/.
struct Algorithm {
    std::string_view id, title, summary, source;
    /// Empty = supported; otherwise a message. The step's alpha is straight or kept.
    std::string (*why_not)(const PlanStep&, const Engine&);
    Cost (*cost)(const PlanStep&, const Engine&); ///< pure
    std::shared_ptr<const Plan> (*plan)(const PlanStep&, Engine&, const PlanContext&);
    /// True if it computes whole requests (the reference). The planner does not cut the request then; the
    /// step is the whole request.
    bool whole_requests = false;
    /// Null for algorithms that follow the rules for sums (semantics 11 and 12). Otherwise the largest error
    /// of a sample of the step, relative to the largest sample, or to full scale for integers; 0 for steps
    /// that follow those rules. A Fourier transform of floats returns what semantics 12 allows it. An
    /// algorithm with a larger error must refuse requests without a tolerance (why_not). Pure.
    double (*error)(const PlanStep&) = nullptr;
};

/// A sequence of work on one engine. Its calls enqueue and return; work runs in order. Not thread-safe.
class Queue {
public:
    virtual ~Queue() = default;
    /// The host memory must stay valid and unchanged until a later fence is ready. Sizes and formats must
    /// match.
    virtual void upload(const ConstImageView& from, const BufferView& to) = 0;
    virtual void download(const BufferView& from, const ImageView& to) = 0;
    /// The same for tensors of one size and type on both sides, whatever their strides. Engines without
    /// algorithms for signals transfer none, and throw Error.
    virtual void upload_tensor(const ConstTensorView& from, const BufferView& to);
    virtual void download_tensor(const BufferView& from, const TensorView& to);
    /// Runs a plan with the scratch of the queue. Work that has not begun when `stop` is requested is
    /// skipped, and the next fence throws Cancelled.
    virtual void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                     std::stop_token stop = {}) = 0;
    /// Later work waits for the completion, which may belong to another queue or engine.
    virtual void after(const Completion& completion) = 0;
    /// Begins a named span that ends at the next mark or fence.
    virtual void mark(std::string span) = 0;
    /// `wake` is called once, from any thread, when all work so far is done or has failed. It must not block
    /// or throw.
    virtual Completion fence(std::function<void()> wake = {}) = 0;

    /// For plans: calls the branches, functions that record work on this queue, independent of each other,
    /// which may run at the same time. Later work waits for all. A branch calls neither this nor after(),
    /// mark() or fence().
    virtual void record_independent(std::span<const std::function<void()>> branches) {
        for (const auto& branch : branches) branch();
    }
};

enum class BufferKind : std::uint8_t {
    device,  ///< memory in which the engine computes
    staging, ///< host memory of the fastest transfers; host() is never nullptr
};

struct DeviceInfo {
    std::string id;          ///< "cpu", "cuda"
    std::string name;        ///< name of the processor
    std::string description; ///< cores and SIMD target; or memory, compute capability and driver
    std::size_t memory_bytes = 0;
    std::size_t strip_bytes = 0;  ///< upper bound for the results between steps: the cache, or memory
    std::size_t memory_limit = 0; ///< limit set for the buffers of this engine; 0 = none
    std::string compute_capability{}, driver{}; ///< GPUs only: "9.0", "CUDA 13.0"
    bool host_memory = false;                   ///< computes on host memory, in place: nothing is transferred
    /// What a step of a few rows or columns takes at least, however many of them run at the same time: a GPU
    /// is nearly empty, and what runs waits for memory.
    double small_step_us = 0;
};

enum class Priority : std::uint8_t { normal, high };

class PlansInUse;

/// One device and the algorithms on it. Thread-safe.
class Engine {
public:
    Engine();
    virtual ~Engine() = default;
    virtual const DeviceInfo& device() const = 0;
    /// Empty = usable; otherwise the cause and the remedy, and every other call throws Unavailable. May
    /// change, because a device can fail for good (DeviceLost).
    virtual std::string usable() const = 0;
    /// Throws std::bad_alloc if memory is short.
    virtual std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind = BufferKind::device) = 0;
    virtual std::unique_ptr<Queue> queue(Priority priority = Priority::normal) = 0;
    /// In order of preference at equal cost.
    virtual std::span<const Algorithm* const> algorithms() const = 0;
    /// Those for signals, in a list of their own: the ids repeat those of images (`direct`, `reference`).
    virtual std::span<const Algorithm* const> signal_algorithms() const { return {}; }
    /// Those for filter banks, likewise.
    virtual std::span<const Algorithm* const> bank_algorithms() const { return {}; }
    /// Those for volumes.
    virtual std::span<const Algorithm* const> volume_algorithms() const { return {}; }
    /// The factors by which this device is slower than the algorithms' formulas estimate; none by default.
    virtual const CostCorrections& cost_corrections() const;

    /// For the planner (core/plan/plans_in_use.hpp).
    PlansInUse& plans_in_use() const { return *plans_in_use_; }

private:
    std::shared_ptr<PlansInUse> plans_in_use_;
};

/// A view of a new buffer for the rectangle `covers` of an image, with rows aligned to 256 bytes.
BufferView allocate_view(Engine& engine, const PixelFormat& format, const Rect& covers,
                         BufferKind kind = BufferKind::device);

/// The same for a tensor whose channels are planes, one behind the other.
BufferView allocate_tensor(Engine& engine, Element element, std::int64_t channels, const Rect& covers,
                           BufferKind kind = BufferKind::device);

/// The pitch of views of images.
std::size_t buffer_pitch(std::int64_t width, const PixelFormat& format);

/// Throws Error unless the buffer holds an image, and host image and buffer have the same size, depth and
/// channels. For queues.
void check_transfer(const ConstImageView& host, const BufferView& buffer);

/// Throws Error unless the buffer holds a tensor of the same size, element and channels. For queues.
void check_tensor_transfer(const ConstTensorView& host, const BufferView& buffer);

/// The input pixels that the outputs in `output` depend on through one stage, for an image of this size.
Rect source_rect(const Stage& stage, Border border, Extent size, const Rect& output);

} // namespace kg
