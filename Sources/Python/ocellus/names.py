"""Class names that a program uses instead of a model's own."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional

if TYPE_CHECKING:
    from typing import Sequence, Union

    ClassNames = Union[str, "os.PathLike[str]", Mapping[int, str], Sequence[Optional[str]]]
    """A file with a name a line, names by number, or a list."""

# Lines of a file that leave a class without a name.
_PLACEHOLDERS = ("", "???", "n/a")


def class_names(given: ClassNames) -> Dict[int, str]:
    """Returns names by number, from any of the accepted forms."""
    if isinstance(given, (str, os.PathLike)):
        with open(given, encoding="utf-8-sig") as file:
            return _names_of_lines(file.read().split("\n"))
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [(number, name) for number, name in enumerate(given) if name is not None]
    for number, name in pairs:
        if not isinstance(name, str):
            raise TypeError(f"names of classes are text: {name!r}, of class {number!r}, is not")
    return {int(number): name for number, name in pairs}


def _names_of_lines(lines: List[str]) -> Dict[int, str]:
    """Parses one name per line, or a number and a name in every line: `17 cat`, `17: cat`."""
    lines = [line.strip() for line in lines]
    numbered = [re.fullmatch(r"(\d+)(?::|\s)\s*(.*)", line) for line in lines if line]
    if numbered and all(numbered):
        pairs = [(int(match[1]), match[2]) for match in numbered if match]
    else:
        pairs = list(enumerate(lines))
    return {number: name for number, name in pairs if name.lower() not in _PLACEHOLDERS}
