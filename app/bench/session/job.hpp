#pragma once
// What a benchmark in a window measures: the recipe on the open image, or its filter over kernel sizes.

#include "filters/recipe.hpp"
#include "measure/bench.hpp"

#include <memory>
#include <string>
#include <vector>

namespace kg {

struct BenchJob {
    std::vector<measure::BenchCase> cases;
    std::vector<std::shared_ptr<Engine>> engines;
    std::string title; ///< the report's title
    /// How it measures; `seconds` do not count pauses. Clock, pauses and peers are the session's.
    measure::BenchRules rules{};
};

/// The image and the recipe that both kinds begin with.
struct BenchSubject {
    std::shared_ptr<const Image> image;
    std::string image_name;
    Recipe recipe;
    bool opaque = false; ///< the image is, so that the window computes for_opaque() of the request
    std::vector<std::shared_ptr<Engine>> engines;
};

/// The whole recipe on the image, as the window computes it: within about 20 s for each engine. Throws Error
/// if the recipe has no enabled step or does not fit the image.
BenchJob recipe_job(const BenchSubject& subject);

/// The filter of `step` at kernel sizes from 3 x 3 to 31 x 31 on the image, with the recipe's settings; dense
/// random weights in place of filters without a size. Within about 45 s for each engine.
BenchJob kernel_sizes_job(const BenchSubject& subject, const Step& step);

} // namespace kg
