"""The small models of Tests/Conformance, with their inputs and the official runtime's results."""

import json
import pathlib
import tarfile
from typing import Any, Dict, Iterator, List

import numpy as np

ARCHIVE = pathlib.Path(__file__).resolve().parents[1] / "Conformance" / "cases.tar.gz"

_ELEMENTS_PER_BYTE = {"int4": 2, "uint4": 2, "int2": 4}


class Case:
    """A model, and for every run of it the inputs and the results."""

    def __init__(self, name: str, description: Dict[str, Any], model: bytes, contents: bytes) -> None:
        self.name = name
        self.description = description
        self.model = model
        self._contents = contents
        self.expected = description["expect"]

    def _per_run(self, key: str) -> List[Any]:
        value = self.description.get(key, [])
        count = self.description["invocations"]
        return value if count > 1 else [value]

    @property
    def inputs(self) -> List[List[Dict[str, Any]]]:
        """The inputs of every run."""
        return self._per_run("inputs")

    @property
    def outputs(self) -> List[List[Dict[str, Any]]]:
        """The results of every run."""
        return self._per_run("outputs")

    def signature(self, run: int) -> Any:
        """The name of the signature of a run; `None` where the main subgraph runs by itself."""
        key = self.description.get("signature")
        return key[run] if isinstance(key, list) else key

    def resizes(self, run: int) -> List[Any]:
        """Pairs of an input's position and its extents, for before a run."""
        if run == 0 and "resize" in self.description:
            return self.description["resize"]
        several = self.description.get("resizes")
        return several[run] if several else []

    def value(self, tensor: Dict[str, Any], offset: Any = None) -> np.ndarray:
        """The elements of a tensor."""
        start = tensor["offset"] if offset is None else offset
        raw = self._contents[start : start + tensor["bytes"]]
        kind, shape = tensor["dtype"], tuple(tensor["shape"])
        if kind == "string":
            return _strings(raw, shape)
        if kind in _ELEMENTS_PER_BYTE:
            return _unpacked(raw, kind, shape)
        if kind == "bfloat16":
            import ml_dtypes

            return np.frombuffer(raw, ml_dtypes.bfloat16).reshape(shape)
        return np.frombuffer(raw, kind).reshape(shape)


def _strings(raw: bytes, shape: Any) -> np.ndarray:
    count = int(np.frombuffer(raw, "<i4", 1)[0])
    offsets = np.frombuffer(raw, "<i4", count + 1, 4)
    result = np.empty(shape, object)
    result.reshape(-1)[:] = [raw[first:last] for first, last in zip(offsets, offsets[1:])]
    return result


def _unpacked(raw: bytes, kind: str, shape: Any) -> np.ndarray:
    per_byte = _ELEMENTS_PER_BYTE[kind]
    width = 8 // per_byte
    flat = [byte >> place * width & (1 << width) - 1 for byte in raw for place in range(per_byte)]
    if kind.startswith("int"):
        flat = [value - (1 << width) if value >> width - 1 else value for value in flat]
    dtype = np.uint8 if kind == "uint4" else np.int8
    return np.array(flat[: int(np.prod(shape))], dtype).reshape(shape)


def cases() -> Iterator[Case]:
    """All of them, one after the other."""
    files: Dict[str, Dict[str, bytes]] = {}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            file = archive.extractfile(member)
            name, _, suffix = member.name.rpartition(".")
            if file is None or suffix not in ("json", "tflite", "bin"):
                continue
            parts = files.setdefault(name, {})
            parts[suffix] = file.read()
            if len(parts) == 3:
                description = json.loads(parts["json"])
                yield Case(name, description, parts["tflite"], parts["bin"])
                del files[name]
