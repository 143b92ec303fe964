#pragma once
// The families of NPP's filters, a file each. A Prepare per algorithm: it prepares a step, or returns why it
// cannot.

#include "peers/npp/binding.hpp"

namespace kg::peers::npp {

std::string filter_border(const ImageStep& step, Engine* engine, Method* method);         // dense.cpp
std::string filter_border_32f(const ImageStep& step, Engine* engine, Method* method);     // dense.cpp
std::string filter_row_column(const ImageStep& step, Engine* engine, Method* method);     // separable.cpp
std::string filter_gauss_advanced(const ImageStep& step, Engine* engine, Method* method); // gauss.cpp
std::string filter_box(const ImageStep& step, Engine* engine, Method* method);            // box.cpp
std::string filter_box_advanced(const ImageStep& step, Engine* engine, Method* method);   // box.cpp
std::string filter_sobel(const ImageStep& step, Engine* engine, Method* method);          // sobel.cpp

} // namespace kg::peers::npp
