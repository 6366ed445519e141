"""The interpreter of TensorFlow Lite models, with the interface of the official packages.

`Interpreter` has the arguments, results and exceptions of `ai_edge_litert.interpreter.Interpreter`, with these
differences: there are no delegates, constants are read-only, and intermediate results are kept only if the
interpreter was created with `experimental_preserve_all_tensors=True`; without it, those that are not overwritten can be
read, as those that the last operation takes.
"""

from __future__ import annotations

import enum
import json
import mmap
import os
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _arguments, _delegates
from ._delegates import Delegate as Delegate, DelegateError as DelegateError, load_delegate as load_delegate
from ._graph import Graph, main_calls, signature_calls
from ._library import owned_text
from ._modelfile import ModelRecord
from ._native import Native, fail, mapped_file
from ._signatures import SignatureRunner as SignatureRunner


@enum.unique
class OpResolverType(enum.Enum):
    """The kernels that an interpreter runs.

    `BUILTIN_REF` is bit-exact with the official reference kernels for floats, on every processor, and slower.
    All other values select the fast kernels. Integer results are equal with all of them.
    """

    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


_MANY_TENSORS = (
    "Warning: Enabling `experimental_preserve_all_tensors` with the BUILTIN or AUTO op resolver is intended for"
    " debugging purposes only. Be aware that this can significantly increase memory usage by storing all"
    " intermediate tensors. If you encounter memory problems or are not actively debugging, consider disabling"
    " this option."
)


