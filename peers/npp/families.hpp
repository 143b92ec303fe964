#pragma once
// The families of NPP's filters, a file each. A Prepare per way: it makes a step ready, or says why it cannot be.

#include "peers/npp/binding.hpp"

namespace kg::peers::npp {

std::string filter_border(const ImageRequest& step, Engine* engine, Way* way);         // dense.cpp
std::string filter_border_32f(const ImageRequest& step, Engine* engine, Way* way);     // dense.cpp
std::string filter_row_column(const ImageRequest& step, Engine* engine, Way* way);     // separable.cpp
std::string filter_gauss_advanced(const ImageRequest& step, Engine* engine, Way* way); // gauss.cpp
std::string filter_box(const ImageRequest& step, Engine* engine, Way* way);            // box.cpp
std::string filter_box_advanced(const ImageRequest& step, Engine* engine, Way* way);   // box.cpp
std::string filter_sobel(const ImageRequest& step, Engine* engine, Way* way);          // sobel.cpp

} // namespace kg::peers::npp
