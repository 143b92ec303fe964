#include "app/io/packing_threads.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace kg {

namespace {

thread_local int wanted = 0;

} // namespace

PackingThreads::PackingThreads(int count) : before_(std::exchange(wanted, count)) {}

PackingThreads::~PackingThreads() { wanted = before_; }

int io::packing_threads() {
    return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace kg
