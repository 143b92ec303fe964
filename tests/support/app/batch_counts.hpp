#pragma once
// What a batch did with its images, as numbers: the counts of its JSON document.

#include <cstddef>
#include <ostream>
#include <string>

namespace kg::testing {

struct BatchCounts {
    std::size_t done = 0, up_to_date = 0, kept = 0, failed = 0, not_begun = 0;

    bool operator==(const BatchCounts&) const = default;
};

/// Reads the output of `batch --json`. Throws if it is no such document.
BatchCounts batch_counts(const std::string& document);

std::ostream& operator<<(std::ostream& stream, const BatchCounts& counts);

} // namespace kg::testing
