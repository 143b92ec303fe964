#include "filters/kernel/snippets.hpp"

#include "core/request/separate.hpp"
#include "filters/kernel/own_snippets.hpp"
#include "filters/kernel_file.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr std::size_t kMostInFull = 961; ///< 31 x 31; above, a column and a row are shorter

/// The names of our borders: numpy.pad, scipy.ndimage, OpenCV, torch.nn.functional.pad. PyTorch has no
/// symmetric padding: NumPy pads there.
struct BorderNames {
    std::string_view numpy, scipy, opencv, torch;
};
BorderNames names(Border border) {
    switch (border) {
    case Border::zero:
    case Border::constant: return {"constant", "constant", "cv2.BORDER_CONSTANT", "constant"};
    case Border::replicate: return {"edge", "nearest", "cv2.BORDER_REPLICATE", "replicate"};
    case Border::reflect: return {"symmetric", "reflect", "cv2.BORDER_REFLECT", ""};
    case Border::reflect101: return {"reflect", "mirror", "cv2.BORDER_REFLECT_101", "reflect"};
    case Border::wrap: return {"wrap", "wrap", "cv2.BORDER_WRAP", "circular"};
    }
    return {};
}

std::string listed(const std::vector<float>& values) {
    std::string text = "[";
    for (const float v : values) text += (text.size() > 1 ? ", " : "") + to_text(v);
    return text + "]";
}

std::string rows_of(const Taps& t) {
    std::string text = "[";
    for (int i = 0; i < t.height; ++i) {
        const auto first = t.weights.begin() + static_cast<std::ptrdiff_t>(i) * t.width;
        text += (i > 0 ? ",\n                       " : "") + listed({first, first + t.width});
    }
    return text + "]";
}

/// A kernel as Python: the expression of its weights (float64, before the division), and the anchor.
struct PythonKernel {
    std::string weights, anchor, divisor;
};

PythonKernel python_kernel(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    const bool flips = kernel.flip;
    const int x = flips ? kernel.width - 1 - kernel.anchor_x : kernel.anchor_x,
              y = flips ? kernel.height - 1 - kernel.anchor_y : kernel.anchor_y;
    PythonKernel python{"", "(" + std::to_string(x) + ", " + std::to_string(y) + ")",
                        to_text(kernel.divisor)};
    const auto size = "(" + std::to_string(kernel.height) + ", " + std::to_string(kernel.width) + ")";
    if (!has_weights(stage)) {
        if (const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator))
            python.weights = "gaussian(" + to_text(gaussian->sigma) + ", " + size + ")";
        else python.weights = "np.ones(" + size + ")";
        return python;
    }
    if (kernel.weights.size() > kMostInFull) {
        if (auto f = separate(stage, index)) {
            if (flips) std::ranges::reverse(f->column), std::ranges::reverse(f->row);
            python.weights = "np.outer(np.array(" + listed(f->column) +
                             "),\n                      np.array(" + listed(f->row) + "))";
            return python;
        }
        if (kernel.weights.size() > kMostTyped) {
            python.weights = flips ? "np.load(\"kernel.npy\").astype(np.float64)[::-1, ::-1]"
                                   : "np.load(\"kernel.npy\").astype(np.float64)";
            return python;
        }
    }
    python.weights = "np.array(" + rows_of(taps(kernel)) +
                     ",\n                      np.float32).astype(np.float64)";
    return python;
}

std::string imports(Library library) {
    switch (library) {
    case Library::opencv: return "import cv2\nimport numpy as np\n";
    case Library::scipy: return "import numpy as np\nfrom scipy import ndimage\n";
    case Library::numpy: return "import numpy as np\n";
    case Library::pytorch: return "import numpy as np\nimport torch\nimport torch.nn.functional as F\n";
    case Library::python:
    case Library::kernelglass: break;
    }
    return {};
}

constexpr const char* kGaussianFunction = R"(

def gaussian(sigma, size):
    profiles = []
    for n in size:
        x = np.arange(n) - (n - 1) / 2
        profile = np.exp(-x * x / (2 * sigma * sigma))
        profiles.append(profile / profile.sum())
    return np.outer(*profiles)
)";

