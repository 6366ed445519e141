#!/usr/bin/env python3
"""Builds the package's wheel: one file for Python 3.9 and later on one kind of processor.

    make_wheel.py [--library FILE] [--search FOLDER]… [--licence FILE] [--output FOLDER]

`swift build -c release --product OcellusPython` builds the library. A wheel is an archive with a few lines of
metadata, so building one needs nothing from PyPI. pip calls this module, too: `pip install Sources/Python` works
once the library is built.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import wheel_libraries
from wheel_libraries import WheelError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ROOT / ".build" / "release" / "libOcellusPython.so"
LARGEST = 12_000_000
"""What a wheel may weigh, in bytes."""

_Entry = Tuple[str, bytes, int]


def make_wheel(
    library: Path, output: Path, search: Sequence[Path] = (), licence: Optional[Path] = None
) -> Path:
    """Writes the wheel into a folder.

    Args:
        library: The built library with both C interfaces.
        output: The folder for the wheel.
        search: The folders with the libraries that it needs; by default this machine's.
        licence: The licence of libraries that belong to no package of this machine.
    """
    if not library.is_file():
        raise WheelError(
            f"{library} is not there: swift build -c release --product OcellusPython makes it"
        )
    project = _project()
    version = _version()
    with tempfile.TemporaryDirectory() as folder:
        libraries = Path(folder, "lib")
        borrowed = wheel_libraries.gather(library, libraries, search, licence)
        processor = wheel_libraries.machine(library)
        tag = f"py3-none-manylinux_2_{wheel_libraries.oldest_profile(libraries)}_{processor}"
        entries = _package_files() + [
            (f"ocellus/lib/{file.name}", file.read_bytes(), 0o755) for file in sorted(libraries.iterdir())
        ]
    licences = {"LICENSE": ROOT / "LICENSE"}
    licences.update({f"{item.name}.txt": item.licence for item in borrowed})
    entries += _metadata_files(f"ocellus-{version}.dist-info", project, version, tag, licences)
    wheel = output / f"ocellus-{version}-{tag}.whl"
    output.mkdir(parents=True, exist_ok=True)
    _write(wheel, entries, f"ocellus-{version}.dist-info/RECORD")
    if wheel.stat().st_size > LARGEST:
        raise WheelError(f"{wheel} has {wheel.stat().st_size} bytes, more than {LARGEST}")
    return wheel


def _project() -> Dict[str, Any]:
    """Returns the project's entries in pyproject.toml."""
    try:
        import tomllib
    except ImportError:
        raise WheelError("a wheel is made with Python 3.11 or later; it runs with 3.9 and later") from None
    with open(HERE / "pyproject.toml", "rb") as file:
        project: Dict[str, Any] = tomllib.load(file)["project"]
    return project


def _version() -> str:
    """Returns the version that `ocellus --version` prints, from the same source file."""
    release = (ROOT / "Sources" / "Platform" / "Release.swift").read_text()
    numbers = re.search(r"numbers = \[([\d, ]+)\]", release)
    if numbers is None:
        raise WheelError("Sources/Platform/Release.swift does not say `numbers = [1, 2, 3]`")
    return numbers.group(1).replace(", ", ".")


def _package_files() -> List[_Entry]:
    package = HERE / "ocellus"
    files = [
        file
        for file in package.rglob("*")
        if file.is_file() and not {"__pycache__", "lib"} & set(file.relative_to(package).parts)
    ]
    return [(file.relative_to(HERE).as_posix(), file.read_bytes(), 0o644) for file in sorted(files)]


def _metadata_files(
    folder: str, project: Dict[str, Any], version: str, tag: str, licences: Dict[str, Path]
) -> List[_Entry]:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in licences),
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {requirement}" for requirement in project["dependencies"]),
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: make_wheel.py", "Root-Is-Purelib: false", f"Tag: {tag}"]
    texts = {"METADATA": lines, "WHEEL": wheel}
    files = [(f"{folder}/{name}", "\n".join(text + [""]).encode(), 0o644) for name, text in texts.items()]
    return files + [
        (f"{folder}/licenses/{name}", path.read_bytes(), 0o644) for name, path in licences.items()
    ]


def _write(wheel: Path, entries: Sequence[_Entry], record_name: str) -> None:
    """Writes the archive reproducibly: equal files give equal bytes on any machine at any time."""
    record = [
        f"{name},sha256={_digest(content)},{len(content)}\n" for name, content, _ in entries
    ] + [f"{record_name},,\n"]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, mode in [*entries, (record_name, "".join(record).encode(), 0o644)]:
            information = zipfile.ZipInfo(name)
            information.compress_type = zipfile.ZIP_DEFLATED
            information.external_attr = (0o100000 | mode) << 16
            archive.writestr(information, content)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Builds the wheel for pip (PEP 517); `--config-settings library=FILE` selects another library."""
    library = Path((config_settings or {}).get("library", BUILT))
    return make_wheel(library, Path(wheel_directory)).name


def _main() -> None:
    parser = argparse.ArgumentParser(description="Makes the wheel of the package.")
    parser.add_argument("--library", type=Path, default=BUILT, help="the built library (%(default)s)")
    parser.add_argument(
        "--search", type=Path, action="append", default=[], help="a folder with libraries that it needs"
    )
    parser.add_argument("--licence", type=Path, help="of libraries that no package of this machine has")
    parser.add_argument("--output", type=Path, default=ROOT / ".build", help="for the wheel (%(default)s)")
    arguments = parser.parse_args()
    try:
        wheel = make_wheel(arguments.library, arguments.output, arguments.search, arguments.licence)
    except WheelError as error:
        sys.exit(f"make_wheel.py: {error}")
    print(f"{wheel}: {wheel.stat().st_size} bytes")


if __name__ == "__main__":
    _main()
