#include "tests/filters/support/random_recipe.hpp"

#include <bit>
#include <cmath>

namespace kg {

namespace {

int pick(std::mt19937& random, int from, int to) { return std::uniform_int_distribution(from, to)(random); }

/// Any finite float, including subnormal and huge numbers and negative zero.
float any_float(std::mt19937& random) {
    for (;;)
        if (const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
            std::isfinite(value))
            return value;
}

float some_weight(std::mt19937& random) {
    switch (pick(random, 0, 3)) {
    case 0: return static_cast<float>(pick(random, -9, 9));
    case 1: return static_cast<float>(pick(random, -90, 90)) / 10.0f;
    case 2: return 1.0f / static_cast<float>(pick(random, 1, 999));
    }
    return any_float(random);
}

/// A value of the parameter as a user might type it.
std::string some_value(const Parameter& parameter, std::mt19937& random) {
    if (parameter.kind == Parameter::Kind::choice)
        return std::string(parameter.choices[static_cast<std::size_t>(
            pick(random, 0, static_cast<int>(parameter.choices.size()) - 1))]);
    const double largest = std::min(parameter.maximum, parameter.minimum + 20);
    if (parameter.kind == Parameter::Kind::integer)
        return std::to_string(pick(random, static_cast<int>(parameter.minimum), static_cast<int>(largest)));
    const double value = std::uniform_real_distribution(parameter.minimum, largest)(random);
    switch (pick(random, 0, 2)) {
    case 0: return to_text(std::ceil(value)) + ".0";
    case 1: return to_text(std::ceil(value)) + "/1";
    }
    return to_text(value);
}

Step random_step(std::mt19937& random) {
    const auto all = filters();
    const auto& filter = *all[static_cast<std::size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))];
    Step step{std::string(filter.id), {}, {}, pick(random, 0, 3) > 0};
    if (filter.id.starts_with("custom")) step.kernel = random_kernel(random);
    if (filter.id == "custom_gradient") {
        step.kernel_y = pick(random, 0, 1) ? random_kernel(random) : *step.kernel;
        step.kernel->offset = step.kernel_y->offset = 0;
    }
    for (const auto& parameter : filter.parameters)
        if (pick(random, 0, 1)) step.values.emplace(parameter.id, some_value(parameter, random));
    return step;
}

} // namespace

Kernel random_kernel(std::mt19937& random) {
    Kernel kernel;
    kernel.width = pick(random, 1, 9);
    kernel.height = pick(random, 1, 9);
    kernel.anchor_x = pick(random, 0, kernel.width - 1);
    kernel.anchor_y = pick(random, 0, kernel.height - 1);
    kernel.weights.resize(static_cast<std::size_t>(kernel.width) * static_cast<std::size_t>(kernel.height));
    for (float& weight : kernel.weights) weight = some_weight(random);
    do kernel.divisor = some_weight(random);
    while (kernel.divisor == 0);
    kernel.offset = some_weight(random);
    kernel.flip = pick(random, 0, 1) == 1;
    return kernel;
}

Recipe random_recipe(std::mt19937& random) {
    Recipe recipe;
    for (int i = pick(random, 0, 4); i > 0; --i) recipe.steps.push_back(random_step(random));
    recipe.border = static_cast<Border>(pick(random, 0, 4));
    recipe.light = static_cast<Light>(pick(random, 0, 1));
    recipe.alpha = static_cast<AlphaMode>(pick(random, 0, 2));
    recipe.sign = static_cast<SignedMode>(pick(random, 0, 3));
    for (const char letter : {'r', 'g', 'b', 'a'})
        if (pick(random, 0, 2) == 0) recipe.channels += letter;
    if (pick(random, 0, 1)) recipe.depth = static_cast<Depth>(pick(random, 0, 3));
    if (pick(random, 0, 1)) recipe.tolerance = std::uniform_real_distribution(0.0, 0.1)(random);
    return recipe;
}

} // namespace kg
