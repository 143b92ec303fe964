#pragma once
// The sums of `box` (gpu/algorithms/box.cu) in their order, which depends on places in the image alone.
// Nothing is subtracted: a sample is part of those sums only whose windows contain it.

#include "gpu/kernels/box_grid.hpp"

namespace kg::gpu {

/// The sum of all elements, pair by pair, as the first one; others are overwritten.
template <int N>
KG_HOST_DEVICE inline void sum_pairs(float (&v)[N]) {
    KG_UNROLL
    for (int d = 1; d < N; d *= 2) {
        KG_UNROLL
        for (int i = 0; i < N; i += 2 * d) v[i] += v[i + d];
    }
}

/// Every element plus those behind it (Brent and Kung 1982); N is a power of two.
template <int N>
KG_HOST_DEVICE inline void to_suffix_sums(float (&v)[N]) {
    sum_pairs(v);
    KG_UNROLL
    for (int d = N / 4; d >= 1; d /= 2) {
        KG_UNROLL
        for (int i = d; i + d < N; i += 2 * d) v[i] += v[i + d];
    }
}

/// Every element plus those before it.
template <int N>
KG_HOST_DEVICE inline void to_prefix_sums(float (&v)[N]) {
    KG_UNROLL
    for (int d = 1; d < N; d *= 2) {
        KG_UNROLL
        for (int i = N - 1; i > 0; i -= 2 * d) v[i] += v[i - d];
    }
    KG_UNROLL
    for (int d = N / 4; d >= 1; d /= 2) {
        KG_UNROLL
        for (int i = N - 1 - d; i - d >= 0; i -= 2 * d) v[i] += v[i - d];
    }
}

/// The sum of the last `count` of eight rows.
KG_HOST_DEVICE inline float sum_of_last(const float (&rows)[kBoxRows], int count) {
    float v[kBoxRows];
    KG_UNROLL
    for (int i = 0; i < kBoxRows; ++i) v[i] = i < kBoxRows - count ? 0.0f : rows[i];
    sum_pairs(v);
    return v[0];
}

/// The element with a number that is not known when the code is compiled.
KG_HOST_DEVICE inline float element(const float (&v)[kBoxRows], int number) {
    float found = v[0];
    KG_UNROLL
    for (int i = 1; i < kBoxRows; ++i) found = i == number ? v[i] : found;
    return found;
}

/// What a column keeps of the groups of rows between the ends of its windows: a queue of two stacks. Group g
/// is pushed to slot (g - 1) % count. A group that is a multiple of `count` turns the slots from sums of one
/// group into sums of all groups up to the turn; later groups are added up behind it.
struct BoxColumn {
    float* slots;
    float* ends; ///< the sum of the first rows of the newest group; after `pitch`, of groups since the turn
    int pitch;   ///< from one slot to the next, in floats
    int count;   ///< slots

