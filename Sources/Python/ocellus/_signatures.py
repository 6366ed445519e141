"""Running a model by the names of one of its signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from . import _arguments

if TYPE_CHECKING:
    from .interpreter import Interpreter


class SignatureRunner:
    """A signature of a model as a function.

    `Interpreter.get_signature_runner` creates one:

        runner = interpreter.get_signature_runner("serving_default")
        results = runner(left=left, right=right)
        print(results["sum"])
    """

    def __init__(self, interpreter: Optional["Interpreter"] = None, signature_key: Optional[str] = None) -> None:
        if not interpreter:
            raise ValueError("None interpreter provided.")
        if not signature_key:
            raise ValueError("None signature_key provided.")
        signatures = interpreter._model.signatures
        if signature_key not in signatures:
            raise ValueError(f'Invalid signature_key provided: "{signature_key}".')
        signature = signatures[signature_key]
        self._interpreter = interpreter
        self._signature_key = signature_key
        self._inputs = signature.inputs
        self._outputs = signature.outputs.items()
        self._subgraph_index = signature.subgraph
        self._graph = interpreter._graph(signature.subgraph)

    def __call__(self, **kwargs: Any) -> Dict[str, Any]:
        """Runs the signature.

        Takes an array for every input by its name, of any shape that the model supports. Returns an array
        for every output by its name.
        """
        if len(kwargs) != len(self._inputs):
            raise ValueError(
                "Invalid number of inputs provided for running a SignatureDef, "
                f"expected {len(self._inputs)} vs provided {len(kwargs)}"
            )
        for name, value in kwargs.items():
            if name not in self._inputs:
                raise ValueError(f"Invalid Input name ({name}) for SignatureDef")
            extents = _arguments.shape(_arguments.extents(value.shape))
            self._graph.resize(self._inputs[name], extents, False)
        self._graph.allocate()
        for name, value in kwargs.items():
            self._graph.write(self._inputs[name], value)
        self._graph.invoke()
        return {name: self._graph.read(index) for name, index in self._outputs}

    def get_input_details(self) -> Dict[str, Dict[str, Any]]:
        """Returns the details of every input by its name, as `Interpreter.get_input_details` lists them."""
        return {name: self._graph.details(index) for name, index in self._inputs.items()}

    def get_output_details(self) -> Dict[str, Dict[str, Any]]:
        """Returns the details of every output by its name, as `Interpreter.get_input_details` lists them."""
        return {name: self._graph.details(index) for name, index in self._outputs}
