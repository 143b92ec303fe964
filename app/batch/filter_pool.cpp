#include "app/batch/filter_pool.hpp"

#include "core/error.hpp"
#include "core/lent_picture.hpp"
#include "measure/peers/peers.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <utility>

namespace kg::batch {

namespace {

constexpr std::size_t kShapes = 16; ///< whose plans are kept
/// Of one shape: while one lane computes, the other has its pictures brought and fetched.
constexpr int kLanes = 2;
/// What one launch may hold: small pictures together, a large one alone.
constexpr std::size_t kLaunchBytes = std::size_t{32} << 20, kLaunchItems = 64;

} // namespace

struct FilterPool::Waiting {
    ConstImageView picture;
    ImageView result;
    bool done = false;
    std::exception_ptr failure{};
};

struct FilterPool::Shape {
    ImageRequest request;
    std::shared_ptr<const Plan> plan;
    std::deque<Waiting*> waiting{};
    int leading = 0; ///< threads that carry out some of them
};

/// A queue, and on a GPU the places for the pictures of one launch.
struct FilterPool::Lane {
    explicit Lane(Engine& engine) : queue(engine.queue()) {}

    std::vector<Item> items;
    std::unique_ptr<Queue> queue; // ends before its buffers

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

FilterPool::FilterPool(EngineChoice choice, std::string algorithm)
    : choice_(std::move(choice)), algorithm_(std::move(algorithm)) {}

FilterPool::~FilterPool() = default;

Outcome FilterPool::run(const ImageRequest& request, const ConstImageView& picture) {
    const auto& device = choice_.engine->device();
    const bool is_cpu = device.id == "cpu";
    if (is_cpu && device.memory_limit > 0) // what lies in place is not counted against it
        return run_job(choice_, request, picture, algorithm_);
    try {
        const auto shape = shape_of(request);
        Outcome outcome;
        outcome.image = Image(request.size, request.out);
        if (is_cpu) run_in_place(*shape, picture, outcome.image);
        else run_together(shape, picture, outcome.image);
        outcome.engine = choice_.engine;
        outcome.algorithm = shape->plan->algorithm;
        outcome.reason = shape->plan->reason;
        return outcome;
    } catch (const std::exception&) { // it says what is wrong, or finds another way
        return run_job(choice_, request, picture, algorithm_);
    }
}

std::size_t FilterPool::launches() const {
    const std::lock_guard lock(mutex_);
    return launches_;
}

std::shared_ptr<FilterPool::Shape> FilterPool::shape_of(const ImageRequest& request) {
    {
        const std::lock_guard lock(mutex_);
        const auto known = std::ranges::find(shapes_, request,
                                             [](const auto& shape) { return shape->request; });
        if (known != shapes_.end()) {
            std::rotate(known, known + 1, shapes_.end());
            return shapes_.back();
        }
    }
    auto made = std::make_shared<Shape>(
        Shape{request, measure::plan_with_peers(*choice_.engine, request, algorithm_)});
    const std::lock_guard lock(mutex_);
    if (shapes_.size() >= kShapes) shapes_.erase(shapes_.begin());
    shapes_.push_back(made);
    return made;
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

/// Where the engine computes in host memory, the pictures need not be brought to it.
void FilterPool::run_in_place(const Shape& shape, const ConstImageView& picture, Image& result) {
    auto lane = take_lane();
    const Item item{lent_picture(picture, nullptr), lent_picture(std::as_const(result).view(), nullptr)};
    lane->queue->run(shape.plan, {&item, 1});
    lane->queue->fence().wait(); // a lane that failed is not given back
    give_back(std::move(lane));
}

/// Whoever finds a lane free takes all that wait with it; the others wait to be taken.
void FilterPool::run_together(const std::shared_ptr<Shape>& shape, const ConstImageView& picture,
                              Image& result) {
    Waiting own{picture, result.view()};
    std::unique_lock lock(mutex_);
    shape->waiting.push_back(&own);
    while (!own.done) {
        if (shape->leading < kLanes && !shape->waiting.empty()) lead(*shape, lock);
        else changed_.wait(lock);
    }
    if (own.failure) std::rethrow_exception(own.failure);
}

void FilterPool::lead(Shape& shape, std::unique_lock<std::mutex>& lock) {
    const auto& request = shape.request;
    const auto bytes = (buffer_pitch(request.size.width, request.in) +
                        buffer_pitch(request.size.width, request.out)) *
                       static_cast<std::size_t>(request.size.height);
    const auto most = std::clamp<std::size_t>(kLaunchBytes / bytes, 1, kLaunchItems);
    std::vector<Waiting*> taken;
    for (; !shape.waiting.empty() && taken.size() < most; shape.waiting.pop_front())
        taken.push_back(shape.waiting.front());
    ++shape.leading;
    lock.unlock();
    std::exception_ptr failure;
    try {
        auto lane = take_lane();
        lane->fit(*choice_.engine, request, taken.size());
        auto& queue = *lane->queue;
        for (std::size_t i = 0; i < taken.size(); ++i) queue.upload(taken[i]->picture, lane->items[i].src);
        queue.run(shape.plan, {lane->items.data(), taken.size()});
        for (std::size_t i = 0; i < taken.size(); ++i) queue.download(lane->items[i].dst, taken[i]->result);
        queue.fence().wait();
        give_back(std::move(lane));
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    --shape.leading;
    for (auto* each : taken) each->done = true, each->failure = failure;
    changed_.notify_all();
}

} // namespace kg::batch