constexpr const char* kPads = R"(    height, width = kernel.shape
    x, y = anchor
    pads = [(y, height - 1 - y), (x, width - 1 - x)] + [(0, 0)] * (image.ndim - 2)
)";

std::string opencv_correlation(Border border) {
    const std::string begin = "def correlate(image, kernel, anchor, depth, delta=0):\n";
    const auto opencv = std::string(names(border).opencv);
    if (border != Border::wrap)
        return begin +
               "    return cv2.filter2D(image, depth, kernel, anchor=anchor, delta=delta,\n"
               "                        borderType=" +
               opencv + ")\n";
    return begin + R"(    height, width = kernel.shape  # filter2D knows no BORDER_WRAP
    x, y = anchor
    padded = cv2.copyMakeBorder(image, y, height - 1 - y, x, width - 1 - x, cv2.BORDER_WRAP)
    sums = cv2.filter2D(padded, depth, kernel, anchor=anchor, delta=delta)
    return sums[y:y + image.shape[0], x:x + image.shape[1]]
)";
}

std::string scipy_correlation(Border border) {
    return R"(def correlate(image, kernel, anchor):
    rest = image.ndim - 2  # the channels
    origin = [anchor[1] - kernel.shape[0] // 2, anchor[0] - kernel.shape[1] // 2] + [0] * rest
    return ndimage.correlate(image.astype(np.float64), kernel.reshape(kernel.shape + (1,) * rest),
                             mode=")" +
           std::string(names(border).scipy) + "\", cval=0, origin=origin)\n";
}

std::string numpy_correlation(Border border) {
    return "def correlate(image, kernel, anchor):\n" + std::string(kPads) +
           "    padded = np.pad(image.astype(np.float64), pads, mode=\"" + std::string(names(border).numpy) +
           R"(")
    rows, columns = image.shape[:2]
    return sum(kernel[i, j] * padded[i:i + rows, j:j + columns]
               for i in range(height) for j in range(width))
)";
}

std::string torch_correlation(Border border) {
    const auto torch = std::string(names(border).torch);
    auto text = "def correlate(image, kernel, anchor):\n" + std::string(kPads);
    if (torch.empty())
        text += "    padded = np.pad(image, pads, mode=\"symmetric\")  # torch has no such padding\n";
    else text += "    padded = image\n";
    text += R"(    planes = torch.from_numpy(padded.astype(np.float32))
    planes = planes.reshape(*padded.shape[:2], -1).permute(2, 0, 1)[:, None]
)";
    if (!torch.empty()) text += "    planes = F.pad(planes, (*pads[1], *pads[0]), mode=\"" + torch + "\")\n";
    return text + R"(    weights = torch.from_numpy(kernel.astype(np.float32).copy())[None, None]
    sums = F.conv2d(planes, weights)  # a correlation
    return sums[:, 0].permute(1, 2, 0).reshape(image.shape).numpy()
)";
}

std::string correlation(Library library, Border border) {
    switch (library) {
    case Library::opencv: return opencv_correlation(border);
    case Library::scipy: return scipy_correlation(border);
    case Library::numpy: return numpy_correlation(border);
    case Library::pytorch: return torch_correlation(border);
    case Library::python:
    case Library::kernelglass: break;
    }
    return {};
}

std::string numpy_type(Depth depth) {
    switch (depth) {
    case Depth::u8: return "np.uint8";
    case Depth::u16: return "np.uint16";
    case Depth::f16: return "np.float16";
    case Depth::f32:
    case Depth::f64: break;
    }
    return "np.float32";
}

/// Clamping, then rounding to nearest, ties to even, as in our own results.
std::string rounding(Depth depth) {
    const auto type = numpy_type(depth);
    if (!is_integer(depth)) return "    return result.astype(" + type + ")\n";
    return "    return np.clip(np.rint(result), 0, " + std::string(depth == Depth::u8 ? "255" : "65535") +
           ").astype(" + type + ")\n";
}

