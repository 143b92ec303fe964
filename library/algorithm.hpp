#pragma once
// What an algorithm of one's own for images on the CPU is written with, beside kernelglass.hpp: taps,
// borders, samples, refusals, the queue that runs its tasks, and the walk that verifies it (docs/library.md).

#include "core/image/border.hpp"
#include "core/plan/engine.hpp"
#include "core/reference/reference.hpp"
#include "core/request/kernel.hpp"
#include "core/request/sample.hpp"
#include "core/request/step.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "library/walk/walk.hpp"
