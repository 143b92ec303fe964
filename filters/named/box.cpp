#include "filters/filter.hpp"

namespace kg {

namespace {

Stage build(const Values& values) {
    const int size = integer(values, "size");
    const auto count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    Stage stage;
    stage.kernels = {make_kernel(size, size, std::vector<float>(count, 1.0f), static_cast<float>(count))};
    stage.generator = BoxGenerator{size, size};
    stage.factors = {{std::vector<int>(static_cast<std::size_t>(size), 1),
                      std::vector<int>(static_cast<std::size_t>(size), 1)}};
    return stage;
}

} // namespace

extern const Filter kBox;
const Filter kBox{"box",
                  "Box blur",
                  "The mean of a square: the fastest blur, with visible edges",
                  {{"size",
                    "Size",
                    Parameter::Kind::integer,
                    1,
                    1025,
                    {},
                    "3",
                    "px",
                    "Side of the square. An even size shifts the picture by half a pixel"}},
                  build};

} // namespace kg
