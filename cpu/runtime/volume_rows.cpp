#include "cpu/runtime/volume_rows.hpp"

#include <algorithm>
#include <cstdlib>

namespace kg::cpu {

VolumeRows::VolumeRows(const VolumeRequest& request, const std::vector<VolumeTap>& taps, float outside)
    : size_(request.size), border_(request.border),
      outside_(request.border == Border::constant ? outside : 0) {
    for (const auto& [offset, weight] : taps) {
        if (rows_.empty() || rows_.back().y != offset.y || rows_.back().z != offset.z) {
            if (!rows_.empty()) rows_.back().ends_slice = rows_.back().z != offset.z;
            rows_.push_back({offset.y, offset.z, taps_.size(), 0, true});
        }
        ++rows_.back().count;
        taps_.push_back({offset.x, weight});
        left_ = std::max(left_, -offset.x);
        right_ = std::max(right_, offset.x);
        slice_reach_ = std::max(slice_reach_, std::abs(offset.z));
    }
    if (border_ == Border::zero || border_ == Border::constant)
        outside_row_.assign(static_cast<std::size_t>(size_.width), outside_);
    const auto left = std::min(left_, size_.width), right = std::max(left, size_.width - right_);
    left_edge_ = edge_of({0, left});
    right_edge_ = edge_of({right, size_.width});
}

VolumeRows::Edge VolumeRows::edge_of(Span outputs) const {
    Edge edge{outputs, {}};
    if (outputs.begin < outputs.end)
        for (auto x = outputs.begin - left_; x < outputs.end + right_; ++x)
            edge.columns.push_back(border_index(border_, x, size_.width));
    return edge;
}

void VolumeRows::sum(std::vector<TapRow>& rows, const float* before, float* out) const {
    sum_edge(left_edge_, rows, before, out);
    sum_edge(right_edge_, rows, before, out);
    const auto begin = left_edge_.outputs.end, count = right_edge_.outputs.begin - begin;
    for (auto& row : rows) row.at += begin;
    volume_sums(rows, before ? before + begin : nullptr, count, out + begin);
}

void VolumeRows::sum_edge(const Edge& edge, const std::vector<TapRow>& rows, const float* before,
                          float* out) const {
    if (edge.columns.empty()) return;
    thread_local std::vector<float> samples;
    thread_local std::vector<TapRow> of_samples;
    samples.clear();
    for (const auto& row : rows)
        for (const auto column : edge.columns) samples.push_back(column < 0 ? outside_ : row.at[column]);
    of_samples = rows;
    const float* at = samples.data() + left_;
    for (auto& row : of_samples) {
        row.at = at;
        at += edge.columns.size();
    }
    const auto begin = edge.outputs.begin;
    volume_sums(of_samples, before ? before + begin : nullptr, edge.outputs.end - begin, out + begin);
}

} // namespace kg::cpu
