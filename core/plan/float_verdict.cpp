#include "core/plan/float_verdict.hpp"

namespace kg {

std::string bounded_text(double value, double bound) {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << value << " within " << bound;
    return text.str();
}

} // namespace kg
