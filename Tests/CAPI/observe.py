#!/usr/bin/env python3
"""What a TensorFlow Lite C library says about models and does with them, as lines of JSON.

    observe.py LIBRARY MODEL... [--outputs FOLDER]

Every call is made in the same order with the same data, so that the lines of two libraries can be compared:
see compare.py. Outputs are written as raw bytes, one file for each.
"""
import argparse
import array
import ctypes as c
import hashlib
import json
import os


class Quantization(c.Structure):
    _fields_ = [("scale", c.c_float), ("zero_point", c.c_int32)]


class Library:
    """The functions that the observations need, with their types."""

    def __init__(self, path):
        self.library = c.CDLL(path)
        pointer, text, integer, size = c.c_void_p, c.c_char_p, c.c_int32, c.c_size_t
        self.declare("ModelCreateFromFile", pointer, text)
        self.declare("ModelCreate", pointer, pointer, size)
        self.declare("ModelDelete", None, pointer)
        self.declare("InterpreterOptionsCreate", pointer)
        self.declare("InterpreterOptionsSetErrorReporter", None, pointer, pointer, pointer)
        self.declare("InterpreterOptionsDelete", None, pointer)
        self.declare("InterpreterCreate", pointer, pointer, pointer)
        self.declare("InterpreterDelete", None, pointer)
        self.declare("InterpreterAllocateTensors", integer, pointer)
        self.declare("InterpreterInvoke", integer, pointer)
        self.declare("InterpreterResizeInputTensor", integer, pointer, integer, pointer, integer)
        self.declare("InterpreterResetVariableTensors", integer, pointer)
        self.declare("InterpreterGetVariableTensorCount", integer, pointer)
        self.declare("InterpreterGetTensor", pointer, pointer, integer)
        for kind in ("Input", "Output"):
            self.declare(f"InterpreterGet{kind}TensorCount", integer, pointer)
            self.declare(f"InterpreterGet{kind}Tensor", pointer, pointer, integer)
            self.declare(f"InterpreterGet{kind}TensorIndex", integer, pointer, integer)
            self.declare(f"SignatureRunnerGet{kind}Count", size, pointer)
            self.declare(f"SignatureRunnerGet{kind}Name", text, pointer, integer)
            self.declare(f"SignatureRunnerGet{kind}Tensor", pointer, pointer, text)
        self.declare("InterpreterGetSignatureCount", integer, pointer)
        self.declare("InterpreterGetSignatureKey", text, pointer, integer)
        self.declare("InterpreterGetSignatureRunner", pointer, pointer, text)
        self.declare("SignatureRunnerDelete", None, pointer)
        self.declare("SignatureRunnerAllocateTensors", integer, pointer)
        self.declare("SignatureRunnerInvoke", integer, pointer)
        self.declare("TensorType", integer, pointer)
        self.declare("TensorNumDims", integer, pointer)
        self.declare("TensorDim", integer, pointer, integer)
        self.declare("TensorByteSize", size, pointer)
        self.declare("TensorData", pointer, pointer)
        self.declare("TensorName", text, pointer)
        self.declare("TensorQuantizationParams", Quantization, pointer)
        self.declare("TensorCopyFromBuffer", integer, pointer, pointer, size)
        self.declare("TensorCopyToBuffer", integer, pointer, pointer, size)

    def declare(self, name, result, *arguments):
        function = getattr(self.library, "TfLite" + name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)


class Reporter:
    """Collects the messages of an interpreter."""

    libc = c.CDLL(None)

    def __init__(self):
        self.messages = []
        kind = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_void_p)
        self.function = kind(self.report)

    def report(self, _, message_format, arguments):
        text = c.create_string_buffer(2048)
        self.libc.vsnprintf(text, c.c_size_t(len(text)), message_format, c.c_void_p(arguments))
        self.messages.append(text.value.decode(errors="replace").strip())

    def take(self):
        messages, self.messages = self.messages, []
        return messages


