#include "tests/support/stopping.hpp"

#include "core/support/stop.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <atomic>

namespace kg::testing {

namespace {

std::atomic<std::int64_t> count = 0;
std::atomic<std::stop_source*> source = nullptr;
std::atomic<std::int64_t> last_look = 0, count_at_stop = 0;

void count_check() {
    if (++count != last_look) return;
    source.load()->request_stop();
    count_at_stop = count.load(); // checks before the stop was visible do not count
}

} // namespace

StopCheckCounter::StopCheckCounter(std::stop_source* stop, std::int64_t last) {
    count = 0;
    source = stop;
    last_look = last;
    stop_observer = &count_check;
}

StopCheckCounter::~StopCheckCounter() { stop_observer = nullptr; }

std::int64_t StopCheckCounter::checks() { return count; }

std::int64_t StopCheckCounter::checks_after_stop() { return count - count_at_stop; }

void expect_stops_soon(Engine& engine, const ImageRequest& request, const ConstImageView& image,
                       std::string_view algorithm, double products) {
    constexpr double kMostBetweenLooks = 40e6;
    SCOPED_TRACE(label(engine));
    const auto prepared = plan(engine, request, algorithm);
    const Item item{allocate_view(engine, request.in, whole(request.size)),
                    allocate_view(engine, request.out, whole(request.size))};
    const auto queue = engine.queue();
    queue->upload(image, item.src);
    queue->fence().wait();
    std::int64_t all = 0;
    {
        const StopCheckCounter counter;
        queue->run(prepared, {&item, 1});
        queue->fence().wait();
        all = StopCheckCounter::checks();
    }
    EXPECT_LT(products / static_cast<double>(all), kMostBetweenLooks);
    const auto threads = cpu::threads_of(engine) + 1; // and the queue's
    for (const auto last : {std::int64_t{1}, all / 3, all - threads}) {
        std::stop_source stop;
        const StopCheckCounter counter(&stop, last);
        queue->run(prepared, {&item, 1}, stop.get_token());
        EXPECT_THROW(queue->fence().wait(), Cancelled) << last << " of " << all;
        EXPECT_LE(StopCheckCounter::checks_after_stop(), threads) << last << " of " << all;
        queue->fence().wait(); // the queue accepts work again
    }
}

void expect_stops_soon(Engine& engine, const ImageRequest& request, std::string_view algorithm,
                       double products) {
    const auto image = random_image(request.size, request.in, 1);
    expect_stops_soon(engine, request, image.view(), algorithm, products);
}

} // namespace kg::testing
