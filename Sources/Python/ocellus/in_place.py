"""Replaces the official interpreters by `ocellus.Interpreter`, for programs that must not be changed.

Between `install()` and `uninstall()`, these modules are `ocellus.interpreter` under another name, whether or not
the packages that they belong to are installed:

    tflite_runtime.interpreter
    ai_edge_litert.interpreter
    tensorflow.lite.python.interpreter, the source of `tf.lite.Interpreter`

The rest of an installed package is unchanged. A package that is not installed gets a stand-in with the interpreter,
a version, and for `tflite-runtime` and `ai-edge-litert` the metadata for `importlib.metadata` and `pkg_resources`.
Stand-ins come last on `sys.path`, so installed packages take precedence.

Importing this module loads neither NumPy nor the engine.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType
from typing import List, Optional, Sequence, Tuple

__all__ = ["install", "uninstall"]

_OURS = "ocellus.interpreter"
_RUNTIMES = ("tflite_runtime.interpreter", "ai_edge_litert.interpreter")
_TENSORFLOW = "tensorflow.lite.python.interpreter"

_STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins")
CHILDREN = os.path.join(_STAND_INS, "children")
"""The folder that does the same in Python programs that find it in their PYTHONPATH."""
NO_TENSORFLOW = "OCELLUS_NO_TENSORFLOW"
"""The environment variable that tells them to leave TensorFlow as it is."""


def install(tensorflow: bool = True) -> None:
    """Replaces the official interpreters by `ocellus.Interpreter`, until `uninstall()` is called.

    Call it before the program imports them: names bound earlier by `from tflite_runtime.interpreter import
    Interpreter` keep the official class. A second call has no effect.

    Args:
        tensorflow: Whether TensorFlow's interpreter is replaced, too. If TensorFlow is not installed, a stand-in
            module `tensorflow` has `tf.lite.Interpreter` and related names, and raises an error for any other name.
            Some programs conclude from the module's presence that all of TensorFlow is installed.
    """
    global _installation
    if _installation is None:
        _installation = _Installation(tensorflow)


def uninstall() -> None:
    """Undoes `install()`; existing interpreters are not changed."""
    global _installation
    if _installation is not None:
        _installation.undo()
        _installation = None


def missing_from_tensorflow(module: str, name: str) -> str:
    """Returns the error message of TensorFlow's stand-in for names that it does not have."""
    return (
        f"module {module!r} has no attribute {name!r}: TensorFlow is not installed, and ocellus stands in for "
        "tf.lite.Interpreter only. Install TensorFlow for the rest, or ask ocellus for no stand-in "
        "(ocellus.install(tensorflow=False), python -m ocellus.run --no-tensorflow)"
    )


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and fills the replaced modules, before any other finder."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        # A child process may run a Python with the official package but without this one.
        if fullname not in self.names or importlib.util.find_spec("ocellus") is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=_OURS)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[ModuleType]:
        return None

    def exec_module(self, module: ModuleType) -> None:
        ours = importlib.import_module(_OURS)
        own = {name: value for name, value in vars(ours).items() if not _is_special(name)}
        vars(module).update(own, __doc__=ours.__doc__, __file__=ours.__file__)


class _Installation:
    """The changes by `install()`, which `undo` reverts."""

    def __init__(self, tensorflow: bool) -> None:
        names = _RUNTIMES + ((_TENSORFLOW,) if tensorflow else ())
        self.finder = _Finder(names)
        self.folders = [os.path.join(_STAND_INS, "runtimes")]
        if tensorflow:
            self.folders.append(os.path.join(_STAND_INS, "tensorflow_lite"))
        self.official = {name: sys.modules[name] for name in names if name in sys.modules}
        sys.path.extend(self.folders)
        _tell_resources(self.folders, present=True)
        sys.meta_path.insert(0, self.finder)
        for name, official in self.official.items():
            del sys.modules[name]
            _rebind(name, official, importlib.import_module(name))

    def undo(self) -> None:
        if self.finder in sys.meta_path:
            sys.meta_path.remove(self.finder)
        for name in self.finder.names:
            ours = sys.modules.get(name)
            if ours is not None and getattr(ours.__spec__, "loader", None) is self.finder:
                self._put_back(name, ours)
        sys.path[:] = [entry for entry in sys.path if entry not in self.folders]
        _tell_resources(self.folders, present=False)
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(_STAND_INS + os.sep):
                del sys.modules[name]

    def _put_back(self, name: str, ours: ModuleType) -> None:
        del sys.modules[name]
        package, _, own_name = name.rpartition(".")
        vars(sys.modules[package]).pop(own_name, None)
        official = self.official.get(name)
        if official is None and _is_stand_in(sys.modules[package]):
            return
        # Modules of the official package that were imported in the meantime may have our names.
        if official is None and _bindings(name, ours):
            official = importlib.import_module(name)
        if official is not None:
            sys.modules[name] = official
            _rebind(name, ours, official)


def _bindings(name: str, module: ModuleType) -> List[Tuple[ModuleType, str]]:
    """Returns where modules of `name`'s package hold the objects of `module` under the same names."""
    top = name.partition(".")[0]
    public = {key: value for key, value in vars(module).items() if not _is_special(key)}
    return [
        (other, key)
        for other_name, other in list(sys.modules.items())
        if other_name.partition(".")[0] == top and other_name != name
        for key, value in public.items()
        if getattr(other, "__dict__", {}).get(key) is value and not isinstance(value, ModuleType)
    ]


def _rebind(name: str, old: ModuleType, new: ModuleType) -> None:
    """Replaces the objects of `old` in the package of `name` by those of `new`, and sets `new` in its parent."""
    for module, key in _bindings(name, old):
        if key in vars(new):
            setattr(module, key, vars(new)[key])
    package, _, own_name = name.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], own_name, new)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_stand_in(module: Optional[ModuleType]) -> bool:
    return (getattr(module, "__file__", None) or "").startswith(_STAND_INS + os.sep)


def _tell_resources(folders: Sequence[str], present: bool) -> None:
    """Tells `pkg_resources`, which reads `sys.path` only once, about added or removed folders."""
    resources = sys.modules.get("pkg_resources")
    working_set = getattr(resources, "working_set", None)
    if working_set is None:
        return
    for folder in folders:
        if present:
            working_set.add_entry(folder)
            continue
        for key in working_set.entry_keys.pop(folder, []):
            working_set.by_key.pop(key, None)
        working_set.entries[:] = [entry for entry in working_set.entries if entry != folder]


_installation: Optional[_Installation] = None
