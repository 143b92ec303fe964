#include "core/plan/plan_context.hpp"

#include "core/support/error.hpp"

namespace kg {

bool PlanContext::time_is_left() const {
    if (stop.stop_requested()) throw Cancelled();
    return end_us == std::numeric_limits<double>::infinity() || time->now_us() < end_us;
}

} // namespace kg
