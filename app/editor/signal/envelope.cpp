#include "app/editor/signal/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace kg {

void Extremes::add(double sample) {
    if (!std::isfinite(sample)) return;
    low = std::min(low, sample);
    high = std::max(high, sample);
}

void Extremes::add(const Extremes& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
}

Envelope::Envelope(std::shared_ptr<const SignalData> data, std::int64_t signal)
    : data_(std::move(data)), first_(signal * data_->samples()), samples_(data_->samples()) {
    blocks_.resize(static_cast<std::size_t>((samples_ + kBlock - 1) / kBlock));
    std::visit(
        [this](const auto& numbers) {
            for (std::int64_t i = 0; i < samples_; ++i)
                blocks_[static_cast<std::size_t>(i / kBlock)].add(
                    static_cast<double>(numbers[static_cast<std::size_t>(first_ + i)]));
        },
        data_->numbers);
    for (const auto& block : blocks_) all_.add(block);
}

double Envelope::sample(std::int64_t i) const {
    return std::visit(
        [&](const auto& numbers) {
            return static_cast<double>(numbers[static_cast<std::size_t>(first_ + i)]);
        },
        data_->numbers);
}

Extremes Envelope::extremes(std::int64_t from, std::int64_t to) const {
    from = std::max<std::int64_t>(from, 0);
    to = std::min(to, samples_);
    Extremes found;
    while (from < to) {
        if (from % kBlock == 0 && from + kBlock <= to) {
            found.add(blocks_[static_cast<std::size_t>(from / kBlock)]);
            from += kBlock;
        } else {
            found.add(sample(from++));
        }
    }
    return found;
}

Waveform waveform(const Envelope& envelope, double from, double to, int columns) {
    constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
    Waveform drawn;
    const auto last = static_cast<double>(envelope.samples() - 1);
    from = std::max(from, 0.0);
    to = std::min(to, last);
    if (envelope.samples() == 0 || columns < 1 || from > to) return drawn;
    const auto begin = static_cast<std::int64_t>(std::floor(from)),
               end = static_cast<std::int64_t>(std::ceil(to)) + 1;
    drawn.points = end - begin <= columns;
    if (drawn.points) {
        for (auto i = begin; i < end; ++i) {
            const double sample = envelope.sample(i);
            drawn.x.push_back(static_cast<double>(i));
            drawn.low.push_back(std::isfinite(sample) ? sample : kGap);
        }
        return drawn;
    }
    for (int column = 0; column < columns; ++column) {
        const auto place = [&](int i) { return begin + (end - begin) * i / columns; };
        const auto found = envelope.extremes(place(column), place(column + 1));
        drawn.x.push_back(static_cast<double>(place(column)));
        drawn.low.push_back(found.any() ? found.low : kGap);
        drawn.high.push_back(found.any() ? found.high : kGap);
    }
    return drawn;
}

} // namespace kg