class Interpreter:
    """Runs a TensorFlow Lite model.

        interpreter = Interpreter("model.tflite")
        interpreter.allocate_tensors()
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], array)
        interpreter.invoke()
        result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

    Models with signatures can be called by names: see `get_signature_runner`. Threads may share an
    interpreter; their calls wait for each other. `invoke` releases the GIL.
    """

    def __init__(
        self,
        model_path: Optional[Union[str, bytes, "os.PathLike[str]"]] = None,
        model_content: Optional[bytes] = None,
        experimental_delegates: Optional[Sequence[Any]] = None,
        num_threads: Optional[int] = None,
        experimental_op_resolver_type: OpResolverType = OpResolverType.AUTO,
        experimental_preserve_all_tensors: bool = False,
        experimental_disable_delegate_clustering: bool = False,
        experimental_default_delegate_latest_features: bool = False,
        experimental_compress_quantization_zero_points: bool = False,
        experimental_disable_delegate_node_fusion: bool = False,
        experimental_force_delegate_node_profiling: bool = False,
        *,
        numerics: Optional[str] = None,
    ) -> None:
        """Loads a model.

        Args:
          model_path: The path of a model file, which stays mapped.
          model_content: The bytes of a model, instead of a path.
          experimental_delegates: None or an empty list: there are no delegates.
          num_threads: The number of threads of a run; one by default.
          experimental_op_resolver_type: Whether float results are bit-exact with the official reference kernels.
          experimental_preserve_all_tensors: Whether `get_tensor` returns intermediate results, too.
          experimental_compress_quantization_zero_points: Stored and returned, without an effect.
          numerics: The rules for numbers, which the official interpreter does not have: "fast"; "exact", as
            `BUILTIN_REF` selects; "bfloat16", which rounds the factors of float matrix multiplications to
            bfloat16; "litert", the bits of what LiteRT 2.3 computes by default on this processor, integers
            included; or "litert-2.3/avx2" (AMD's), "litert-2.3/avx2-intel", "litert-2.3/avx512" or
            "litert-2.3/neon" for those of another processor.

        The other arguments concern delegates; they are accepted and have no effect.

        Raises:
          ValueError: The model cannot be read, or an argument is invalid.
        """
        if not hasattr(self, "_custom_op_registerers"):
            self._custom_op_registerers: Sequence[Any] = []
        self._experimental_compress_quantization_zero_points = experimental_compress_quantization_zero_points
        resolver = experimental_op_resolver_type
        if experimental_preserve_all_tensors and resolver in _FAST_RESOLVERS:
            warnings.warn(_MANY_TENSORS, stacklevel=2)
        if not isinstance(resolver, OpResolverType):
            raise ValueError(f"Unrecognized passed in op resolver type: {resolver}")
        _check_thread_count(num_threads)
        content = _model_content(model_path, model_content)
        threads = _arguments.integer(num_threads or 1, "num_threads")
        keeps = _arguments.boolean(experimental_preserve_all_tensors, "experimental_preserve_all_tensors")
        _check_flags(
            experimental_disable_delegate_clustering,
            experimental_default_delegate_latest_features,
            experimental_compress_quantization_zero_points,
            experimental_disable_delegate_node_fusion,
            experimental_force_delegate_node_profiling,
        )
        _check_registerers(self._custom_op_registerers)
        if numerics is None:
            numerics = "exact" if resolver is OpResolverType.BUILTIN_REF else "fast"
        self._native = Native(content, threads, _arguments.text(numerics, "numerics"), keeps)
        self._delegates = experimental_delegates or []
        for delegate in self._delegates:
            _delegates.refuse(delegate)
        self._model = ModelRecord(content)
        self._graphs: Dict[int, Graph] = {}
        self._main = self._graph(0)

    # ---- Running ----

    def allocate_tensors(self) -> None:
        """Allocates the tensors' memory: before the first run, and after a change of shapes.

        Raises:
          RuntimeError: The model cannot run on inputs of these shapes, or the program holds an array of
            `tensor`.
        """
        self._main.allocate()

    def invoke(self) -> None:
        """Runs the model on its current inputs.

        Other threads of the program continue during the run.

        Raises:
          RuntimeError: Tensors have no memory yet, the run failed, or the program holds an array of `tensor`.
        """
        self._main.invoke()

    def reset_all_variables(self) -> None:
        """Resets variables, which streaming models have, to their values before the first run."""
        native = self._native
        with native.lock:
            if native.library.TfLiteInterpreterResetVariableTensors(native.handle):
                fail("Variables cannot be reset.")

    # ---- Tensors ----

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Copies elements to an input.

        Args:
          tensor_index: The tensor's index, the entry `index` of `get_input_details`.
          value: An array of the tensor's shape and type, or a value that NumPy converts to one.

        Raises:
          ValueError: The value has another shape or type, or the tensor has no memory.
        """
        if type(tensor_index) is not int:
            tensor_index = _arguments.integer(tensor_index, "tensor_index")
        self._main.write(tensor_index, value)

    def get_tensor(self, tensor_index: int, subgraph_index: int = 0) -> Any:
        """Returns a copy of a tensor's elements: an array, or a scalar if it has no dimensions.

        Args:
          tensor_index: The tensor's index, the entry `index` of `get_output_details`.
          subgraph_index: The index of the tensor's subgraph.

        Raises:
          ValueError: There is no such tensor, or it has no memory.
        """
        if type(tensor_index) is not int:
            tensor_index = _arguments.integer(tensor_index, "tensor_index")
        if subgraph_index == 0 and type(subgraph_index) is int:
            return self._main.read(tensor_index)
        index = _arguments.integer(tensor_index, "tensor_index")
        return self._graph(_arguments.integer(subgraph_index, "subgraph_index")).read(index)

    def tensor(self, tensor_index: int) -> Callable[[], Any]:
        """Returns a function that returns an array in the tensor's own memory, to read and write without copies.

        Hold the function, and not the array: while the array or a slice of it exists, tensors cannot be
        allocated and the model cannot run. An array may outlive the interpreter. Constants are read-only.
        """
        return lambda: self._main.lend(_arguments.integer(tensor_index, "tensor_index"))

    def resize_tensor_input(self, input_index: int, tensor_size: Any, strict: bool = False) -> None:
        """Changes an input's shape, from the next `allocate_tensors` on.

        Args:
          input_index: The tensor's index, the entry `index` of `get_input_details`.
          tensor_size: The new shape.
          strict: Whether only the extents may change that are -1 in the tensor's `shape_signature`.

        Raises:
          RuntimeError: The tensor cannot have this shape, or the program holds an array of `tensor`.
        """
        self._ensure_safe()
        extents = _arguments.extents(tensor_size)
        index = _arguments.integer(input_index, "input_index")
        is_strict = _arguments.boolean(strict, "strict")
        self._main.resize(index, _arguments.shape(extents), is_strict)

    # ---- Details ----

    def get_input_details(self) -> List[Dict[str, Any]]:
        """Returns the details of every input.

        Each is a dictionary with:

        - `name`, and `index`, the index of the tensor;
        - `shape`, and `shape_signature`, the same with -1 for extents that the caller chooses;
        - `dtype`, the NumPy type of the elements;
        - `quantization`, a scale and a zero point, or 0.0 and 0 if there is no single pair;
        - `quantization_parameters`, with `scales` and `zero_points`, one for every slice along
          `quantized_dimension` or one for all, and `block_size`;
        - `sparsity_parameters`, the storage format of a sparse constant, empty for other tensors.
        """
        return [self._main.details(index) for index in self._model.subgraphs[0].inputs]

    def get_output_details(self) -> List[Dict[str, Any]]:
        """Returns the details of every output, as `get_input_details` lists them."""
        return [self._main.details(index) for index in self._model.subgraphs[0].outputs]

    def get_tensor_details(self, subgraph_index: int = 0) -> List[Dict[str, Any]]:
        """Returns the details of every tensor of a subgraph, as `get_input_details` lists them."""
        count = self.num_subgraphs()
        if subgraph_index < 0 or subgraph_index >= count:
            raise ValueError(
                f"subgraph_index is out of range: {subgraph_index} for the model, which has {count} subgraphs."
            )
        graph = self._graph(_arguments.integer(subgraph_index, "subgraph_index"))
        details = []
        for index in range(graph.tensor_count):
            try:
                details.append(graph.details(index))
            except ValueError:
                # As in the official package, tensors of types without a NumPy type are left out.
                continue
        return details

    def _get_tensor_details(self, tensor_index: int, subgraph_index: int = 0) -> Dict[str, Any]:
        return self._graph(int(subgraph_index)).details(int(tensor_index))

    def num_subgraphs(self) -> int:
        """Returns the number of subgraphs."""
        return len(self._model.subgraphs)

    def _get_ops_details(self) -> List[Dict[str, Any]]:
        """Returns every operation of the main subgraph, with the indices and types of its tensors."""
        return [self._op_details(node) for node in self._nodes()]

    def _get_op_details(self, op_index: int) -> Dict[str, Any]:
        nodes = self._nodes()
        if not 0 <= op_index < len(nodes):
            raise ValueError("Invalid node index")
        return self._op_details(nodes[op_index])

    def _nodes(self) -> List[Dict[str, Any]]:
        native = self._native
        with native.lock:
            text = owned_text(native.library.OcellusInterpreterNodes(native.handle))
        if text is None:
            fail("The operations of the model cannot be told.")
        nodes: List[Dict[str, Any]] = json.loads(text)["nodes"]
        return nodes

    def _op_details(self, node: Dict[str, Any]) -> Dict[str, Any]:
        def types(indices: Sequence[int]) -> List[Any]:
            return [self._main.details(index)["dtype"] for index in indices if index != -1]

        return {
            "index": node["index"],
            "op_name": node["op_name"],
            "inputs": np.array(node["inputs"], np.int32),
            "outputs": np.array(node["outputs"], np.int32),
            "operand_types": types(node["inputs"]),
            "result_types": types(node["outputs"]),
        }

    # ---- Signatures ----

    def get_signature_list(self) -> Dict[str, Dict[str, List[str]]]:
        """Returns the names of the model's signatures, with the names of their inputs and outputs.

        {"add": {"inputs": ["x", "y"], "outputs": ["output_0"]}}
        """
        return {
            key: {"inputs": list(signature.inputs), "outputs": list(signature.outputs)}
            for key, signature in self._model.signatures.items()
        }

    def _get_full_signature_list(self) -> Dict[str, Dict[str, Dict[str, int]]]:
        return {
            key: {"inputs": dict(signature.inputs), "outputs": dict(signature.outputs)}
            for key, signature in self._model.signatures.items()
        }

    @property
    def _signature_defs(self) -> Dict[str, Dict[str, List[str]]]:
        return self.get_signature_list()

    def get_signature_runner(self, signature_key: Optional[str] = None) -> SignatureRunner:
        """Returns a function that runs the model by the names of a signature.

            runner = interpreter.get_signature_runner("add")
            results = runner(x=first, y=second)
            print(results["output_0"])

        Args:
          signature_key: The name of the signature; optional if the model has only one.

        Raises:
          ValueError: There is no such signature.
        """
        signatures = self._model.signatures
        if signature_key is None:
            if len(signatures) != 1:
                raise ValueError(
                    f"SignatureDef signature_key is None and model has {len(signatures)} Signatures. "
                    "None is only allowed when the model has 1 SignatureDef"
                )
            signature_key = next(iter(signatures))
        return SignatureRunner(interpreter=self, signature_key=signature_key)

    # ---- Subgraphs ----

    def _graph(self, number: int) -> Graph:
        """Returns a subgraph by its index."""
        graph = self._graphs.get(number)
        if graph is None:
            self._check_subgraph(number)
            with self._native.lock:
                graph = self._graphs.get(number) or self._made_graph(number)
                self._graphs[number] = graph
        return graph

    def _made_graph(self, number: int) -> Graph:
        record = self._model.subgraphs[number]
        if number == 0:
            return Graph(self._native, record, main_calls(self._native, record))
        signatures = {
            key: signature for key, signature in self._model.signatures.items() if signature.subgraph == number
        }
        calls = signature_calls(self._native, signatures) if signatures else None
        return Graph(self._native, record, calls)

    def _check_subgraph(self, number: int) -> None:
        if not 0 <= number < self.num_subgraphs():
            raise ValueError(f"Invalid subgraph index {number} exceeds max subgraph index {self.num_subgraphs()}")

    # ---- Members of the official class that programs use ----

    @property
    def experimental_compress_quantization_zero_points(self) -> bool:
        """The argument with which the interpreter was created."""
        return self._experimental_compress_quantization_zero_points

    def _safe_to_run(self) -> bool:
        """Whether the program holds no array in the interpreter's memory."""
        return not self._native.loans

    def _ensure_safe(self) -> None:
        self._main.check_loans()

    def _native_handle(self) -> int:
        """Returns the address of the C interface's TfLiteInterpreter, which is not a C++ object."""
        assert self._native.handle is not None
        return self._native.handle


