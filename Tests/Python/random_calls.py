"""Calls the interpreter in wrong orders with wrong arguments: it must raise, and never end the program.

    python random_calls.py [CALLS] [SEED] [--compare]

With `--compare` the official package gets the same calls, in processes of its own since it does not survive
all of them, and calls are listed where one raises and the other does not. Calls behind a crash or a difference
are not compared until the next interpreter.
"""

import argparse
import collections
import gc
import importlib
import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import conformance_cases

CALLS_PER_INTERPRETER = 40

MODELS = (
    "ABS/float32_long",
    "ADD/quint8_channel",
    "ASSIGN_VARIABLE/in_loop",
    "CAST/int2_to_float32",
    "CAST/int4_to_float32",
    "CAST/uint4_to_float32",
    "COMPLEX_ABS/complex128_rank0",
    "DENSIFY/float32_then_add",
    "GATHER/string_matrix",
    "MODEL/dynamic_signature_resized",
    "MODEL/resize_many",
    "MODEL/resize_to_zero",
    "RESHAPE/string",
    "SIGNATURE/order",
    "SIGNATURE/shared_subgraph",
    "SIGNATURE/shared_variable",
    "SIGNATURE/two_subgraphs",
    "UNIQUE/float32_int32",
    "VAR_HANDLE/store_string",
    "WHERE/bool_rank2",
    "VAR_HANDLE/accumulate_float32",
)

NOT_NUMBERS = (None, "0", 1.0, 2**40, b"\0", [0], (), {}, object, True, np.float32(1), np.array([1]))
NAMES = ("x", "y", "u", "v", "p", "q", "step", "first", "second", "", None, 5)
EXTENTS = (0, 1, 2, 3, 4, 5, 8, 39, -1, 70000)
TYPES = ("f4", "f8", "i1", "u1", "i2", "i4", "i8", "?", "c8", "c16", "S3", "U3", "O", ">f4", "M8[s]")


