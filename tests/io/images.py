"""Images as other programs write and read them, for tests/io/image_oracle_test.cpp.

images.py make FOLDER          writes images with Pillow, OpenCV and ImageMagick, and their contents as raw
                               samples
images.py read FOLDER FILE...  decodes files with Pillow or OpenCV into raw samples
Both print a JSON list: file, raw (rows of interleaved samples), width, height, channels, dtype, alpha,
tolerance.
"""

import json
import os
import subprocess
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
try:
    import cv2
    import numpy as np
    from PIL import Image, ImageOps
except ImportError as missing:
    print("missing:", missing)
    sys.exit(77)


def truth(folder, file, array, alpha=False, tolerance=0.0):
    array = np.ascontiguousarray(array if array.ndim == 3 else array[:, :, None])
    raw = file + ".raw"
    array.tofile(os.path.join(folder, raw))
    height, width, channels = array.shape
    return {"file": file, "raw": raw, "width": width, "height": height, "channels": channels,
            "dtype": array.dtype.name, "alpha": alpha, "tolerance": tolerance}


def noise(height, width, channels, dtype, seed=1):
    generator = np.random.default_rng(seed)
    if dtype == np.float32:
        return generator.normal(0.5, 1, (height, width, channels)).astype(dtype)
    return generator.integers(0, np.iinfo(dtype).max, (height, width, channels), dtype, endpoint=True)


