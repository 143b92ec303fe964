// Products of a column and a row that each measure a level, an edge, a spot, a wave or a ripple: energies of
// textures. Source: Laws, "Textured image segmentation", USCIPI report 940, University of Southern California
// 1980.

#include "filters/bank_filter.hpp"

#include <array>
#include <cmath>

namespace kg {

namespace {

using Vectors = std::vector<std::vector<double>>;

BankDesign build(const Values& values) {
    const Vectors three{{1, 2, 1}, {-1, 0, 1}, {-1, 2, -1}};
    const Vectors five{
        {1, 4, 6, 4, 1}, {-1, -2, 0, 2, 1}, {-1, 0, 2, 0, -1}, {-1, 2, 0, -2, 1}, {1, -4, 6, -4, 1}};
    const auto& vectors = values.at("size") == "3" ? three : five;
    const bool normalised = values.at("scale") == "unit";
    const auto side = std::ssize(vectors.front());
    constexpr std::string_view kLetters = "LESWR"; // level, edge, spot, wave, ripple
    BankDesign design{0, {side, side}, {}};
    for (const auto& column : vectors)
        for (const auto& row : vectors) {
            const auto letter = [&](const std::vector<double>& vector) {
                return kLetters[static_cast<std::size_t>(&vector - vectors.data())] + std::to_string(side);
            };
            design.names.push_back(letter(column) + letter(row));
            double magnitude = 0;
            for (const double a : column)
                for (const double b : row) magnitude += std::fabs(a * b);
            for (const double a : column)
                for (const double b : row)
                    design.weights.push_back(static_cast<float>(a * b / (normalised ? magnitude : 1)));
            ++design.filters;
        }
    return design;
}

} // namespace

extern const BankFilter kLaws;
const BankFilter kLaws{
    "laws",
    "Laws",
    "Products of level, edge, spot, wave and ripple: textures",
    {{"size",
      "Size",
      Parameter::Kind::choice,
      0,
      0,
      {"3", "5"},
      "5",
      "",
      "3 gives 9 filters of level, edge and spot; 5 gives 25 with wave and ripple. Columns come first: LE is "
      "the second"},
     {"scale",
      "Scale",
      Parameter::Kind::choice,
      0,
      0,
      {"unit", "integer"},
      "unit",
      "",
      "unit divides by the sum of the absolute weights; integer keeps the published numbers"}},
    build};

} // namespace kg
