"""Runs a Python program with `ocellus.Interpreter` instead of the official one.

    python -m ocellus.run [OPTION…] PROGRAM.py [ARGUMENT…]
    python -m ocellus.run [OPTION…] -m MODULE [ARGUMENT…]

A program is a file, a folder or archive with a `__main__.py`, or a Python script in the PATH, such as `yolo`. It is
run as `python PROGRAM.py` or `python -m MODULE` would run it, and gets the rest of the command line. The program need
not be changed, and neither tflite-runtime nor ai-edge-litert nor TensorFlow need be installed: see
`ocellus.install`, which this module calls, also in Python programs that the program starts.

    --no-tensorflow   does not replace TensorFlow, and adds no stand-in for it
    --no-children     does not affect programs that the program starts
    -h, --help        prints this help
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import os
import shutil
import sys
from types import CodeType, ModuleType
from typing import List, NoReturn, Optional, Tuple

from . import in_place

_Spec = importlib.machinery.ModuleSpec


def main(arguments: List[str]) -> None:
    """Runs the program of the command line; see the module's docstring."""
    tensorflow = children = True
    while arguments and arguments[0].startswith("-") and arguments[0] not in ("-", "-m"):
        option = arguments.pop(0)
        if option in ("-h", "--help"):
            print(__doc__)
            return
        if option == "--no-tensorflow":
            tensorflow = False
        elif option == "--no-children":
            children = False
        elif option.startswith("-m"):
            arguments[:0] = ["-m", option[2:]]
        else:
            _fail(f"unknown option {option}", 2)
    if not arguments or arguments == ["-m"]:
        _fail("name a PROGRAM.py or -m MODULE to run; --help says more", 2)
    in_place.install(tensorflow=tensorflow)
    if children:
        _prepare_children(tensorflow)
    if arguments[0] == "-m":
        _run_module(arguments[1], arguments[2:])
    else:
        _run_program(arguments[0], arguments[1:])


def _fail(message: str, status: int) -> NoReturn:
    print(f"ocellus.run: {message}", file=sys.stderr)
    sys.exit(status)


def _prepare_children(tensorflow: bool) -> None:
    """Sets the environment so that Python programs started by this process replace the interpreter, too."""
    paths = [in_place.CHILDREN, os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    os.environ.pop(in_place.NO_TENSORFLOW, None)
    if not tensorflow:
        os.environ[in_place.NO_TENSORFLOW] = "1"


def _run_module(name: str, arguments: List[str]) -> None:
    try:
        spec = _main_spec(name)
    except (ImportError, ValueError) as error:
        _fail(str(error), 1)
    code = _code_of(spec)
    sys.argv[:] = [spec.origin or name, *arguments]
    _execute(code, spec.origin, spec.loader, spec)


def _main_spec(name: str) -> _Spec:
    """Returns the module that `python -m name` would run; for a package, its `__main__`."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise ImportError(f"No module named {name}")
    if spec.submodule_search_locations is None:
        return spec
    spec = importlib.util.find_spec(f"{name}.__main__")
    if spec is None:
        raise ImportError(
            f"No module named {name}.__main__; {name!r} is a package and cannot be directly executed"
        )
    return spec


def _code_of(spec: _Spec) -> CodeType:
    loader = spec.loader
    get_code = getattr(loader, "get_code", None)
    code: Optional[CodeType] = get_code(spec.name) if get_code else None
    if code is None:
        _fail(f"No code object available for {spec.name}", 1)
    return code


def _run_program(program: str, arguments: List[str]) -> None:
    path = os.path.abspath(program)
    if not os.path.exists(path):
        path = _script_in_path(program) or path
    sys.argv[:] = [program if os.path.exists(program) else path, *arguments]
    inside = importlib.machinery.PathFinder.find_spec("__main__", [path])
    if inside is not None:
        # A folder or an archive, which contains the program's modules.
        _set_first_path(path)
        _execute(_code_of(inside), inside.origin, inside.loader, inside)
        return
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    try:
        code, loader = _compile(path)
    except OSError as error:
        _fail(f"can't open file {path!r}: [Errno {error.errno}] {error.strerror}", 2)
    _execute(code, path, loader, None)


def _script_in_path(name: str) -> Optional[str]:
    """Returns the Python script that a shell would run by this name, for instance one that pip wrote."""
    path = None if os.sep in name else shutil.which(name)
    if path is None:
        return None
    with open(path, "rb") as file:
        line = file.readline(256)
    return path if line.startswith(b"#!") and b"python" in line else None


def _set_first_path(folder: str) -> None:
    """Sets the first entry of `sys.path` to the program's folder, unless Python's safe path is on."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _compile(path: str) -> Tuple[CodeType, object]:
    if path.endswith(tuple(importlib.machinery.BYTECODE_SUFFIXES)):
        loader = importlib.machinery.SourcelessFileLoader("__main__", path)
        code = loader.get_code("__main__")
        if code is not None:
            return code, loader
    with io.open_code(path) as file:
        source = file.read()
    return _compiled(source, path), importlib.machinery.SourceFileLoader("__main__", path)


def _compiled(source: bytes, path: str) -> CodeType:
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        _report(error.with_traceback(None))


def _execute(code: CodeType, path: Optional[str], loader: object, spec: Optional[_Spec]) -> None:
    """Runs code as the module `__main__`, which remains for threads and handlers that outlive it."""
    module = ModuleType("__main__")
    module.__dict__.update(
        __builtins__=sys.modules["builtins"],
        __cached__=None,
        __file__=path,
        __loader__=loader,
        __package__=spec.parent if spec else None,
        __spec__=spec,
    )
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except Exception as error:
        # Reports the error as Python does, without the lines of this file.
        traceback = error.__traceback__
        _report(error.with_traceback(traceback.tb_next if traceback else None))


def _report(error: BaseException) -> NoReturn:
    sys.excepthook(type(error), error, error.__traceback__)
    sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
