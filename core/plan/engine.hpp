#pragma once
// The contract that every way of computing stands behind (design section 2): buffers, plans, queues, engines.
//
// One idea carries strips, out-of-memory, preview, cancellation and cache-sized chains:
// compute the outputs that a rectangle covers of a picture of a given whole size.

#include "core/plan/completion.hpp"
#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg {

/// Bytes on one engine.
class Buffer {
public:
    virtual ~Buffer() = default;
    virtual std::size_t size() const = 0;
    /// nullptr where a CPU must not touch the bytes; then only upload() and download() reach them.
    virtual std::byte* host() = 0;
};

/// A rectangle of a picture, in a buffer. The pixel (covers.x, covers.y) is at `offset`, rows are `pitch` apart.
struct BufferView {
    std::shared_ptr<Buffer> memory;
    std::size_t offset = 0, pitch = 0;
    PixelFormat format;
    Rect covers;

    /// The same memory, seen as a smaller rectangle of the same picture.
    BufferView crop(const Rect& part) const;
    std::size_t size_in_bytes() const;
};

struct Item {
    BufferView src; ///< covers at least needs(dst.covers).source
    BufferView dst; ///< covers = the outputs wanted
};

struct Needs {
    Rect source;                   ///< the input pixels that the outputs depend on, borders resolved
    std::size_t scratch_bytes = 0; ///< for one item
    std::int64_t row_quantum =
        1; ///< outputs computed in strips that start at multiples of this have equal bytes
};

class Queue;
class Engine;

/// A request made ready to run. Immutable: any number of queues and threads may run one at a time. Owns no scratch.
class Plan {
public:
    virtual ~Plan() = default;
    /// `output` lies in the picture and is not empty.
    virtual Needs needs(const Rect& output) const = 0;
    /// Enqueues the work: no wait, no allocation. `scratch` holds at least needs().scratch_bytes per item, 256-byte
    /// aligned; items have the same rectangles, so that engines can batch them.
    virtual void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const = 0;

    std::string algorithm; ///< ids of what runs, in order, joined by " > "
    std::string reason;    ///< what auto chose and why, in words
};

/// A guess of the time an algorithm takes, good enough to rank; infinity = never by itself, only when forced.
struct Cost {
    double microseconds = 0;
    static constexpr double kOnlyWhenForced = std::numeric_limits<double>::infinity();
};

/// One way of computing; one constant object per file under algorithms/.
struct Algorithm {
    std::string_view id, title, summary, source;
    /// Empty = supported; otherwise a sentence. `request` is a step: its alpha is straight or kept.
    std::string (*why_not)(const Request&, const Engine&);
    Cost (*cost)(const Request&, const Engine&); ///< pure
    std::shared_ptr<const Plan> (*plan)(const Request&, Engine&);
    /// True if it carries out whole requests by itself (the reference): the planner then cuts nothing.
    bool whole_requests = false;
    /// Null for ways that obey the rules for sums (semantics 11 and 12). The others say here how far a step's samples may be
    /// off: a part of the largest sample, for integers of full scale; 0 for steps in which they obey those rules too. A
    /// Fourier transform of floats says what semantics 12 allows it; whoever says more keeps to requests with a tolerance
    /// (why_not). Pure.
    double (*error)(const Request&) = nullptr;
};

/// An ordered lane of work on one engine: its calls enqueue and return. One thread at a time.
class Queue {
public:
    virtual ~Queue() = default;
    /// The host memory must stay valid and unchanged until a later fence is ready. Sizes and formats must agree.
    virtual void upload(const ConstImageView& from, const BufferView& to) = 0;
    virtual void download(const BufferView& from, const ImageView& to) = 0;
    /// Runs a plan with the queue's own scratch. Work not yet begun when `stop` is requested is skipped, and the
    /// next fence throws Cancelled.
    virtual void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                     std::stop_token stop = {}) = 0;
    /// What follows waits for the completion, which may be another queue's or another engine's.
    virtual void after(const Completion& completion) = 0;
    /// Begins a named span that lasts until the next mark or fence.
    virtual void mark(std::string span) = 0;
    /// `wake` is called once from any thread when everything so far is done or has failed; it must not block or throw.
    virtual Completion fence(std::function<void()> wake = {}) = 0;
};

enum class BufferKind : std::uint8_t {
    device,  ///< where the engine computes
    staging, ///< host memory that the engine transfers from fastest; host() is never nullptr
};

struct DeviceInfo {
    std::string id;          ///< "cpu", "cuda"
    std::string name;        ///< of the processor
    std::string description; ///< cores and SIMD target, or memory, compute capability and driver
    std::size_t memory_bytes = 0;
    std::size_t strip_bytes = 0;  ///< scratch of a chain is kept within this, so that it stays in cache
    std::size_t memory_limit = 0; ///< that was set for this engine's buffers; 0 = none
    std::string compute_capability{}, driver{}; ///< of GPUs: "9.0", "CUDA 13.0"
};

enum class Priority : std::uint8_t { normal, high };

/// One device and the algorithms on it. Thread-safe.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const DeviceInfo& device() const = 0;
    /// Empty = usable; otherwise why not and what would help. Every other call throws Unavailable then. May change: a
    /// device can fail for good (DeviceLost) while it is used.
    virtual std::string usable() const = 0;
    /// Throws std::bad_alloc when the memory is not there.
    virtual std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind = BufferKind::device) = 0;
    virtual std::unique_ptr<Queue> queue(Priority priority = Priority::normal) = 0;
    /// In the order of preference at equal cost.
    virtual std::span<const Algorithm* const> algorithms() const = 0;
};

/// A view of a new buffer that holds `covers` of a picture, rows aligned to 256 bytes.
BufferView allocate_view(Engine& engine, const PixelFormat& format, const Rect& covers,
                         BufferKind kind = BufferKind::device);

/// The pitch of such views.
std::size_t buffer_pitch(std::int64_t width, const PixelFormat& format);

/// Throws Error unless the two sides of a transfer have the same size, depth and channels. For queues.
void check_transfer(const ConstImageView& host, const BufferView& buffer);

/// The input pixels that `output` of a picture of this size depends on through one stage.
Rect source_rect(const Stage& stage, Border border, Extent size, const Rect& output);

} // namespace kg
