"""Collects the shared libraries that a wheel must contain, and finds the glibc that they need.

A wheel may rely on the libraries that PEP 600 lists for every Linux. All others go into the wheel beside the library
that needs them, with a digest in their names, so a process cannot confuse them with another build.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple, NoReturn, Optional, Sequence

_OF_EVERY_LINUX = re.compile(
    r"(lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+)|ld-linux-[a-z0-9_-]+)\.so\.\d+"
)
# The versions 2.N of glibc for which auditwheel and the build images have profiles.
_PROFILES = (17, 24, 26, 27, 28, 31, 34, 35)
# The machine numbers of ELF headers, and their names in tags of wheels.
_MACHINES = {62: "x86_64", 183: "aarch64"}


class WheelError(Exception):
    """An error that prevents the wheel; its message suggests a remedy."""


class Borrowed(NamedTuple):
    """A library of the system that goes into the wheel."""

    name: str
    path: Path
    licence: Path


def gather(
    library: Path, folder: Path, search: Sequence[Path], licence: Optional[Path] = None
) -> List[Borrowed]:
    """Copies `library`, stripped, and the libraries that it needs into `folder`, and returns the latter.

    Args:
        library: The built library.
        folder: The target folder, in which the library is called `libocellus.so`.
        search: The folders with the libraries that it needs; by default those from which this machine loads them.
        licence: The licence of libraries of no installed package, such as the runtime of a cross-build.
    """
    folder.mkdir(parents=True)
    own = folder / "libocellus.so"
    _strip(library, own)
    borrowed: Dict[str, Borrowed] = {}
    new_names: Dict[str, str] = {}
    _borrow(library, search, licence, borrowed)
    for needed, source in borrowed.items():
        new_names[needed] = _name_with_digest(needed, source.path)
        _strip(source.path, folder / new_names[needed])
    for file in [own, *(folder / name for name in new_names.values())]:
        # One change per call, because patchelf confuses names when it makes several at once.
        _run("patchelf", "--set-soname", file.name, str(file))
        _run("patchelf", "--set-rpath", "$ORIGIN", str(file))
        for needed in _needed(file):
            if needed in new_names:
                _run("patchelf", "--replace-needed", needed, new_names[needed], str(file))
    return list(borrowed.values())


def machine(library: Path) -> str:
    """Returns a library's architecture, as tags of wheels name it."""
    header = library.read_bytes()[:20]
    number = int.from_bytes(header[18:20], "little")
    if header[:4] != b"\x7fELF" or number not in _MACHINES:
        raise WheelError(f"{library} is no library for {' or '.join(_MACHINES.values())}")
    return _MACHINES[number]


def oldest_profile(folder: Path) -> int:
    """Returns the N of the oldest profile manylinux_2_N whose glibc has all symbols that a folder's libraries need."""
    found = [0]
    for library in folder.iterdir():
        versions = _run("readelf", "--version-info", "--wide", str(library))
        found += [int(number) for number in re.findall(r"Name: GLIBC_2\.(\d+)", versions)]
    return next((number for number in _PROFILES if number >= max(found)), max(found))


def _borrow(
    library: Path, search: Sequence[Path], licence: Optional[Path], borrowed: Dict[str, Borrowed]
) -> None:
    for name in _needed(library):
        if name in borrowed or _OF_EVERY_LINUX.fullmatch(name):
            continue
        path = _locate(name, library, search)
        borrowed[name] = Borrowed(name, path, _licence(name) or licence or _refuse(path))
        _borrow(path, search, licence, borrowed)


def _needed(library: Path) -> List[str]:
    return _run("patchelf", "--print-needed", str(library)).split()


def _locate(name: str, library: Path, search: Sequence[Path]) -> Path:
    if search:
        places = [folder / name for folder in search if (folder / name).exists()]
    else:
        loaded = _run("ldd", str(library))
        places = [Path(path) for path in re.findall(rf"{re.escape(name)} => (/\S+)", loaded)]
    if not places:
        raise WheelError(f"{library.name} needs {name}, which is not to be found: install it")
    return places[0].resolve()


def _licence(name: str) -> Optional[Path]:
    """Returns the copyright file of a library's Debian package."""
    owners = _run("dpkg-query", "--search", f"*/{name}", check=False)
    for package in re.findall(r"^([^:,\s]+)", owners, re.MULTILINE):
        licence = Path("/usr/share/doc", package, "copyright")
        if licence.exists():
            return licence
    return None


def _refuse(path: Path) -> NoReturn:
    raise WheelError(
        f"{path} goes into the wheel, and its licence is not to be found: build on Debian or one of its relatives "
        "with the package that has it, or name the text with --licence"
    )


def _name_with_digest(name: str, path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    stem, _, version = name.partition(".so")
    return f"{stem}-{digest}.so{version}"


def _strip(source: Path, target: Path) -> None:
    # GNU's strip supports its own architecture only.
    native = machine(source) == os.uname().machine
    strip = "strip" if native else shutil.which("llvm-strip") or "strip"
    _run(strip, "--strip-unneeded", "-o", str(target), str(source))
    target.chmod(0o755)


def _run(program: str, *arguments: str, check: bool = True) -> str:
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
        )
    except FileNotFoundError:
        raise WheelError(f"a wheel is made with {program}, which is not installed") from None
    if check and done.returncode != 0:
        raise WheelError(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
