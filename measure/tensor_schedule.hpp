#pragma once
// Which requests of a benchmark of tensors are measured in the time that is left, and with how much of it.

#include "measure/comparison.hpp"
#include "measure/tensor_work.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace kg::measure {

/// Microseconds per product of the reference: at first those of a slow processor, then of the references so
/// far.
class ReferenceRate {
public:
    void add(double products, double us) { products_ += products, us_ += us; }
    double us_of(double products) const { return products * us_ / products_; }

private:
    double products_ = 1e6, us_ = 5e3;
};

/// What one request takes with its candidates, by estimates.
struct TensorNeed {
    double weight = 1;
    ReferenceProducts reference;
    std::size_t candidates = 0;
    /// Microseconds of preparing all candidates and of their rounds, and of both for the fastest one; all
    /// without the reference.
    double preparing_us = 0, rounds_us = 0, fastest_us = 0;
    double copies_us = 0; ///< of its bytes, before the reference

    double before_us(const ReferenceRate& rate) const { return copies_us + rate.us_of(reference.once); }
    double verifying_us(const ReferenceRate& rate) const {
        return static_cast<double>(candidates) * rate.us_of(reference.each);
    }
    /// Enough for the fastest candidate to have a time, and for all to have one; with the time to fill
    /// buffers.
    double least_us(const ReferenceRate& rate) const;
    double whole_us(const ReferenceRate& rate) const;
    /// The share of preparation in the time after the reference.
    double preparing_share(const ReferenceRate& rate) const;
};
TensorNeed need_of(const TensorWork& work, std::span<const Candidate> who, const ComparisonRules& rules);

struct TensorTurn {
    std::size_t request;
    double most_us; ///< its time limit
};
/// Requests that fit as a whole, those of less weight first, share the time that is left: each has what it
/// needs, and by its weight what nobody needs. The turn is that of the first of them in their order. If none
/// fits as a whole, the one of least weight whose fastest candidate fits has the turn, and all the time;
/// otherwise none.
std::optional<TensorTurn> next_turn(std::span<const TensorNeed> waiting, double left_us,
                                    const ReferenceRate& rate);

} // namespace kg::measure
