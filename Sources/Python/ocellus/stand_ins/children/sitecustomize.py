"""Replaces the interpreter in a child process of `python -m ocellus.run`.

Python imports this module at its start, because the parent put the folder into PYTHONPATH.
"""

import importlib.util
import os
import sys


def _run_next() -> None:
    """Runs the module `sitecustomize` that this one hides, if any."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    this = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        # Python is still importing this module, and reports an error if it is gone in the end.
        sys.modules["sitecustomize"] = this


def _install() -> None:
    """Loads `in_place` by its file, because importing the whole package would slow down every child process."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    name = "ocellus.in_place"
    spec = importlib.util.spec_from_file_location(name, os.path.join(package, "in_place.py"))
    if spec is None or spec.loader is None or importlib.util.find_spec("ocellus") is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    module.install(tensorflow=os.environ.get(module.NO_TENSORFLOW) is None)


_install()
_run_next()
