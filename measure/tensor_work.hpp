#pragma once
// A request on tensors with its numbers: what a benchmark of signals, filter banks or volumes measures, and
// what differs between these three.

#include "core/image/tensor.hpp"
#include "core/plan/verification.hpp"
#include "measure/report/report.hpp"
#include "peers/peers.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace kg::measure {

/// Compares the results that lie at this address with the reference. Throws Cancelled when stopped.
using TensorVerifier = std::function<Verification(const std::byte* results, const Algorithm* algorithm,
                                                  const std::stop_token& stop)>;

/// Products of the reference: to make a verifier, and of each verification.
struct ReferenceProducts {
    double once = 0, each = 0;
};

/// The items of a batch lie in host memory without gaps, sources and results apart.
class TensorWork {
public:
    explicit TensorWork(auto of) : request(of), step(std::move(of)) {}
    virtual ~TensorWork() = default;
    TensorWork(const TensorWork&) = delete;
    TensorWork& operator=(const TensorWork&) = delete;

    const Request request;
    const PlanStep step; ///< the request, for the functions of algorithms

    /// "signal": the first component of a row's name.
    virtual std::string_view kind() const = 0;
    virtual std::span<const Algorithm* const> algorithms(const Engine& engine) const = 0;
    virtual std::span<const Algorithm* const> algorithms(const peers::Peer& peer) const = 0;

    virtual std::size_t source_bytes() const = 0;
    virtual std::size_t result_bytes() const = 0;
    virtual void fill(std::byte* sources) const = 0;
    /// Of a run.
    virtual std::int64_t items() const { return 1; }
    /// The source and the result of an item, where those of all begin at this address.
    virtual ConstTensorView source(const std::byte* all, std::int64_t item) const = 0;
    virtual ConstTensorView result(const std::byte* all, std::int64_t item) const = 0;
    std::size_t number_bytes() const { return bytes(result(nullptr, 0).format.element); }
    /// Computes what all results are compared with. `sources` must outlive it.
    virtual TensorVerifier verifier(const std::byte* sources, const std::stop_token& stop) const = 0;
    virtual ReferenceProducts reference_products() const = 0;

    /// The size and the kernel of a row. Its name has the components between algorithm and engine.
    virtual ReportRow row() const = 0;
    /// Float32 products of a run if every term is summed; 0 for other numbers.
    virtual double products() const = 0;
    /// The algorithm's estimate.
    double estimate_us(const Algorithm& algorithm, const Engine& engine) const {
        return algorithm.cost(step, engine).microseconds;
    }
    /// The share of a benchmark's time that it needs beside others: more with more products, but not in
    /// proportion, since short requests need time for their samples, too.
    double weight() const {
        constexpr double kOfOne = 1e9; // products that take as long as the overhead of a request
        return 1 + std::sqrt(products() / kOfOne);
    }
};

/// In groups, which a benchmark measures all or some of.
struct TensorWorks {
    std::string_view group;
    std::vector<std::shared_ptr<const TensorWork>> works;
};

} // namespace kg::measure
