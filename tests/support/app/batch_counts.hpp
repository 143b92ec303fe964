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
/// The inputs that failed, each with its code: "in/a.png: cannot-write", in the order of the document, one a
/// line. Throws as batch_counts() does.
std::string failed_inputs(const std::string& document);

std::ostream& operator<<(std::ostream& stream, const BatchCounts& counts);

} // namespace kg::testing
