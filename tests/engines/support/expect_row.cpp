#include "tests/engines/support/expect_row.hpp"

#include "tests/support/algorithms.hpp"

#include <cmath>

namespace kg::testing {

namespace {

Image row_of(const PixelFormat& format, const std::vector<double>& samples) {
    Image image({static_cast<std::int64_t>(samples.size()) / format.channels, 1}, format);
    for (std::size_t i = 0; i < samples.size(); ++i)
        store(image.view(), static_cast<std::int64_t>(i) / format.channels, 0,
              static_cast<int>(i) % format.channels, samples[i]);
    return image;
}

} // namespace

Stage stage_of(int width, std::vector<float> weights, float divisor, float offset) {
    Stage stage{{make_kernel(width, 1, std::move(weights), divisor)}};
    stage.kernels.front().offset = offset;
    return stage;
}

ImageRequest row_request(const PixelFormat& format, std::vector<Stage> stages, Border border) {
    ImageRequest request{{1, 1}, format, format, std::move(stages)};
    request.border = border;
    return request;
}

void expect_row(ImageRequest request, const std::vector<double>& samples, const std::vector<double>& want) {
    const auto image = row_of(request.in, samples);
    request.size = image.size();
    ASSERT_EQ(samples.size(), want.size());
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto got = run(engine, request, image.view(), algorithm.id);
        for (std::size_t i = 0; i < want.size(); ++i) {
            const double value = sample(got.view(), static_cast<std::int64_t>(i) / request.out.channels, 0,
                                        static_cast<int>(i) % request.out.channels);
            const double slack = is_integer(request.out.depth) ? 0 : 1e-6 * (1 + std::fabs(want[i]));
            EXPECT_TRUE((std::isnan(value) && std::isnan(want[i])) || value == want[i] ||
                        std::fabs(value - want[i]) <= slack)
                << "sample " << i << " is " << value << ", should be " << want[i];
        }
    });
}

} // namespace kg::testing