class InterpreterWithCustomOps(Interpreter):
    """The official package's class for custom operators, which this package does not support.

    Without custom operators it is an `Interpreter`. With any it raises an error, because functions that register
    them need the official package's C++ classes.
    """

    def __init__(self, custom_op_registerers: Optional[Sequence[Any]] = None, **kwargs: Any) -> None:
        self._custom_op_registerers = custom_op_registerers or []
        super().__init__(**kwargs)


_FAST_RESOLVERS = (OpResolverType.AUTO, OpResolverType.BUILTIN)


def _check_thread_count(num_threads: Optional[int]) -> None:
    if num_threads is None:
        return
    if not isinstance(num_threads, int):
        raise ValueError("type of num_threads should be int")
    if num_threads < 1:
        raise ValueError("num_threads should >= 1")


def _check_flags(*flags: Any) -> None:
    for flag in flags:
        _arguments.boolean(flag, "every experimental flag")


def _check_registerers(registerers: Sequence[Any]) -> None:
    """Rejects custom operators."""
    for registerer in registerers:
        raise ValueError(
            f"Looking up symbol '{registerer}' failed with error 'ocellus cannot register operators that are "
            "written against the C++ classes of TensorFlow Lite'. The C interface takes operators of a program's own."
        )


def _model_content(path: Any, content: Any) -> Union[bytes, mmap.mmap]:
    """Returns the bytes of the model that a program names or passes."""
    if path and not content:
        return mapped_file(os.fspath(path))
    if content and not path:
        if not isinstance(content, bytes):
            raise TypeError(
                f"incompatible function arguments: model_content is bytes, not {type(content).__name__}; "
                "bytes(model_content) makes them"
            )
        return content
    if not content and not path:
        raise ValueError("`model_path` or `model_content` must be specified.")
    raise ValueError("Can't both provide `model_path` and `model_content`")
