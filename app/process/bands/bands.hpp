#pragma once
// One picture for which there is not enough memory: its rows are read, filtered and written a band at a time, with the bytes
// of the whole way (semantics 13). Where the memory does for it, a band is read and another one written while one is filtered.

#include "app/process/stage_times.hpp"
#include "app/process/engines.hpp"
#include "app/process/clipping.hpp"
#include "app/io/row_files.hpp"
#include "filters/recipe.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg::batch {

struct BandsWish {
    Recipe recipe;
    EngineChoice choice;
    std::string algorithm; ///< forced; empty = any
    ReadOptions read;
    WriteOptions write;                 ///< the metadata are the picture's own
    std::string format;                 ///< of the output: id or ending
    std::string name;                   ///< of the output, in sentences
    std::size_t memory = 0;             ///< bytes that it may take, beside a few MiB for codecs
    std::int64_t most_rows = INT64_MAX; ///< of a band; the way's row quantum is the least
    /// Counts what is clipped; computes in host memory. Null: nobody.
    std::shared_ptr<Engine> counter{};
    std::string input_name{}; ///< in sentences; empty = its path
    /// Is told how many rows of how many are written, from the caller's thread.
    std::function<void(std::int64_t rows, std::int64_t of)> progress{};
    /// ... of how many, before that, it is known that they are opaque, where that is asked.
    std::function<void(std::int64_t rows, std::int64_t of)> looked{};
};

struct BandsDone {
    Picture picture; ///< that was read, without its pixels
    std::string damage;
    Extent size{};
    PixelFormat pixels{}; ///< of the output
    std::shared_ptr<Engine> engine;
    std::string algorithm, reason;
    std::optional<Clipping> clipping{}; ///< of pixels all over the picture; empty = not known
    std::vector<std::string> notes;     ///< of the request, the engine and the file that was written
    std::int64_t bands = 0;
    StageTimes seconds;
};

/// Fills `out` with the file that encode_result() would make of the picture in `in`. Throws NotByRows with the reason if the
/// formats, the recipe or the memory do not allow it ("it is interlaced"), Error naming the file, Cancelled.
BandsDone filter_in_bands(const std::filesystem::path& in, const BandsWish& wish, ByteSink& out,
                          const std::stop_token& stop = {});

/// "Done in 37 bands of rows, because it needs 10.2 GiB of memory, and the limit is 1 GiB"
std::string bands_text(std::int64_t bands, std::size_t needed, std::size_t limit);
/// "cannot open NAME: it needs 10.2 GiB of memory, and the limit is 1 GiB; nor can it be done in bands of rows: REASON; FLAG
/// sets another limit"
std::string no_bands_text(std::string_view name, std::string_view reason, std::size_t needed,
                          std::size_t limit, std::string_view flag);

} // namespace kg::batch
