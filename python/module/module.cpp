// The Python module kernelglass._core. What people see is in python/kernelglass.

#include "core/support/error.hpp"
#include "python/module/explaining.hpp"
#include "python/module/filtering.hpp"
#include "python/module/recipes.hpp"
#include "python/module/regions.hpp"
#include "python/module/tensors.hpp"

#include <nanobind/nanobind.h>

#include <exception>

namespace {

/// Errors become ValueError with the same message. std::bad_alloc is MemoryError by itself.
void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const kg::Error& known) {
        PyErr_SetString(PyExc_ValueError, known.what());
    }
}

} // namespace

NB_MODULE(_core, module) {
    nanobind::register_exception_translator(translate);
    module.attr("version") = KG_VERSION;
    kg::python::bind_recipes(module);
    kg::python::bind_filtering(module);
    kg::python::bind_regions(module);
    kg::python::bind_explaining(module);
    kg::python::bind_signals(module);
    kg::python::bind_banks(module);
}
