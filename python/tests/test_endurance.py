"""Memory, threads and interruption. KG_CALLS sets the number of calls."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import kernelglass as kg
from conftest import noise

CALLS = int(os.environ.get("KG_CALLS", 5000))


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_calls_do_not_take_memory(rng):
    array = noise(rng, (16, 16, 4), np.uint8)
    out = np.empty_like(array)

    def call(number):
        kg.filter(array, "box:size=3")
        kg.filter(array[:, ::2], "gaussian:sigma=1", alpha=True)
        kg.filter(array, f"box:size={1 + number % 99}", out=out)  # more recipes than plans are kept
        kg.kernel([[1, 2], [3, number % 7]])
        try:
            kg.filter(array, "box", border="nowhere")
        except ValueError:
            pass

    for number in range(min(CALLS, 2000)):
        call(number)
    before = resident_bytes()
    for number in range(CALLS // 5):
        call(number)
    grown = resident_bytes() - before
    print(f"{CALLS} calls: {grown} bytes more")
    assert grown < 4 << 20


def test_errors_keep_no_array(rng):
    array = noise(rng, (8, 8), np.float64)
    out = np.zeros((4, 4), np.uint8)
    before = sys.getrefcount(array), sys.getrefcount(out)
    for _ in range(10):
        for call in (lambda: kg.filter(array, "box"), lambda: kg.filter(out[1:], "box", out=out)):
            with pytest.raises(ValueError):
                call()
    assert (sys.getrefcount(array), sys.getrefcount(out)) == before
    array.resize((9, 9), refcheck=False)  # fails while a buffer of it is held


def test_eight_threads_at_once_get_their_own_results(rng):
    arrays = [noise(rng, (40 + number, 50, 3), np.uint8) for number in range(8)]
    recipes = ["gaussian:sigma=2", "box:size=7", "sobel", "sharpen"]
    expected = {
        (number, recipe): kg.filter(array, recipe)
        for number, array in enumerate(arrays)
        for recipe in recipes
    }
    large = noise(rng, (600, 800), np.uint8)
    expected_large = kg.filter(large, "gaussian:sigma=3")
    wrong = []

    def work(number):
        for call in range(60):
            recipe = recipes[call % len(recipes)]
            if not np.array_equal(kg.filter(arrays[number], recipe), expected[number, recipe]):
                wrong.append((number, recipe))
        if not np.array_equal(kg.filter(large, "gaussian:sigma=3"), expected_large):
            wrong.append((number, "large"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_while_one_computes(rng):
    array = noise(rng, (1500, 1500), np.float32)
    recipe = kg.kernel(rng.random((31, 31)))
    done = threading.Event()
    thread = threading.Thread(target=lambda: (kg.filter(array, recipe, algorithm="direct"), done.set()))
    thread.start()
    steps = 0
    while not done.is_set():
        steps += 1
    thread.join()
    assert steps > 0


LONG = """
import signal, numpy as np, kernelglass as kg
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
array = np.zeros((4000, 4000), np.float32)
recipe = kg.kernel(np.random.default_rng(0).random((255, 255)))
print("begins", flush=True)
try:
    kg.filter(array, recipe, engine="cpu", algorithm="direct")
except KeyboardInterrupt:
    print("interrupted", kg.filter(np.uint8([[9]]), "box").tolist(), flush=True)
"""


def test_an_interrupt_ends_a_long_call():
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begins\n"
    threading.Event().wait(0.5)  # until it computes; an earlier signal ends the call as well
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert output == "interrupted [[9]]\n"
    assert process.returncode == 0


def test_importing_starts_no_other_library():
    code = (
        "import sys, kernelglass; "
        "assert not {'numpy', 'torch', 'cupy', 'subprocess'} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
