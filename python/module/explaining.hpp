#pragma once
// explain() and algorithms(): what would run, and why, as dictionaries of Python.

#include <nanobind/nanobind.h>

namespace kg::python {

void bind_explaining(nanobind::module_& module);

} // namespace kg::python
