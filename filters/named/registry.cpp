// All named filters, in menu order. Each has a declaration and an entry.

#include "filters/filter.hpp"

#include <array>

namespace kg {

extern const Filter kGaussian, kBox, kBinomial, kDisk, kMotion, kSharpen, kUnsharp, kSobel, kScharr, kPrewitt,
    kLaplacian, kLog, kDog, kEmboss, kIdentity, kCustom, kCustomGradient;

std::span<const Filter* const> filters() {
    static constexpr std::array list{
        &kGaussian,  //
        &kBox,       //
        &kBinomial,  //
        &kDisk,      //
        &kMotion,    //
        &kSharpen,   //
        &kUnsharp,   //
        &kSobel,     //
        &kScharr,    //
        &kPrewitt,   //
        &kLaplacian, //
        &kLog,       //
        &kDog,       //
        &kEmboss,    //
        &kIdentity,  //
        &kCustom,    //
        &kCustomGradient,
    };
    return list;
}

} // namespace kg
