#include "app/editor/comparison/measurements.hpp"

#include <exception>
#include <utility>

namespace kg {

Measurements::~Measurements() {
    if (histograms_.task) histograms_.task->stop.request_stop();
    if (difference_.task) difference_.task->stop.request_stop();
}

template <typename Numbers>
Measured<Numbers> Measurements::measure(Count<Numbers>& count, const WholeImage& a, const WholeImage& b,
                                        Numbers (*function)(const WholeImage&, const WholeImage&,
                                                            const std::stop_token&)) {
    if (count.task && count.a == a && count.b == b) return count.measured();
    if (count.task) count.task->stop.request_stop();
    if (count.task && count.task->done && count.task->numbers) count.before = count.task;
    count.a = a;
    count.b = b;
    count.task = std::make_shared<typename Count<Numbers>::Task>();
    thread_.push([task = count.task, a, b, function, wake = wake_] {
        try {
            task->numbers = function(a, b, task->stop.get_token());
        } catch (const std::exception&) { // stopped, or not enough memory: there are no numbers
            task->numbers.reset();
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
