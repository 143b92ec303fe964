#include "app/process/pool/filter_pool.hpp"

#include "core/image/copy_pixels.hpp"
#include "core/image/image_memory.hpp"
#include "core/plan/parts.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/wrapped_image.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <new>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kShapes = 16; ///< number of plans that are kept
/// Lanes per shape: one computes while another uploads and a third downloads. Small images have one lane
/// less, so that more of them share a launch.
constexpr int kLanes = 3;
/// Limits of one launch: it holds several small images, or one large image.
constexpr std::size_t kLaunchBytes = std::size_t{32} << 20, kLaunchItems = 64;

std::size_t images_in_a_launch(const ImageRequest& request) {
    const auto bytes = (buffer_pitch(request.size.width, request.in) +
                        buffer_pitch(request.size.width, request.out)) *
                       static_cast<std::size_t>(request.size.height);
    return std::clamp<std::size_t>(kLaunchBytes / bytes, 1, kLaunchItems);
}

/// The GPU or cuFFT refused a launch of several images.
class SharedLaunchRefused : public Error {
public:
    explicit SharedLaunchRefused(const Error& cause) : Error(cause, "", "") {}
    static bool is_caused_by(const Error& error) {
        return error.code() == "cuda-error" || error.code() == "cufft-failed";
    }
};

} // namespace

struct FilterPool::Waiting {
    ConstImageView image;
    ImageView result;
    bool done = false;
    std::exception_ptr failure{};
};

struct FilterPool::Shape {
    ImageRequest request;
    std::shared_ptr<const Plan> plan;
    const std::size_t most = images_in_a_launch(request);
    const int lanes = most > 1 ? kLanes - 1 : kLanes;
    std::deque<Waiting*> waiting{};
    int leading = 0; ///< threads that lead a launch
};

/// A queue, and on a GPU the buffers for the images of one launch.
struct FilterPool::Lane {
    explicit Lane(Engine& engine) : queue(engine.queue()) {}

    std::vector<Item> items;
    std::unique_ptr<Queue> queue; // destroyed before its buffers

    void fit(Engine& engine, const ImageRequest& request, std::size_t count) {
        const auto fits = [&](const Item& item) {
            return item.src.covers == whole(request.size) && item.src.format == request.in &&
                   item.dst.format == request.out;
        };
        if (!items.empty() && !fits(items.front())) items.clear();
        while (items.size() < count)
            items.push_back({allocate_view(engine, request.in, whole(request.size)),
                             allocate_view(engine, request.out, whole(request.size))});
    }
};

/// Counts the device as busy while it exists.
class FilterPool::Launch {
public:
    explicit Launch(FilterPool& pool) : pool_(pool) {
        const std::lock_guard lock(pool_.mutex_);
        pool_.most_at_once_ = std::max(pool_.most_at_once_, ++pool_.at_once_);
    }
    ~Launch() {
        const std::lock_guard lock(pool_.mutex_);
        --pool_.at_once_;
        pool_.launch_seconds_ += seconds_since(began_);
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

private:
    FilterPool& pool_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

FilterPool::FilterPool(EngineChoice choice, std::string algorithm)
    : choice_(std::move(choice)), algorithm_(std::move(algorithm)) {}

FilterPool::~FilterPool() = default;

JobOutcome FilterPool::run(const ImageRequest& request, const ConstImageView& image,
                           ImageMemorySource* memory) {
    const auto& device = choice_.engine->device();
    const bool in_place = computes_in_place(device);
    if (device.host_memory && !in_place) return run_job(choice_, request, image, algorithm_, {}, memory);
    try {
        const auto shape = shape_of(request);
        JobOutcome outcome;
        outcome.image = Image(request.size, request.out, memory);
        if (in_place) run_in_place(*shape, image, outcome.image);
        else outcome.report.spans.push_back({"wait", run_together(shape, image, outcome.image)});
        outcome.engine = choice_.engine;
        outcome.algorithm = shape->plan->algorithm;
        outcome.reason = shape->plan->reason;
        return outcome;
    } catch (const std::bad_alloc&) {      // in parts it takes less memory
    } catch (const NoAlgorithm&) {         // the fallback may have an algorithm
    } catch (const Unavailable&) {         // so may it where the device is lost
    } catch (const SharedLaunchRefused&) { // a launch of one image may be small enough
    }
    const Launch launch(*this);
    const auto began = std::chrono::steady_clock::now();
    auto outcome = run_job(choice_, request, image, algorithm_, {}, memory);
    outcome.report.spans.clear(); // spans of the engine's clock may overlap
    if (!outcome.engine->device().host_memory)
        outcome.report.spans.push_back({"wait", microseconds_since(began)});
    return outcome;
}

std::size_t FilterPool::launches() const {
    const std::lock_guard lock(mutex_);
    return launches_;
}

double FilterPool::busy_seconds() const {
    const std::lock_guard lock(mutex_);
    return choice_.engine->device().host_memory || most_at_once_ == 0 ? 0 : launch_seconds_ / most_at_once_;
}

std::size_t FilterPool::waiting() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& shape : shapes_) count += shape->waiting.size();
    return count;
}

