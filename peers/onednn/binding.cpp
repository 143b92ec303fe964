#include "peers/onednn/binding.hpp"

#include "core/support/error.hpp"

namespace kg::peers::onednn {

namespace {

/// Functions of the OpenMP that oneDNN itself uses: the loader searches the libraries it depends on, too.
struct OpenMp {
    int (*most_threads)() = library().find<decltype(most_threads)>("omp_get_max_threads");
    void (*set_threads)(int) = library().find<decltype(set_threads)>("omp_set_num_threads");
};
const OpenMp& open_mp() {
    static const OpenMp functions;
    return functions;
}

} // namespace

const SharedLibrary& library() {
    static const SharedLibrary onednn("libdnnl.so.2", "oneDNN 2 (Debian's libdnnl2)");
    return onednn;
}

const Functions& calls() {
    static const Functions all;
    return all;
}

void check(int status) {
    if (status == 0) return;
    throw Error("onednn-refused", "oneDNN refused: {} (dnnl_status_t {})", calls().error_text(status),
                status);
}

Threads::Threads(int count) {
    if (!open_mp().most_threads || !open_mp().set_threads) return;
    before_ = open_mp().most_threads();
    open_mp().set_threads(count);
}

Threads::~Threads() {
    if (before_ > 0) open_mp().set_threads(before_);
}

} // namespace kg::peers::onednn
