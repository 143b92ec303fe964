#pragma once
// Rectangles of an image that nobody holds as a whole, for kernelglass.dask: outputs have the bytes of the
// whole result.

#include <nanobind/nanobind.h>

namespace kg::python {

void bind_regions(nanobind::module_& module);

} // namespace kg::python
