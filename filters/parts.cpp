#include "filters/parts.hpp"

#include "core/image/weights.hpp"

#include <numeric>
#include <span>

namespace kg {

Stage stage_of_factors(const IntegerFactors& factors, float divisor) {
    const std::vector<double> row(factors.row.begin(), factors.row.end());
    std::vector<float> weights(factors.column.size() * row.size());
    for (std::size_t i = 0; i < factors.column.size(); ++i)
        multiples(factors.column[i], row, std::span(weights).subspan(i * row.size(), row.size()));
    Stage stage;
    stage.kernels = {make_kernel(static_cast<int>(factors.row.size()),
                                 static_cast<int>(factors.column.size()), std::move(weights), divisor)};
    stage.factors = {factors};
    return stage;
}

std::vector<int> binomial_row(int size) {
    std::vector<int> row{1};
    while (static_cast<int>(row.size()) < size) {
        row.push_back(0);
        for (std::size_t i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
    }
    return row;
}

Parameter offset_parameter() {
    return {"offset",
            "Offset",
            Parameter::Kind::number,
            -1,
            1,
            {},
            "0",
            "",
            "Added to the result, 1 is white: 0.5 shows negative results as darker than grey"};
}

Parameter amount_parameter() {
    return {"amount", "Amount", Parameter::Kind::number,
            0,        1000,     {},
            "1",      "",       "Factor for the weights, because the response to faint details is faint",
            20};
}

float offset_value(const Values& values) { return static_cast<float>(number(values, "offset")); }

void balance(std::vector<float>& weights, double sum) {
    auto& middle = weights[weights.size() / 2];
    middle = 0;
    middle = static_cast<float>(sum - std::accumulate(weights.begin(), weights.end(), 0.0));
}

} // namespace kg