class Walk:
    """One interpreter and what calls are made to it; everything but the outcome follows from the seed."""

    def __init__(self, module: Any, seed: int, content: bytes, path: str, shapes: List[Any]) -> None:
        self.module = module
        self.random = random.Random(seed)
        self.content = content
        self.path = path
        # What the model's tensors look like, so that arguments are right often enough to get anywhere.
        self.shapes = shapes
        self.interpreter: Any = None
        self.functions: List[Any] = []
        self.arrays: List[Any] = []
        self.runners: List[Any] = []

    # ---- Arguments ----

    def index(self) -> Any:
        """The number of a tensor, mostly of one that there is."""
        draw = self.random.random()
        if draw < 0.8:
            return self.random.randrange(max(len(self.shapes), 1))
        if draw < 0.9:
            return self.random.choice((-1, -(2**31), 2**31 - 1, len(self.shapes), 99))
        return self.random.choice(NOT_NUMBERS)

    def extents(self, index: Any) -> Any:
        """Extents for a tensor."""
        draw = self.random.random()
        if draw < 0.4 and type(index) is int and 0 <= index < len(self.shapes):
            return list(self.shapes[index][0])
        if draw < 0.9:
            return [self.random.choice(EXTENTS) for _ in range(self.random.randrange(5))]
        return self.random.choice(("a", None, [[1]], 3, [1.5], [2**40], np.array([2], np.uint8), range(3)))

    def value(self, index: Any) -> Any:
        """Elements for a tensor, mostly of its shape and type."""
        draw = self.random.random()
        shape, dtype = (2,), np.dtype(self.random.choice(TYPES))
        if draw < 0.8 and type(index) is int and 0 <= index < len(self.shapes):
            shape, dtype = self.shapes[index]
        elif draw > 0.95:
            return self.random.choice((None, [], [1, [2]], "text", object(), {1: 2}, 3))
        if self.random.random() < 0.2:
            shape = tuple(max(self.random.choice(EXTENTS[:8]), 0) for _ in range(self.random.randrange(4)))
        if self.random.random() < 0.1:
            dtype = np.dtype(self.random.choice(TYPES))
        if dtype.kind in "SUO":
            return np.full(shape, self.random.choice((b"ab", "cd\u00e9", "")), object)
        if dtype.kind == "M":
            return np.zeros(shape, dtype)
        count = int(np.prod(shape))
        array = (np.arange(count) % self.random.choice((2, 4, 8, 100))).astype(dtype).reshape(shape)
        return array[::-1] if self.random.random() < 0.2 and array.ndim else array

    # ---- Calls ----

    def make(self) -> Any:
        """Makes the interpreter, mostly as it should be made."""
        arguments: Dict[str, Any] = {"model_content": self.content}
        draw = self.random.random()
        if draw < 0.3:
            arguments = {"model_path": self.path}
        elif draw < 0.4:
            arguments = self.random.choice(
                (
                    {},
                    {"model_content": self.content[: self.random.randrange(len(self.content))]},
                    {"model_path": self.path, "model_content": self.content},
                    {"model_path": "there is none"},
                    {"model_path": 5},
                    {"model_content": "text"},
                    {"model_content": bytearray(self.content)},
                )
            )
        if self.random.random() < 0.3:
            arguments["num_threads"] = self.random.choice((1, 2, 4, True, None, 0, -1, "1", 1.0, 2**40))
        if self.random.random() < 0.3:
            name = self.random.choice(list(self.module.OpResolverType.__members__))
            arguments["experimental_op_resolver_type"] = self.module.OpResolverType[name]
        if self.random.random() < 0.2:
            arguments["experimental_preserve_all_tensors"] = self.random.choice((True, False, 1, "yes"))
        return self.set_interpreter(arguments)

    def set_interpreter(self, arguments: Dict[str, Any]) -> None:
        """Makes an interpreter from arguments."""
        self.interpreter = self.module.Interpreter(**arguments)

    def call(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Calls a method, of a new interpreter where there is none."""
        if self.interpreter is None:
            self.set_interpreter({"model_content": self.content})
        return getattr(self.interpreter, name)(*arguments, **named)

    def set_tensor(self) -> Any:
        """Writes a tensor."""
        index = self.index()
        value = self.value(index)
        return self.call("set_tensor", index, value)

    def resize(self) -> Any:
        """Asks for other extents."""
        index = self.index()
        extents = self.extents(index)
        strict = self.random.choice((False, False, True, None, "yes"))
        return self.call("resize_tensor_input", index, extents, strict=strict)

    def get_tensor(self) -> Any:
        """Reads a tensor."""
        index = self.index()
        subgraph = self.random.choice((0, 0, 0, 0, 0, 1, -1, 9, None))
        return self.call("get_tensor", index, subgraph)

    def lend(self) -> None:
        """Takes a function for a view."""
        self.functions.append(self.call("tensor", self.index()))

    def view(self) -> None:
        """Takes a view."""
        draw = self.random.random()
        if self.functions:
            self.arrays.append(self.functions[int(draw * len(self.functions))]())

    def use_view(self) -> None:
        """Reads or writes a view, as old as it may be."""
        draw, writes = self.random.random(), self.random.random() < 0.5
        if not self.arrays:
            return
        array = self.arrays[int(draw * len(self.arrays))]
        if isinstance(array, np.ndarray) and array.dtype != object:
            if writes and array.flags.writeable:
                array[...] = 1
            else:
                array.tobytes()

    def drop(self) -> None:
        """Gives views up."""
        if self.random.random() < 0.8:
            self.arrays.clear()
        else:
            self.functions.clear()

    def delete(self) -> None:
        """Gives the interpreter up, and keeps what it gave."""
        if self.random.random() < 0.3:
            self.interpreter = None
            gc.collect()

    def take_runner(self) -> None:
        """Takes the runner of a signature."""
        key = self.random.choice((None, "f", "dense", "shift", "one", "two", "train", "infer", "", 5))
        self.runners.append(self.call("get_signature_runner", key))

    def run_signature(self) -> Any:
        """Runs a signature."""
        draw = self.random.random()
        names = self.random.sample(NAMES[:9], self.random.randrange(3))
        values = {name: self.value(self.random.randrange(3)) for name in names}
        if self.runners:
            return self.runners[int(draw * len(self.runners))](**values)
        return None

    def look(self) -> Any:
        """Asks for details."""
        name = self.random.choice(
            (
                "get_input_details",
                "get_output_details",
                "get_signature_list",
                "num_subgraphs",
                "reset_all_variables",
                "_safe_to_run",
            )
        )
        return self.call(name)

    def look_closely(self) -> Any:
        """Asks for details of something that may not be there."""
        index, subgraph = self.index(), self.random.choice((0, 0, 1, -1, 7))
        if self.random.random() < 0.5:
            return self.call("get_tensor_details", subgraph)
        if type(index) is not int or not 0 <= subgraph < 1:
            return None
        return self.call("_get_tensor_details", index, subgraph)

    def allocate(self) -> None:
        """Allocates tensors."""
        self.call("allocate_tensors")

    def invoke(self) -> None:
        """Runs the model."""
        self.call("invoke")

    def step(self, action: Callable[["Walk"], Any]) -> str:
        """Makes a call, and says how it ended."""
        # The next one draws the same, whatever this one did.
        later = random.Random(self.random.getrandbits(64))
        try:
            action(self)
            outcome = "fine"
        except Exception as error:
            outcome = f"{type(error).__name__}: {error}"[:300]
        self.random = later
        return outcome

    def steps(self, count: int) -> Iterator[Tuple[str, str]]:
        """Makes calls: says which, and how they ended."""
        yield "make", self.step(Walk.make)
        for _ in range(count):
            action = self.random.choices(list(ACTIONS), list(ACTIONS.values()))[0]
            yield action.__name__, self.step(action)


ACTIONS = {
    Walk.make: 1,
    Walk.allocate: 6,
    Walk.invoke: 6,
    Walk.set_tensor: 8,
    Walk.get_tensor: 8,
    Walk.resize: 4,
    Walk.lend: 2,
    Walk.view: 4,
    Walk.use_view: 4,
    Walk.drop: 6,
    Walk.delete: 1,
    Walk.take_runner: 2,
    Walk.run_signature: 3,
    Walk.look: 2,
    Walk.look_closely: 2,
}


class Model(NamedTuple):
    """A model to walk over."""

    name: str
    content: bytes
    path: str
    shapes: List[Any]


def models(module: Any, folder: str) -> List[Model]:
    """The models, with what their tensors look like."""
    result = []
    for case in conformance_cases.cases():
        if case.name not in MODELS:
            continue
        path = os.path.join(folder, case.name.replace("/", "_"))
        pathlib.Path(path).write_bytes(case.model)
        details = module.Interpreter(path).get_tensor_details()
        shapes = [(tuple(each["shape"].tolist()), np.dtype(each["dtype"])) for each in details]
        result.append(Model(case.name, case.model, path, shapes))
    return result


def walk(module: Any, model: Model, seed: int) -> List[Tuple[str, str]]:
    """The calls to one interpreter, and how they ended."""
    return list(Walk(module, seed, model.content, model.path, model.shapes).steps(CALLS_PER_INTERPRETER))


def walk_apart(module: Any, model: Model, seed: int) -> List[Tuple[str, str]]:
    """The same in a process of its own, up to a crash if there is one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(20)
        with os.fdopen(writing, "w") as file:
            steps = Walk(module, seed, model.content, model.path, model.shapes).steps(CALLS_PER_INTERPRETER)
            for step in steps:
                file.write(json.dumps(step) + "\n")
                file.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        outcomes = [tuple(json.loads(line)) for line in file if line.endswith("\n")]
    os.waitpid(child, 0)
    return outcomes


def first_difference(ours: List[Tuple[str, str]], theirs: List[Tuple[str, str]]) -> Optional[Tuple[str, str, str]]:
    """The first call that one raises in and the other does not, or that they raise different things in."""
    for (name, one), (_, other) in zip(ours, theirs):
        if one.partition(":")[0] != other.partition(":")[0]:
            return name, one, other
    return None


def main() -> None:
    """Walks as far as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("calls", nargs="?", type=int, default=10000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    ours = importlib.import_module("ocellus.interpreter")
    theirs = importlib.import_module("ai_edge_litert.interpreter") if arguments.compare else None
    outcomes: Dict[str, int] = collections.Counter()
    differences: Dict[Any, List[int]] = collections.defaultdict(list)
    crashes = 0
    with tempfile.TemporaryDirectory() as folder:
        walked = models(ours, folder)
        for number in range(-(-arguments.calls // (CALLS_PER_INTERPRETER + 1))):
            model, seed = walked[number % len(walked)], arguments.seed * 1_000_003 + number
            here = walk(ours, model, seed)
            outcomes.update(outcome.partition(":")[0] for _, outcome in here)
            if theirs is None:
                continue
            there = walk_apart(theirs, model, seed)
            crashes += len(there) < len(here)
            difference = first_difference(here, there)
            if difference:
                differences[difference].append(number)
    print(f"{sum(outcomes.values())} calls to {number + 1} interpreters of {len(walked)} models")
    print(", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    if theirs is not None:
        print(f"the official package ended its process {crashes} times")
        for difference, numbers in sorted(differences.items(), key=lambda pair: -len(pair[1])):
            name = walked[numbers[0] % len(walked)].name
            print(len(numbers), f"(interpreter {numbers[0]}, {name})", *difference, sep="\n    ")


if __name__ == "__main__":
    main()
