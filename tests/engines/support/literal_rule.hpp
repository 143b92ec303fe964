#pragma once
// Semantics 11 to the letter: the rule as it is written, and requests for which it is hard to hold.

#include "tests/support/algorithms.hpp"
#include "tests/support/stages.hpp"

#include <memory>
#include <random>
#include <string_view>
#include <vector>

namespace kg::testing {

ImageRequest hard_request(Depth depth, Stage stage, Border border = Border::reflect101);
/// Noise of a given number of levels on a flat light grey: sums of large terms, differences of small ones.
Image faint(const ImageRequest& request, double noise, unsigned seed);
/// The rule as written, independent of the verification used by other tests. The reference of the request is
/// computed once for any number of results.
class LiteralRule {
public:
    LiteralRule(const ImageRequest& request, const ConstImageView& image);
    ::testing::AssertionResult holds(const ConstImageView& result) const;

private:
    const ImageRequest& request_; ///< of the caller
    std::vector<double> values_;
    Image right_;
};
/// The same for one result.
::testing::AssertionResult obeys(const ImageRequest& r, const ConstImageView& image,
                                 const ConstImageView& result);
/// The number of results that are neither black nor white.
int telling(const ImageRequest& r, const ConstImageView& image);
std::vector<std::shared_ptr<Engine>> kinds();
void expect_every_algorithm_obeys(const ImageRequest& request, const ConstImageView& image);
/// A step by this algorithm alone, even if the planner would refuse it.
Image run_unasked(std::string_view algorithm, const ImageRequest& step, const ConstImageView& image);
/// Binomials along one axis, their slope along the other, as Sobel widens them: kernel_size x kernel_size, in
/// y.
Stage large_sobel(int kernel_size, float divisor);

/// Weights from 0 to 1 that are a column times a row, rounded once, so that `separable` must find factors.
Kernel product_kernel(int width, int height, std::mt19937& random);

} // namespace kg::testing
