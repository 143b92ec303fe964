#pragma once
// How many threads may pack what one of them writes, said where threads are handed out, which is many calls above the codecs.

namespace kg {

/// For as long as it lives, so many, the calling one among them, pack pictures that this thread writes or begins to write.
/// 0 = one for each core, as without it. The bytes are the same.
class PackingThreads {
public:
    explicit PackingThreads(int count);
    ~PackingThreads();
    PackingThreads(const PackingThreads&) = delete;
    PackingThreads& operator=(const PackingThreads&) = delete;

private:
    const int before_;
};

namespace io {

/// At least one.
int packing_threads();

} // namespace io

} // namespace kg
