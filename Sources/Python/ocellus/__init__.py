"""TensorFlow Lite models on Linux, without TensorFlow and its runtime.

    import ocellus

    interpreter = ocellus.Interpreter("model.tflite")
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], array)
    interpreter.invoke()
    result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

`Detector`, `Labeler` and `Tracker` find, name and follow objects in pictures:

    detector = ocellus.Detector("detector.tflite")
    for found in detector.detect("photo.jpg"):
        print(found.label, found.score, found.box)

`Interpreter` has the interface of the class in `ai_edge_litert.interpreter`, `tflite_runtime.interpreter` and
`tf.lite`, including its exceptions. `python -m ocellus.run PROGRAM.py` runs programs that import one of these
unchanged.
"""

import importlib
from typing import TYPE_CHECKING, Any, List

__version__ = "0.1.0"

# The public names and their modules, which are imported when a name is first used.
_MODULES = {
    "audit": "audits",
    "Box": "vision",
    "Classification": "vision",
    "Classifications": "vision",
    "Delegate": "interpreter",
    "Detection": "vision",
    "Detections": "vision",
    "Detector": "vision",
    "install": "in_place",
    "Interpreter": "interpreter",
    "InterpreterWithCustomOps": "interpreter",
    "Labeler": "vision",
    "load_delegate": "interpreter",
    "OpResolverType": "interpreter",
    "profile": "audits",
    "read_picture": "vision",
    "receipt": "audits",
    "SignatureRunner": "interpreter",
    "trace": "audits",
    "Tracker": "vision",
    "uninstall": "in_place",
}

__all__ = [*_MODULES, "__version__"]

if TYPE_CHECKING:
    from .audits import audit as audit, profile as profile, receipt as receipt, trace as trace
    from .in_place import install as install, uninstall as uninstall
    from .interpreter import (
        Delegate as Delegate,
        Interpreter as Interpreter,
        InterpreterWithCustomOps as InterpreterWithCustomOps,
        OpResolverType as OpResolverType,
        SignatureRunner as SignatureRunner,
        load_delegate as load_delegate,
    )
    from .vision import (
        Box as Box,
        Classification as Classification,
        Classifications as Classifications,
        Detection as Detection,
        Detections as Detections,
        Detector as Detector,
        Labeler as Labeler,
        Tracker as Tracker,
        read_picture as read_picture,
    )


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *_MODULES})