def smooth(height, width):
    """A smooth image for lossy codings, without symmetry, so that every orientation differs."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([40 + 3 * x, 200 - 2 * y - x, 90 + x * y / 30], 2).clip(0, 255).astype(np.uint8)


def bgr(array):
    return array[:, :, [2, 1, 0, 3][:array.shape[2]]] if array.ndim == 3 and array.shape[2] > 2 else array


def oriented(folder):
    image = Image.fromarray(smooth(32, 50))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        for extension, options in (("jpg", {"quality": 95, "subsampling": 0}), ("png", {}),
                                   ("webp", {"lossless": True}), ("tif", {})):
            file = f"oriented{orientation}.{extension}"
            path = os.path.join(folder, file)
            if extension == "tif":
                image.save(path, tiffinfo={0x0112: orientation})
            else:
                image.save(path, exif=exif, **options)
            with Image.open(path) as stored:
                # Pillow applies the orientation while it loads a TIFF; exif_transpose would apply it again.
                rotated = stored if extension == "tif" else ImageOps.exif_transpose(stored)
                upright = np.asarray(rotated.convert("RGB"))
            yield truth(folder, file, upright, tolerance=1 if extension == "jpg" else 0)


def by_pillow(folder):
    grey, rgba = noise(21, 33, 1, np.uint8)[:, :, 0], noise(21, 33, 4, np.uint8)
    rgb = np.ascontiguousarray(rgba[:, :, :3])
    kinds = {
        "L": Image.fromarray(grey), "RGB": Image.fromarray(rgb), "RGBA": Image.fromarray(rgba),
        "LA": Image.merge("LA", [Image.fromarray(grey), Image.fromarray(rgba[:, :, 3].copy())]),
        "P": Image.fromarray(rgb).quantize(50), "1": Image.fromarray(grey).convert("1"),
        "I16": Image.fromarray(noise(21, 33, 1, np.uint16)[:, :, 0]),
        "F": Image.fromarray(noise(21, 33, 1, np.float32)[:, :, 0]),
    }
    files = [("L", "png", {}), ("LA", "png", {}), ("RGB", "png", {}), ("RGBA", "png", {}), ("P", "png", {}),
             ("1", "png", {}), ("I16", "png", {}), ("L", "tif", {}),
             ("RGB", "tif", {"compression": "tiff_lzw"}), ("RGBA", "tif", {}), ("LA", "tif", {}),
             ("P", "tif", {}), ("1", "tif", {"compression": "group4"}), ("I16", "tif", {}), ("F", "tif", {}),
             ("F", "tif", {"compression": "tiff_adobe_deflate"}), ("RGB", "bmp", {}), ("L", "bmp", {}),
             ("P", "bmp", {}), ("1", "bmp", {}), ("RGB", "ppm", {}), ("L", "pgm", {}), ("1", "pbm", {}),
             ("RGBA", "webp", {"lossless": True, "exact": True}), ("RGB", "webp", {"quality": 80})]
    for number, (kind, extension, options) in enumerate(files):
        file = f"pillow{number}-{kind}.{extension}"
        kinds[kind].save(os.path.join(folder, file), **options)
        with Image.open(os.path.join(folder, file)) as stored:
            shown = stored.convert({"P": "RGB", "1": "L"}.get(stored.mode, stored.mode))
            samples = np.asarray(shown)
            if kind == "I16":
                samples = samples.astype(np.uint16)  # Pillow widens those of PNG
            yield truth(folder, file, samples, alpha=kind in ("RGBA", "LA"),
                        tolerance=1 if "quality" in options else 0)
    palette = kinds["P"].copy()
    palette.save(os.path.join(folder, "palette-trns.png"), transparency=bytes(range(0, 250, 5)))
    with Image.open(os.path.join(folder, "palette-trns.png")) as stored:
        yield truth(folder, "palette-trns.png", np.asarray(stored.convert("RGBA")), alpha=True)
    photo = Image.fromarray(smooth(40, 60))
    for file, image, options in (("cmyk.jpg", photo.convert("CMYK"), {"quality": 95}),
                                 ("grey.jpg", photo.convert("L"), {}),
                                 ("420.jpg", photo, {"subsampling": 2}),
                                 ("progressive.jpg", photo, {"progressive": True}),
                                 ("jpeg-in.tif", photo, {"compression": "jpeg"}),
                                 ("cmyk.tif", photo.convert("CMYK"), {})):
        image.save(os.path.join(folder, file), **options)
        with Image.open(os.path.join(folder, file)) as stored:
            shown = stored.convert("L" if stored.mode == "L" else "RGB")
            yield truth(folder, file, np.asarray(shown), tolerance=2)
    pages = [Image.fromarray(noise(5, 7, 3, np.uint8, seed)) for seed in range(3)]
    pages[0].save(os.path.join(folder, "pages.tif"), save_all=True, append_images=pages[1:])
    yield truth(folder, "pages.tif", np.asarray(pages[0]))


def by_opencv(folder):
    for number, (extension, channels, dtype, options) in enumerate([
            ("png", 3, np.uint16, []), ("png", 4, np.uint16, []), ("tif", 3, np.uint16, []),
            ("tif", 1, np.float32, []), ("tif", 3, np.float32, [cv2.IMWRITE_TIFF_COMPRESSION, 1]),
            ("ppm", 3, np.uint16, []), ("pgm", 1, np.uint16, []), ("pfm", 1, np.float32, []),
            ("pfm", 3, np.float32, []), ("exr", 1, np.float32, []), ("exr", 3, np.float32, []),
            ("exr", 4, np.float32, []),
            ("exr", 3, np.float32, [cv2.IMWRITE_EXR_TYPE, cv2.IMWRITE_EXR_TYPE_HALF])]):
        array = noise(19, 23, channels, dtype, number)
        if cv2.IMWRITE_EXR_TYPE in options:
            array = array.astype(np.float16).astype(np.float32)
        file = f"opencv{number}.{extension}"
        cv2.imwrite(os.path.join(folder, file), bgr(array), options)
        yield truth(folder, file, array, alpha=channels == 4)
    array = np.abs(noise(19, 23, 3, np.float32))
    cv2.imwrite(os.path.join(folder, "opencv.hdr"), bgr(array))
    shown = cv2.imread(os.path.join(folder, "opencv.hdr"), cv2.IMREAD_UNCHANGED)
    yield truth(folder, "opencv.hdr", bgr(shown))


def by_imagemagick(folder):
    rgba = noise(13, 17, 4, np.uint16)
    rgba.tofile(os.path.join(folder, "magick.rgba"))
    half = rgba // 257 * 257  # what 8 bits hold
    half.tofile(os.path.join(folder, "magick8.rgba"))
    for file, source, depth, options in (
            ("magick16.png", "magick.rgba", np.uint16, []), ("magick16.tif", "magick.rgba", np.uint16, []),
            ("magick16.pam", "magick.rgba", np.uint16, []),
            ("magick8.pam", "magick8.rgba", np.uint8, ["-depth", "8"]),
            ("magick-planar.tif", "magick.rgba", np.uint16, ["-interlace", "plane"]),
            ("magick-tiled.tif", "magick8.rgba", np.uint8,
             ["-depth", "8", "-define", "tiff:tile-geometry=16x16"]),
            ("magick-big-endian.tif", "magick.rgba", np.uint16, ["-endian", "MSB"]),
            ("magick-interlaced.png", "magick8.rgba", np.uint8, ["-depth", "8", "-interlace", "PNG"]),
            ("magick8.bmp", "magick8.rgba", np.uint8, ["-depth", "8"])):
        subprocess.run(["convert", "-size", "17x13", "-depth", "16", "-endian", "LSB",
                        "rgba:" + os.path.join(folder, source), *options, os.path.join(folder, file)],
                       check=True)
        yield truth(folder, file, rgba if depth == np.uint16 else (half // 257).astype(np.uint8), alpha=True)
    subprocess.run(["convert", "-size", "17x13", "-depth", "16", "-endian", "LSB",
                    "rgba:" + os.path.join(folder, "magick8.rgba"), "-alpha", "off", "-depth", "8",
                    "-compress", "none", os.path.join(folder, "text.ppm")], check=True)
    yield truth(folder, "text.ppm", (half[:, :, :3] // 257).astype(np.uint8))


def read(folder, files):
    for file in files:
        path = os.path.join(folder, file)
        plain = cv2.imread(path, cv2.IMREAD_UNCHANGED)
        if plain is not None and (plain.dtype != np.uint8 or file.endswith((".bmp", ".pam"))):
            # OpenCV leaves PAM's order.
            yield truth(folder, file, plain if file.endswith(".pam") else bgr(plain))
            continue
        with Image.open(path) as stored:
            yield truth(folder, file, np.asarray(stored))


def main():
    folder = sys.argv[2]
    if sys.argv[1] == "make":
        makers = (oriented, by_pillow, by_opencv, by_imagemagick)
        entries = [entry for make in makers for entry in make(folder)]
    else:
        entries = list(read(folder, sys.argv[3:]))
    json.dump(entries, sys.stdout)


main()