std::shared_ptr<FilterPool::Shape> FilterPool::shape_of(const ImageRequest& request) {
    std::shared_ptr<Shape> made;
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            const auto known = std::ranges::find(shapes_, request,
                                                 [](const auto& shape) { return shape->request; });
            if (known != shapes_.end()) { // another thread may have planned it meanwhile
                std::rotate(known, known + 1, shapes_.end());
                return shapes_.back();
            }
            if (made) {
                if (shapes_.size() >= kShapes) shapes_.erase(shapes_.begin());
                shapes_.push_back(made);
                return made;
            }
        }
        made = std::make_shared<Shape>(
            Shape{request, peers::plan_with_peers(*choice_.engine, request, algorithm_)});
    }
}

std::unique_ptr<FilterPool::Lane> FilterPool::take_lane() {
    {
        const std::lock_guard lock(mutex_);
        if (!lanes_.empty()) {
            auto lane = std::move(lanes_.back());
            lanes_.pop_back();
            return lane;
        }
    }
    return std::make_unique<Lane>(*choice_.engine);
}

void FilterPool::give_back(std::unique_ptr<Lane> lane) {
    const std::lock_guard lock(mutex_);
    lanes_.push_back(std::move(lane));
    ++launches_;
}

/// For an engine that computes in host memory: the images are not transferred.
void FilterPool::run_in_place(const Shape& shape, const ConstImageView& image, Image& result) {
    auto lane = take_lane();
    const Item item{wrap_image(image, whole(image.size)), wrap_image(result.view(), whole(result.size()))};
    lane->queue->run(shape.plan, {&item, 1});
    lane->queue->fence().wait(); // a lane that failed is not returned
    give_back(std::move(lane));
}

/// Images in memory that the engine transfers without a copy are used in place. Other images are staged in
/// the memory of the result, which they have left when the result arrives. Returns the microseconds in which
/// this thread was idle.
double FilterPool::run_together(const std::shared_ptr<Shape>& shape, const ConstImageView& image,
                                Image& result) {
    Waiting own{image, result.view()};
    const auto in_pitch = aligned_pitch(image.size.width, image.format);
    const bool fits = in_pitch * static_cast<std::size_t>(image.size.height) <= result.size_in_bytes();
    if (fits && !is_from_source(image.data) && is_from_source(own.result.data)) {
        const ImageView in_flight{own.result.data, in_pitch, image.size, image.format};
        copy_pixels(image, in_flight);
        own.image = in_flight;
    }
    const auto began = std::chrono::steady_clock::now();
    wait_for(*shape, own);
    const auto waited = microseconds_since(began);
    if (own.failure) std::rethrow_exception(own.failure);
    return waited;
}

/// A thread that finds a free lane takes all waiting images with it; the others wait to be taken.
void FilterPool::wait_for(Shape& shape, Waiting& own) {
    std::unique_lock lock(mutex_);
    shape.waiting.push_back(&own);
    while (!own.done) {
        if (shape.leading < shape.lanes && !shape.waiting.empty()) lead(shape, lock);
        else changed_.wait(lock);
    }
}

void FilterPool::lead(Shape& shape, std::unique_lock<std::mutex>& lock) {
    const auto& request = shape.request;
    std::vector<Waiting*> taken;
    for (; !shape.waiting.empty() && taken.size() < shape.most; shape.waiting.pop_front())
        taken.push_back(shape.waiting.front());
    ++shape.leading;
    lock.unlock();
    std::exception_ptr failure;
    try {
        const Launch launch(*this);
        auto lane = take_lane();
        lane->fit(*choice_.engine, request, taken.size());
        auto& queue = *lane->queue;
        for (std::size_t i = 0; i < taken.size(); ++i) queue.upload(taken[i]->image, lane->items[i].src);
        queue.run(shape.plan, {lane->items.data(), taken.size()});
        for (std::size_t i = 0; i < taken.size(); ++i) queue.download(lane->items[i].dst, taken[i]->result);
        queue.fence().wait();
        give_back(std::move(lane));
    } catch (const Error& error) {
        failure = taken.size() > 1 && SharedLaunchRefused::is_caused_by(error)
                      ? std::make_exception_ptr(SharedLaunchRefused(error))
                      : std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    --shape.leading;
    for (auto* each : taken) each->done = true, each->failure = failure;
    changed_.notify_all();
}

} // namespace kg
