#include "library/walk/covering.hpp"

#include <random>
#include <set>
#include <tuple>

namespace kg {

std::vector<std::vector<int>> three_wise(const std::vector<int>& levels) {
    const int factors = static_cast<int>(levels.size());
    using Triple = std::tuple<int, int, int, int, int, int>;
    std::set<Triple> open;
    for (int a = 0; a < factors; ++a)
        for (int b = a + 1; b < factors; ++b)
            for (int c = b + 1; c < factors; ++c)
                for (int i = 0; i < levels[static_cast<std::size_t>(a)]; ++i)
                    for (int j = 0; j < levels[static_cast<std::size_t>(b)]; ++j)
                        for (int k = 0; k < levels[static_cast<std::size_t>(c)]; ++k)
                            open.insert({a, b, c, i, j, k});
    const auto covers = [&](const std::vector<int>& row, auto visit) {
        for (int a = 0; a < factors; ++a)
            for (int b = a + 1; b < factors; ++b)
                for (int c = b + 1; c < factors; ++c)
                    visit(Triple{a, b, c, row[static_cast<std::size_t>(a)], row[static_cast<std::size_t>(b)],
                                 row[static_cast<std::size_t>(c)]});
    };
    std::mt19937 random(7);
    std::vector<std::vector<int>> rows;
    while (!open.empty()) {
        std::vector<int> best;
        int best_count = -1;
        for (int attempt = 0; attempt < 12; ++attempt) {
            std::vector<int> row(levels.size());
            for (std::size_t f = 0; f < levels.size(); ++f)
                row[f] = static_cast<int>(random() % static_cast<unsigned>(levels[f]));
            const auto& [a, b, c, i, j, k] = *open.begin(); // every row covers at least one open combination
            row[static_cast<std::size_t>(a)] = i, row[static_cast<std::size_t>(b)] = j,
            row[static_cast<std::size_t>(c)] = k;
            int count = 0;
            covers(row, [&](const Triple& t) { count += static_cast<int>(open.contains(t)); });
            if (count > best_count) best_count = count, best = row;
        }
        covers(best, [&](const Triple& t) { open.erase(t); });
        rows.push_back(best);
    }
    return rows;
}

} // namespace kg
