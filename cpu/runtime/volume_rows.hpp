#pragma once
// One row of outputs of one step over a volume: what all algorithms for volumes on the CPU are made of. Equal
// rows of samples give equal bytes, whichever algorithm holds them and wherever.

#include "core/request/volume_request.hpp"
#include "cpu/kernels/volume_sums.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace kg::cpu {

class VolumeRows {
public:
    /// `taps` in the order in which they are summed. Size and border are those of the request; `outside` is
    /// the sample outside under `constant`.
    VolumeRows(const VolumeRequest& request, const std::vector<VolumeTap>& taps, float outside);

    /// How many slices before and behind its own an output reads.
    std::int64_t slice_reach() const { return slice_reach_; }
    std::int64_t taps_per_output() const { return std::ssize(taps_); }

    /// Computes the outputs in row y of slice z, minus `before` unless that is nullptr. `out` overlaps
    /// nothing that is read. row_at(y, z) is the first sample of row y, which lies in the volume, of slice z,
    /// which may lie outside: then the caller resolves the border, and returns nullptr where it has no
    /// samples. Threads may call it at the same time.
    template <typename RowAt>
    void compute(const RowAt& row_at, std::int64_t y, std::int64_t z, const float* before, float* out) const {
        thread_local std::vector<TapRow> rows;
        rows.clear();
        for (const auto& row : rows_) {
            const auto sy = border_index(border_, y + row.y, size_.height);
            const float* at = sy < 0 ? nullptr : row_at(sy, z + row.z);
            rows.push_back({at ? at : outside_row_.data(), std::span(taps_).subspan(row.first, row.count),
                            row.ends_slice});
        }
        sum(rows, before, out);
    }

private:
    /// The taps of one row of the kernel.
    struct KernelRow {
        std::int64_t y = 0, z = 0; ///< offset from the output
        std::size_t first = 0, count = 0;
        bool ends_slice = false;
    };
    /// Outputs some of whose samples lie outside.
    struct Edge {
        Span outputs;
        std::vector<std::int64_t> columns; ///< those that they read in order; -1 = outside
    };
    Edge edge_of(Span outputs) const;
    void sum(std::vector<TapRow>& rows, const float* before, float* out) const;
    void sum_edge(const Edge& edge, const std::vector<TapRow>& rows, const float* before, float* out) const;

    VolumeExtent size_;
    Border border_;
    std::vector<RowTap> taps_;
    std::vector<KernelRow> rows_;
    std::int64_t left_ = 0, right_ = 0; ///< columns that an output reads before and behind its own
    std::int64_t slice_reach_ = 0;
    float outside_ = 0;
    std::vector<float> outside_row_; ///< a row of samples outside
    Edge left_edge_, right_edge_;
};

} // namespace kg::cpu
