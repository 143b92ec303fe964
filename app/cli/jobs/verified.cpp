#include "app/cli/jobs/verified.hpp"

#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <nlohmann/json.hpp>

namespace kg {

nlohmann::ordered_json verification_document(const std::optional<Verification>& verification) {
    if (!verification) return nullptr;
    return {{"right", verification->right()},
            {"max_error", verification->max_error},
            {"bound", verification->bound}};
}

std::string verified_text(const std::optional<Verification>& verification) {
    if (!verification) return {};
    return "; equals the reference" + (verification->max_error > 0
                                           ? " within " + short_number(verification->max_error) +
                                                 " (allowed: " + short_number(verification->bound) + ")"
                                           : std::string());
}

void expect_right(std::string_view algorithm, const std::optional<Verification>& verification) {
    if (verification && !verification->right())
        throw Error("wrong-result",
                    "the algorithm {} is wrong in {} of {} outputs; the first is {}. Nothing was written; "
                    "--algorithm reference is right",
                    algorithm, verification->wrong, verification->samples, verification->first_wrong);
}

} // namespace kg
