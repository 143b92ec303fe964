#include "core/plan/float_verdict.hpp"

#include <algorithm>

namespace kg {

std::string bounded_text(double value, double bound) {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << value << " within " << bound;
    return text.str();
}

void include(Verification& all, const Verification& one, const std::string& where) {
    if (all.wrong == 0 && one.wrong > 0)
        all.first_wrong = (where.empty() ? "" : where + ": ") + one.first_wrong;
    all.samples += one.samples;
    all.differing += one.differing;
    all.wrong += one.wrong;
    all.max_error = std::max(all.max_error, one.max_error);
    all.bound = std::max(all.bound, one.bound);
}

} // namespace kg
