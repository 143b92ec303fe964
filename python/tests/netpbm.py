"""Images as files of PAM (integers) and PFM (float32), for the program."""

import numpy as np

TUPLES = {(1, False): "GRAYSCALE", (2, True): "GRAYSCALE_ALPHA", (3, False): "RGB", (4, True): "RGB_ALPHA"}


def write(path, array, alpha):
    height, width = array.shape[:2]
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype == np.float32:
        head = f"{'PF' if channels == 3 else 'Pf'}\n{width} {height}\n-1.0\n"
        content = np.ascontiguousarray(array[::-1]).astype("<f4").tobytes()
    else:
        head = (
            f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\n"
            f"MAXVAL {np.iinfo(array.dtype).max}\nTUPLTYPE {TUPLES[channels, alpha]}\nENDHDR\n"
        )
        content = array.astype(array.dtype.newbyteorder(">")).tobytes()
    path.write_bytes(head.encode() + content)


def read(path):
    content = path.read_bytes()
    if content.startswith(b"P7"):
        head, pixels = content.split(b"ENDHDR\n", 1)
        fields = dict(line.split(b" ", 1) for line in head.splitlines() if b" " in line)
        width, height, channels = (int(fields[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH"))
        kind = ">u2" if int(fields[b"MAXVAL"]) > 255 else "u1"
        return np.frombuffer(pixels, kind).astype(kind[-2:]).reshape(height, width, channels)
    kind, size, scale, pixels = content.split(b"\n", 3)
    width, height = map(int, size.split())
    order = "<f4" if float(scale) < 0 else ">f4"
    image = np.frombuffer(pixels, order).astype(np.float32)
    return image.reshape(height, width, 3 if kind == b"PF" else 1)[::-1]
