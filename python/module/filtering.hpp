#pragma once
// filter(): an array through a recipe. Requests and plans of recent calls are kept, so that a repeated call
// neither parses nor plans.

#include "app/process/engine/prepared_request.hpp"
#include "python/module/array.hpp"
#include "python/module/recipes.hpp"

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string_view>

namespace kg::python {

/// What is asked for beside the array.
struct FilterOptions {
    nb::handle recipe; ///< a str or a Recipe
    Settings settings;
    bool has_alpha = false; ///< the last of 2 or 4 channels is alpha
    bool linear = false;    ///< the numbers are linear light
    std::string_view engine = "auto", algorithm = {};
};

/// The prepared request for images of this shape, on a GPU if one is given. Throws Error.
std::shared_ptr<PreparedRequest> prepared_for(const FilterOptions& options, ImageShape shape,
                                              bool opaque = false, std::optional<int> gpu = {});

void bind_filtering(nb::module_& module);

} // namespace kg::python