def describe(library, tensor, memory=True):
    """What can be known of a tensor."""
    if not tensor:
        return None
    rank = library.TensorNumDims(tensor)
    quantization = library.TensorQuantizationParams(tensor)
    return {
        "name": (library.TensorName(tensor) or b"").decode(errors="replace"),
        "type": library.TensorType(tensor),
        "shape": [library.TensorDim(tensor, axis) for axis in range(rank)],
        "bytes": library.TensorByteSize(tensor),
        "scale": quantization.scale,
        "zero_point": quantization.zero_point,
        **({"has_memory": library.TensorData(tensor) is not None} if memory else {}),
    }


def pattern(name, count, kind):
    """Bytes that every library is given alike: small numbers, and floats between -1 and 1."""
    block = b"".join(hashlib.sha256(f"{name}{i}".encode()).digest() for i in range(64))
    stream = (block * (count // len(block) + 1))[:count]
    if kind == 1:  # float
        return array.array("f", [(byte - 128) / 128 for byte in stream[: count // 4]]).tobytes()
    if kind in (2, 4):  # wide integers: indices, mostly
        width = 4 if kind == 2 else 8
        return b"".join((byte % 2).to_bytes(width, "little") for byte in stream[: count // width])
    if kind == 6:  # truth
        return bytes(byte & 1 for byte in stream)
    return stream


class Observer:
    def __init__(self, library, path, folder):
        self.library, self.path, self.folder = library, path, folder
        self.name = os.path.basename(path)
        self.reporter = Reporter()

    def tell(self, step, **facts):
        messages = self.reporter.take()
        print(json.dumps({"model": self.name, "step": step, **facts, "messages": messages}))

    def run(self):
        library = self.library
        model = library.ModelCreateFromFile(self.path.encode())
        options = library.InterpreterOptionsCreate()
        library.InterpreterOptionsSetErrorReporter(options, self.reporter.function, None)
        interpreter = library.InterpreterCreate(model, options) if model else None
        library.ModelDelete(model)
        library.InterpreterOptionsDelete(options)
        self.tell("create", model=model is not None, interpreter=interpreter is not None)
        if not interpreter:
            return
        self.observe(interpreter)
        self.observe_signatures(interpreter)
        library.InterpreterDelete(interpreter)

    def tensors(self, interpreter, kind, memory=True):
        count = getattr(self.library, f"InterpreterGet{kind}TensorCount")(interpreter)
        get = getattr(self.library, f"InterpreterGet{kind}Tensor")
        return [describe(self.library, get(interpreter, i), memory) for i in range(count)]

    def observe(self, interpreter):
        library = self.library
        self.tell(
            "loaded",
            inputs=self.tensors(interpreter, "Input"),
            outputs=self.tensors(interpreter, "Output"),
            variables=library.InterpreterGetVariableTensorCount(interpreter),
            beyond=bool(library.InterpreterGetTensor(interpreter, 1 << 20)),
            before=bool(library.InterpreterGetTensor(interpreter, -1)),
        )
        self.tell("invoked too early", status=library.InterpreterInvoke(interpreter))
        status = library.InterpreterAllocateTensors(interpreter)
        self.tell("allocated", status=status, inputs=self.tensors(interpreter, "Input"))
        if status != 0:
            return
        self.fill(interpreter)
        self.tell("invoked", status=library.InterpreterInvoke(interpreter))
        self.keep(interpreter, "first")
        self.tell("results", outputs=self.tensors(interpreter, "Output"))
        self.tell("reset", status=library.InterpreterResetVariableTensors(interpreter))
        self.misuse(interpreter)
        self.resize(interpreter)

    def fill(self, interpreter):
        library = self.library
        statuses = []
        for position in range(library.InterpreterGetInputTensorCount(interpreter)):
            tensor = library.InterpreterGetInputTensor(interpreter, position)
            size, kind = library.TensorByteSize(tensor), library.TensorType(tensor)
            if kind == 5:
                continue
            data = pattern(f"{self.name}{position}", size, kind)
            statuses.append(library.TensorCopyFromBuffer(tensor, data, size))
        self.tell("filled", statuses=statuses)

    def keep(self, interpreter, run):
        """Writes the outputs, and says which there are."""
        library = self.library
        for position in range(library.InterpreterGetOutputTensorCount(interpreter)):
            tensor = library.InterpreterGetOutputTensor(interpreter, position)
            size = library.TensorByteSize(tensor)
            data = c.create_string_buffer(size or 1)
            status = library.TensorCopyToBuffer(tensor, data, size) if size else 0
            kind = library.TensorType(tensor)
            if status == 0 and self.folder:
                with open(f"{self.folder}/{self.name}.{run}.{position}.{kind}", "wb") as file:
                    file.write(data.raw[:size])

    def misuse(self, interpreter):
        library = self.library
        tensor = library.InterpreterGetInputTensor(interpreter, 0)
        size = library.TensorByteSize(tensor)
        self.tell(
            "wrong sizes",
            longer=library.TensorCopyFromBuffer(tensor, bytes(size + 1), size + 1),
            shorter=library.TensorCopyFromBuffer(tensor, bytes(size), max(size - 1, 0))
            if size else 1,
        )

    def resize(self, interpreter):
        library = self.library
        tensor = library.InterpreterGetInputTensor(interpreter, 0)
        rank = library.TensorNumDims(tensor)
        dims = (c.c_int32 * max(rank, 1))(*[library.TensorDim(tensor, i) for i in range(rank)])
        self.tell(
            "resized to the same",
            status=library.InterpreterResizeInputTensor(interpreter, 0, dims, rank),
            invoked=library.InterpreterInvoke(interpreter),
        )
        if rank > 0:
            dims[0] += 1
            status = library.InterpreterResizeInputTensor(interpreter, 0, dims, rank)
            self.tell("resized", status=status, inputs=self.tensors(interpreter, "Input"))
            self.tell("invoked while resized", status=library.InterpreterInvoke(interpreter))
            dims[0] -= 1
            library.InterpreterResizeInputTensor(interpreter, 0, dims, rank)
        self.tell("allocated again", status=library.InterpreterAllocateTensors(interpreter))
        self.fill(interpreter)
        self.tell("invoked again", status=library.InterpreterInvoke(interpreter))
        self.keep(interpreter, "second")

    def observe_signatures(self, interpreter):
        library = self.library
        count = library.InterpreterGetSignatureCount(interpreter)
        keys = [library.InterpreterGetSignatureKey(interpreter, i) for i in range(-1, count + 1)]
        self.tell("signatures", keys=[key and key.decode() for key in keys])
        missing = library.InterpreterGetSignatureRunner(interpreter, b"there is no such key")
        self.tell("unknown signature", runner=missing is not None)
        for key in keys[1:-1]:
            runner = library.InterpreterGetSignatureRunner(interpreter, key)
            facts = {}
            for kind in ("Input", "Output"):
                names = [
                    getattr(library, f"SignatureRunnerGet{kind}Name")(runner, i)
                    for i in range(getattr(library, f"SignatureRunnerGet{kind}Count")(runner))
                ]
                get = getattr(library, f"SignatureRunnerGet{kind}Tensor")
                facts[kind] = [(n.decode(), describe(library, get(runner, n), False)) for n in names]
            self.tell("signature", key=key.decode(), **facts)
            wrong = library.SignatureRunnerGetInputTensor(runner, b"no such input")
            self.tell("unknown input", tensor=wrong is not None)
            self.tell("allocated", status=library.SignatureRunnerAllocateTensors(runner))
            library.SignatureRunnerDelete(runner)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--outputs", help="a folder for the bytes of outputs")
    arguments = parser.parse_args()
    library = Library(arguments.library)
    for path in arguments.models:
        Observer(library, path, arguments.outputs).run()


if __name__ == "__main__":
    main()
