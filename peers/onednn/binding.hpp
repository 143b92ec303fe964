#pragma once
// The functions of oneDNN in use (dnnl.h of oneDNN 2, which Debian 12 has), loaded at run time.

#include "core/support/shared_library.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace kg::peers::onednn {

inline constexpr int kFloat = 3;            // dnnl_data_type_t
inline constexpr int kForward = 96;         // dnnl_prop_kind_t: inference
inline constexpr int kDirect = 1;           // dnnl_alg_kind_t
inline constexpr int kCpu = 1;              // dnnl_engine_kind_t
inline constexpr unsigned kInOrder = 1;     // dnnl_stream_flags_t
inline constexpr int kOwnScratch = 1;       // dnnl_scratchpad_mode_t
inline constexpr int kAnyLayout = 1;        // dnnl_format_tag_t
inline constexpr int kImplementationOf = 8; // dnnl_query_t: a text
inline constexpr int kSourceOf = 129, kWeightsOf = 131, kResultOf = 133, kScratchOf = 136; // dnnl_query_t
inline constexpr int kSource = 1, kResult = 17, kWeights = 33, kBias = 41, kScratch = 80;  // DNNL_ARG_...

/// The extents of a tensor, the last one fastest: dnnl_dims_t.
using Dims = std::array<std::int64_t, 12>;
/// Room for the 696 bytes of a dnnl_memory_desc_t: extents, type and layout of a tensor.
struct Shape {
    alignas(8) std::array<std::byte, 1024> bytes;
};
/// Room for the 5976 bytes of a dnnl_convolution_desc_t.
struct Convolution {
    alignas(8) std::array<std::byte, 8192> bytes;
};
/// dnnl_exec_arg_t
struct Argument {
    int which;
    void* memory;
};
/// dnnl_version_t
struct Version {
    int major, minor, patch;
    const char* hash;
    unsigned cpu_runtime, gpu_runtime;
};

const SharedLibrary& library();

struct Functions {
    const Version* (*version)() = library().get<decltype(version)>("dnnl_version");
    const char* (*error_text)(int) = library().get<decltype(error_text)>("dnnl_status2str");
    int (*make_engine)(void**, int kind,
                       std::size_t index) = library().get<decltype(make_engine)>("dnnl_engine_create");
    int (*make_stream)(void**, void* engine,
                       unsigned flags) = library().get<decltype(make_stream)>("dnnl_stream_create");
    int (*wait)(void* stream) = library().get<decltype(wait)>("dnnl_stream_wait");
    int (*shape_by_strides)(Shape*, int count, const std::int64_t* extents, int type,
                            const std::int64_t* strides) =
        library().get<decltype(shape_by_strides)>("dnnl_memory_desc_init_by_strides");
    int (*shape_by_tag)(Shape*, int count, const std::int64_t* extents, int type,
                        int tag) = library().get<decltype(shape_by_tag)>("dnnl_memory_desc_init_by_tag");
    std::size_t (*shape_bytes)(const Shape*) =
        library().get<decltype(shape_bytes)>("dnnl_memory_desc_get_size");
    int (*same_shape)(const Shape*,
                      const Shape*) = library().get<decltype(same_shape)>("dnnl_memory_desc_equal");
    int (*convolution)(Convolution*, int prop, int algorithm, const Shape* source, const Shape* weights,
                       const Shape* bias, const Shape* result, const std::int64_t* strides,
                       const std::int64_t* dilation, const std::int64_t* before, const std::int64_t* behind) =
        library().get<decltype(convolution)>("dnnl_dilated_convolution_forward_desc_init");
    int (*make_attributes)(void**) = library().get<decltype(make_attributes)>("dnnl_primitive_attr_create");
    int (*set_scratch_mode)(void* attributes, int mode) =
        library().get<decltype(set_scratch_mode)>("dnnl_primitive_attr_set_scratchpad_mode");
    int (*choose)(void**, const Convolution*, void* attributes, void* engine,
                  void* hint) = library().get<decltype(choose)>("dnnl_primitive_desc_create");
    int (*choose_reorder)(void**, const Shape* from, void* from_engine, const Shape* to, void* to_engine,
                          void* attributes) =
        library().get<decltype(choose_reorder)>("dnnl_reorder_primitive_desc_create");
    const Shape* (*shape_of)(void* chosen, int what,
                             int index) = library().get<decltype(shape_of)>("dnnl_primitive_desc_query_md");
    int (*query)(void* chosen, int what, int index,
                 void* answer) = library().get<decltype(query)>("dnnl_primitive_desc_query");
    int (*make_primitive)(void**,
                          void* chosen) = library().get<decltype(make_primitive)>("dnnl_primitive_create");
    int (*execute)(void* primitive, void* stream, int count,
                   const Argument*) = library().get<decltype(execute)>("dnnl_primitive_execute");
    int (*make_memory)(void**, const Shape*, void* engine,
                       void* address) = library().get<decltype(make_memory)>("dnnl_memory_create");
};
const Functions& calls();

/// Throws Error for a status of oneDNN.
void check(int status);

/// Owns what oneDNN has created.
class Object {
public:
    Object() = default;
    /// `create` gets the address of the pointer to set, and returns a status; `destroy` names a function.
    template <typename Create>
    Object(const char* destroy, Create create) : object_(nullptr, library().get<int (*)(void*)>(destroy)) {
        void* made = nullptr;
        check(create(&made));
        object_.reset(made);
    }
    void* get() const { return object_.get(); }

private:
    std::unique_ptr<void, int (*)(void*)> object_{nullptr, nullptr};
};

/// Limits the OpenMP threads that oneDNN uses for the calling thread, as long as this lives. Without effect
/// where oneDNN was built for other threads than those of OpenMP.
class Threads {
public:
    explicit Threads(int count);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int before_ = 0; ///< 0: no OpenMP
};

} // namespace kg::peers::onednn
