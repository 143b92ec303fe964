#pragma once
// signal() and bank(): arrays of signals through taps, and batches of channels through filter banks.

#include <nanobind/nanobind.h>

namespace kg::python {

void bind_signals(nanobind::module_& module);
void bind_banks(nanobind::module_& module);

} // namespace kg::python
