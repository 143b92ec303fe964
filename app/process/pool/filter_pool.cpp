#include "app/process/pool/filter_pool.hpp"

#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "core/image/image_memory.hpp"
#include "core/image/lent_picture.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <utility>

namespace kg::batch {

namespace {

constexpr std::size_t kShapes = 16; ///< whose plans are kept
/// Of one shape: while one lane computes, another has its pictures brought, and a third has its results fetched. Small pictures
/// have one lane less, so that more of them meet in a launch.
constexpr int kLanes = 3;
/// What one launch may hold: small pictures together, a large one alone.
constexpr std::size_t kLaunchBytes = std::size_t{32} << 20, kLaunchItems = 64;

std::size_t pictures_in_a_launch(const ImageRequest& request) {
    const auto bytes = (buffer_pitch(request.size.width, request.in) +
                        buffer_pitch(request.size.width, request.out)) *
                       static_cast<std::size_t>(request.size.height);
    return std::clamp<std::size_t>(kLaunchBytes / bytes, 1, kLaunchItems);
}

void copy(const ConstImageView& from, const ImageView& to) {
    const auto row = static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format);
    for (std::int64_t y = 0; y < from.size.height; ++y)
        std::memcpy(to.row<std::byte>(y), from.row<std::byte>(y), row);
}

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
    const std::size_t most = pictures_in_a_launch(request);
    const int lanes = most > 1 ? kLanes - 1 : kLanes;
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

/// The device is busy with it for as long as this lives.
class FilterPool::Launch {
public:
    explicit Launch(FilterPool& pool) : pool_(pool) {
        const std::lock_guard lock(pool_.mutex_);
        pool_.most_at_once_ = std::max(pool_.most_at_once_, ++pool_.at_once_);
    }
    ~Launch() {
        const std::lock_guard lock(pool_.mutex_);
        --pool_.at_once_;
        pool_.launch_seconds_ += microseconds_since(began_) * 1e-6;
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
        else outcome.report.spans.push_back({"wait", run_together(shape, picture, outcome.image)});
        outcome.engine = choice_.engine;
        outcome.algorithm = shape->plan->algorithm;
        outcome.reason = shape->plan->reason;
        return outcome;
    } catch (const std::exception&) { // it says what is wrong, or finds another way
    }
    const Launch launch(*this);
    const auto began = std::chrono::steady_clock::now();
    auto outcome = run_job(choice_, request, picture, algorithm_);
    outcome.report.spans.clear(); // of the engine's clock, where they may lie beside each other
    if (outcome.engine->device().id != "cpu")
        outcome.report.spans.push_back({"wait", microseconds_since(began)});
    return outcome;
}

std::size_t FilterPool::launches() const {
    const std::lock_guard lock(mutex_);
    return launches_;
}

double FilterPool::busy_seconds() const {
    const std::lock_guard lock(mutex_);
    return choice_.engine->device().id == "cpu" || most_at_once_ == 0 ? 0 : launch_seconds_ / most_at_once_;
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
            if (known != shapes_.end()) { // perhaps since another thread has planned it, too
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

/// Where the engine computes in host memory, the pictures need not be brought to it.
void FilterPool::run_in_place(const Shape& shape, const ConstImageView& picture, Image& result) {
    auto lane = take_lane();
    const Item item{lent_picture(picture, nullptr), lent_picture(std::as_const(result).view(), nullptr)};
    lane->queue->run(shape.plan, {&item, 1});
    lane->queue->fence().wait(); // a lane that failed is not given back
    give_back(std::move(lane));
}

/// What lies where the engine transfers by itself stays there. Another picture goes by way of its result's memory, which it has left
/// when the result comes. Returns the microseconds in which this thread had nothing to do.
double FilterPool::run_together(const std::shared_ptr<Shape>& shape, const ConstImageView& picture,
                                Image& result) {
    Waiting own{picture, result.view()};
    const auto in_pitch = aligned_pitch(picture.size.width, picture.format);
    const bool fits = in_pitch * static_cast<std::size_t>(picture.size.height) <= result.size_in_bytes();
    if (fits && !is_from_source(picture.data) && is_from_source(own.result.data)) {
        const ImageView on_its_way{own.result.data, in_pitch, picture.size, picture.format};
        copy(picture, on_its_way);
        own.picture = on_its_way;
    }
    const auto began = std::chrono::steady_clock::now();
    wait_for(*shape, own);
    const auto waited = microseconds_since(began);
    if (own.failure) std::rethrow_exception(own.failure);
    return waited;
}

/// Whoever finds a lane free takes all that wait with it; the others wait to be taken.
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
