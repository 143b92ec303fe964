#pragma once
// Runs of signals on an engine, for tests: rows in, rows out.

#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/signal_planner.hpp"
#include "core/plan/signal_verification.hpp"
#include "core/plan/wrapped_image.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace kg::testing {

/// The element of a vector of numbers.
template <typename T>
constexpr Element element_of() {
    if constexpr (std::is_same_v<T, float>) return Element::f32;
    if constexpr (std::is_same_v<T, double>) return Element::f64;
    if constexpr (std::is_same_v<T, std::int32_t>) return Element::i32;
    return Element::i64;
}

/// Rows of one length behind one another.
template <typename T>
ConstTensorView view_of(const std::vector<T>& numbers, std::int64_t rows) {
    const auto columns = std::ssize(numbers) / rows;
    return {reinterpret_cast<const std::byte*>(numbers.data()),
            {element_of<T>(), 1, sizeof(T), numbers.size() * sizeof(T)},
            static_cast<std::size_t>(columns) * sizeof(T),
            {columns, rows}};
}
template <typename T>
TensorView view_of(std::vector<T>& numbers, std::int64_t rows) {
    const auto view = view_of(std::as_const(numbers), rows);
    return {reinterpret_cast<std::byte*>(numbers.data()), view.format, view.pitch, view.size};
}

/// The available engines: cpu with 2 threads, and cuda if there is one.
inline std::vector<std::shared_ptr<Engine>> signal_engines() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2)};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

/// The outputs of all signals behind one another, through the engine's own buffers, on the given queue or a
/// new one.
template <typename T>
std::vector<T> outputs_of(Engine& engine, const SignalRequest& request, const std::vector<T>& signals,
                          std::string_view algorithm = {}, Queue* shared_queue = nullptr) {
    const auto plan = kg::plan(engine, request, algorithm);
    const auto outputs = whole_output(request);
    std::vector<T> result(static_cast<std::size_t>(outputs.width * outputs.height));
    const auto source = allocate_tensor(engine, element(request), 1,
                                        {0, 0, request.samples, request.signals});
    const auto target = allocate_tensor(engine, element(request), 1, outputs);
    const auto own = shared_queue ? nullptr : engine.queue(); // creating one takes a GPU milliseconds
    auto* queue = shared_queue ? shared_queue : own.get();
    queue->upload_tensor(view_of(signals, request.signals), source);
    const Item item{source, target};
    queue->run(plan, std::span(&item, 1));
    queue->download_tensor(target, view_of(result, request.signals));
    queue->fence().wait();
    return result;
}

/// One signal.
template <typename T>
SignalRequest signal_request(const std::vector<T>& signal, std::vector<T> taps,
                             SignalMode mode = SignalMode::full) {
    SignalRequest request;
    request.samples = std::ssize(signal);
    request.taps = std::move(taps);
    request.mode = mode;
    return request;
}

} // namespace kg::testing