    KG_HOST_DEVICE float& base() const { return ends[0]; }
    KG_HOST_DEVICE float& since_turn() const { return ends[pitch]; }
    KG_HOST_DEVICE float middle(int slot) const {
        return count > 0 ? slots[slot * pitch] + since_turn() : 0.0f;
    }
    /// `oldest`: the slot of the oldest group in the queue.
    KG_HOST_DEVICE void push(float group, int slot, int oldest) const {
        if (count == 0) return;
        slots[slot * pitch] = group;
        if (slot < count - 1) {
            since_turn() += group;
            return;
        }
        float sum = 0;
        for (int s = slot; s >= oldest; --s) slots[s * pitch] = sum += slots[s * pitch];
        since_turn() = 0;
    }
    /// Completes a group with its last rows, the first of `tail`, and begins the next with the rest. Makes
    /// prefix sums of `tail`.
    KG_HOST_DEVICE float complete(int rest, float (&tail)[kBoxRows]) const {
        const float next = sum_of_last(tail, rest);
        to_prefix_sums(tail);
        const float group = base() + element(tail, kBoxRows - 1 - rest);
        base() = next;
        return group;
    }
};

/// Fills a column's queue for the windows of step `step`, output rows from kBoxRows * step on. load(i, rows)
/// reads the rows at the end of the windows of step i.
template <typename Load>
KG_HOST_DEVICE inline void begin_column(const BoxColumn& column, const BoxSpan& down, int step, Load load) {
    constexpr int kAhead = 2; // groups in flight while earlier ones are summed
    column.base() = column.since_turn() = 0;
    const int first = step - down.whole;
    float ahead[kAhead][kBoxRows], rows[kBoxRows];
    KG_UNROLL
    for (int a = 0; a < kAhead; ++a)
        if (first + a < step) load(first + a, ahead[a]);
    int slot = column.count > 0 ? (step + column.count - 1) % column.count : 0;
    for (int i = first; i < step; i += kAhead) {
        KG_UNROLL
        for (int a = 0; a < kAhead; ++a) {
            if (i + a >= step) return;
            KG_UNROLL
            for (int r = 0; r < kBoxRows; ++r) rows[r] = ahead[a][r];
            if (i + a + kAhead < step) load(i + a + kAhead, ahead[a]);
            const float group = column.complete(down.rest, rows);
            if (i + a > first) column.push(group, slot, step % column.count);
            slot = slot + 1 < column.count ? slot + 1 : 0;
        }
    }
}

/// The windows of a step's outputs. `head`: the rows at the beginning of the windows, the i-th output's from
/// the i-th on; `tail`: those at their end, up to the i-th. `slot`: the step modulo the column's slots.
KG_HOST_DEVICE inline void next_windows(const BoxColumn& column, int rest, int slot, float (&head)[kBoxRows],
                                        float (&tail)[kBoxRows], float (&sums)[kBoxRows]) {
    const float between = column.middle(slot) + column.base();
    to_suffix_sums(head);
    const float group = column.complete(rest, tail);
    column.push(group, slot, 0);
    KG_UNROLL
    for (int i = 0; i < kBoxRows; ++i) sums[i] = (head[i] + between) + tail[i];
}

/// Reads a lane's run of a row of column sums.
template <int Channels>
KG_HOST_DEVICE inline void load_run(const float* row, int run, int channel, float (&v)[kBoxRun]) {
    const float* from = row + box_place(Channels, run * kBoxRun * Channels) + channel;
    KG_UNROLL
    for (int i = 0; i < kBoxRun; ++i) v[i] = from[i * Channels];
}

/// The windows of a run of outputs. `sums`: at first the suffix sums of the run. `of_runs`: the sums of whole
/// runs, of every channel.
template <int Channels>
KG_HOST_DEVICE inline void run_windows(const float* row, const float* of_runs, int run, int channel,
                                       const BoxSpan& along, float (&sums)[kBoxRun]) {
    float even = 0, odd = 0;
    int r = run + 1;
    for (; r + 1 < run + along.whole; r += 2) {
        odd += of_runs[r * Channels + channel];
        even += of_runs[(r + 1) * Channels + channel];
    }
    if (r < run + along.whole) odd += of_runs[r * Channels + channel];

    // The windows end in two runs: `rest` pixels of the first are in all of them.
    const auto run_at = [&](int number) {
        return row + box_place(Channels, number * kBoxRun * Channels) + channel;
    };
    const float *first = run_at(run + along.whole),
                *second = run_at(run + along.whole + 1) - kBoxRun * Channels;
    float base[2] = {};
    KG_UNROLL
    for (int i = 0; i < kBoxRun - 1; ++i)
        if (i < along.rest) base[i % 2] += first[i * Channels];
    float tail[kBoxRun];
    KG_UNROLL
    for (int i = 0; i < kBoxRun; ++i)
        tail[i] = (i + along.rest < kBoxRun ? first : second)[(i + along.rest) * Channels];
    to_prefix_sums(tail);
    const float between = (odd + even) + (base[0] + base[1]);
    KG_UNROLL
    for (int i = 0; i < kBoxRun; ++i) sums[i] = (sums[i] + between) + tail[i];
}

/// The same for windows of up to kBoxRun pixels, sample by sample.
template <int Channels>
KG_HOST_DEVICE inline void narrow_windows(const float* row, int run, int channel, int width,
                                          float (&sums)[kBoxRun]) {
    KG_UNROLL
    for (float& sum : sums) sum = 0;
    for (int x = 0; x < width; ++x) {
        KG_UNROLL
        for (int i = 0; i < kBoxRun; ++i)
            sums[i] += row[box_place(Channels, (run * kBoxRun + i + x) * Channels) + channel];
    }
}

} // namespace kg::gpu
