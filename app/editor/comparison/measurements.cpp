#include "app/editor/comparison/measurements.hpp"

#include "core/support/thread.hpp"

#include <exception>
#include <utility>

namespace kg {

namespace {

std::shared_ptr<const void> pixels_of(const WholeImage& image) {
    if (image.original) return image.original;
    return image.result;
}

} // namespace

Measurements::~Measurements() {
    if (histograms_.task) histograms_.task->stop.request_stop();
    if (difference_.task) difference_.task->stop.request_stop();
}

template <typename Numbers>
Measured<Numbers> Measurements::measure(Count<Numbers>& count, const WholeImage& a, const WholeImage& b,
                                        Numbers (*function)(const WholeImage&, const WholeImage&,
                                                            const std::stop_token&)) {
    const auto pixels_a = pixels_of(a), pixels_b = pixels_of(b);
    if (count.task && count.a.lock() == pixels_a && count.b.lock() == pixels_b) return count.measured();
    if (count.task) count.task->stop.request_stop();
    if (count.task && count.task->done && count.task->numbers) count.before = count.task;
    count.a = pixels_a;
    count.b = pixels_b;
    count.task = std::make_shared<typename Count<Numbers>::Task>();
    thread_.push([task = count.task, a, b, function, wake = wake_] {
        try {
            task->numbers = function(a, b, task->stop.get_token());
        } catch (const std::exception& error) {
            task->why_not = message_of(error);
        }
        task->done = true;
        if (wake) wake();
    });
    return count.measured();
}

Measured<Histograms> Measurements::histograms(const WholeImage& original, const WholeImage& result) {
    return measure(histograms_, original, result, count_histograms);
}

Measured<DifferenceNumbers> Measurements::difference(const WholeImage& a, const WholeImage& b) {
    return measure(difference_, a, b, measure_difference);
}

} // namespace kg
