#pragma once
// Runs of filter banks on an engine, for tests: a batch in, a batch out, in any layout.

#include "core/image/batch.hpp"
#include "core/plan/bank_planner.hpp"
#include "core/plan/bank_verification.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/wrapped_image.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/cublas_library.hpp"
#include "gpu/runtime/cufft_library.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

namespace kg::testing {

inline BatchShape input_shape(const BankRequest& request, std::int64_t items) {
    return {items, request.channels, request.size};
}
inline BatchShape output_shape(const BankRequest& request, std::int64_t items) {
    return {items, request.filters, output_size(request)};
}

/// The available engines with algorithms for filter banks: cpu with 2 threads, and cuda if it has any.
inline std::vector<std::shared_ptr<Engine>> bank_engines() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2)};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty() && !gpu->bank_algorithms().empty())
        all.push_back(std::move(gpu));
    return all;
}

/// Whether an algorithm needs a library that is not on this machine.
inline bool lacks_library(const Engine& engine, const Algorithm& algorithm) {
    if (engine.device().host_memory) return false;
    if (algorithm.id == "im2col_cublas" || algorithm.id == "im2col_tf32")
        return !gpu::why_no_cublas().empty();
    return algorithm.id == "fft" && !gpu::why_no_cufft().empty();
}

/// Item n of a batch in a buffer of allocate_tensor(), which holds the channels of all items.
inline BufferView batch_item(BufferView batch, std::int64_t channels, std::int64_t n) {
    batch.offset += static_cast<std::size_t>(n * channels) * batch.tensor->channel_stride;
    batch.tensor->channels = channels;
    return batch;
}

/// The outputs of all items in the layout of the items, through the engine's own buffers, on the given queue
/// or a new one.
inline std::vector<float> outputs_of(Engine& engine, const std::shared_ptr<const Plan>& plan,
                                     const BankRequest& request, const std::vector<float>& items,
                                     Layout layout = Layout::nchw, Queue* shared_queue = nullptr) {
    const auto count = std::ssize(items) / (request.channels * request.size.width * request.size.height);
    const auto in = input_shape(request, count), out = output_shape(request, count);
    std::vector<float> result(static_cast<std::size_t>(out.count()));
    const auto source = allocate_tensor(engine, Element::f32, count * in.channels, whole(in.size)),
               target = allocate_tensor(engine, Element::f32, count * out.channels, whole(out.size));
    const auto own = shared_queue ? nullptr : engine.queue(); // creating one takes a GPU milliseconds
    auto* queue = shared_queue ? shared_queue : own.get();
    std::vector<Item> batch;
    for (std::int64_t n = 0; n < count; ++n) {
        batch.push_back({batch_item(source, in.channels, n), batch_item(target, out.channels, n)});
        queue->upload_tensor(kg::batch_item(items.data(), in, layout, n), batch.back().src);
    }
    queue->run(plan, batch);
    for (std::int64_t n = 0; n < count; ++n)
        queue->download_tensor(batch[static_cast<std::size_t>(n)].dst,
                               kg::batch_item(result.data(), out, layout, n));
    queue->fence().wait();
    return result;
}

/// The same by the algorithm of this id, or by the one predicted fastest.
inline std::vector<float> outputs_of(Engine& engine, const BankRequest& request,
                                     const std::vector<float>& items, std::string_view algorithm = {},
                                     Layout layout = Layout::nchw, Queue* shared_queue = nullptr) {
    return outputs_of(engine, kg::plan(engine, request, algorithm), request, items, layout, shared_queue);
}

/// A bank for channels of this size; the weights are K x C x R x S.
inline BankRequest bank_request(Extent size, std::int64_t channels, std::int64_t filters, Extent kernel,
                                std::vector<float> weights) {
    BankRequest request;
    request.size = size;
    request.channels = channels;
    request.filters = filters;
    request.kernel = kernel;
    request.weights = std::move(weights);
    return request;
}

/// The numbers first, first + 1, ...
inline std::vector<float> ascending(float first, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers) number = first++;
    return numbers;
}

/// Outputs that are whole numbers, by any algorithm. Those of a Fourier transform, whose factors are
/// irrational, are rounded to the numbers that they are near to; others are left as they are.
inline std::vector<float> whole_outputs_of(Engine& engine, const BankRequest& request,
                                           const std::vector<float>& items, std::string_view id,
                                           Layout layout = Layout::nchw, Queue* queue = nullptr) {
    auto outputs = outputs_of(engine, request, items, id, layout, queue);
    if (id == "fft")
        for (auto& output : outputs) {
            const float whole = std::nearbyint(output);
            EXPECT_NEAR(output, whole, 1e-2);
            output = whole + 0.0f; // no -0
        }
    return outputs;
}

} // namespace kg::testing