/// OpenCV rounds and clamps by itself where one kernel makes the result.
std::string opencv_alone(const Stage& stage, const PixelFormat& image, const PythonKernel& kernel) {
    auto text = "    kernel = " + kernel.weights + "\n    kernel = (kernel / " + kernel.divisor +
                ").astype(np.float32)\n";
    if (image.depth == Depth::f16) text += "    image = image.astype(np.float32)\n";
    text += "    result = correlate(image, kernel, " + kernel.anchor + ", -1";
    if (offset(stage) != 0)
        text += ", delta=" + to_text(static_cast<double>(offset(stage)) * full_scale(image));
    text += ")\n";
    return text +
           (image.depth == Depth::f16 ? "    return result.astype(np.float16)\n" : "    return result\n");
}

std::string filtered_function(Library library, const Stage& stage, const PixelFormat& image) {
    auto text = "def filtered(image):\n    \"\"\"image: rows x columns (x channels), " +
                numpy_type(image.depth).substr(3) + "\"\"\"\n";
    if (std::ranges::any_of(stage.kernels, &Kernel::flip))
        text += "    # Rotated by 180 degrees: a true convolution.\n";
    if (library == Library::opencv && stage.combine == Combine::single)
        return text + opencv_alone(stage, image, python_kernel(stage, 0));
    const std::string depth = library == Library::opencv ? ", cv2.CV_32F" : "";
    if (library == Library::opencv && image.depth == Depth::f16)
        text += "    image = image.astype(np.float32)\n";
    for (std::size_t i = 0; i < stage.kernels.size(); ++i) {
        const auto kernel = python_kernel(stage, i);
        const auto result = stage.kernels.size() > 1 ? "result_" + std::to_string(i + 1)
                                                     : std::string("result");
        text += "    kernel = " + kernel.weights + "\n    " + result + " = correlate(image, kernel, " +
                kernel.anchor + depth + ")" + (kernel.divisor == "1" ? "" : " / " + kernel.divisor) + "\n";
    }
    if (stage.kernels.size() > 1) {
        std::string sum;
        for (std::size_t i = 1; i <= stage.kernels.size(); ++i) {
            const auto result = "result_" + std::to_string(i);
            sum += (sum.empty() ? "" : " + ") +
                   (stage.combine == Combine::l1 ? "np.abs(" + result + ")" : result + " ** 2");
        }
        text += "    result = " + (stage.combine == Combine::l1 ? sum : "np.sqrt(" + sum + ")") + "\n";
    }
    if (offset(stage) != 0)
        text += "    result = result + " + to_text(static_cast<double>(offset(stage)) * full_scale(image)) +
                "\n";
    return text + rounding(image.depth);
}

} // namespace

std::string_view title(Library library) {
    switch (library) {
    case Library::opencv: return "OpenCV";
    case Library::scipy: return "SciPy";
    case Library::numpy: return "NumPy";
    case Library::pytorch: return "PyTorch";
    case Library::python: return "Kernelglass in Python";
    case Library::kernelglass: return "Kernelglass in a shell";
    }
    return {};
}

std::string snippet(Library library, const Step& step, const SnippetContext& context) {
    const auto stage = stage_of(step);
    if (library == Library::kernelglass) return shell_snippet(step, context);
    if (library == Library::python) return python_snippet(step, context);
    std::string text = "# " + to_text(Step{step.filter, step.values, {}, true}) + ", border " +
                       std::string(name(context.border)) + "\n" + imports(library);
    const bool is_formula = !has_weights(stage) && std::holds_alternative<GaussianGenerator>(stage.generator);
    if (is_formula) text += kGaussianFunction;
    return text + "\n\n" + correlation(library, context.border) + "\n\n" +
           filtered_function(library, stage, context.image);
}

Recipe snippet_recipe(const Step& step, Border border) {
    Recipe recipe;
    recipe.steps = {step};
    recipe.steps.front().enabled = true;
    recipe.border = border == Border::constant ? Border::zero : border;
    recipe.alpha = AlphaMode::straight;
    return recipe;
}

} // namespace kg
