"""The shared libraries of a wheel: which it must bring along, under which names, and which glibc they need.

What a wheel may rely on is what PEP 600 says that every Linux has. Everything else goes into the wheel beside the
library that needs it, under a name that has a digest in it, so that no process can mix it up with another build.
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
# The glibc 2.N that there are profiles for, up to which auditwheel and the images to build in know no others.
_PROFILES = (17, 24, 26, 27, 28, 31, 34, 35)
# The machine numbers of ELF headers, and what tags of wheels call them.
_MACHINES = {62: "x86_64", 183: "aarch64"}


class WheelError(Exception):
    """Why there will be no wheel, and what to do about it."""


class Borrowed(NamedTuple):
    """A library of the system that goes into the wheel."""

    name: str
    path: Path
    licence: Path


def gather(
    library: Path, folder: Path, search: Sequence[Path], licence: Optional[Path] = None
) -> List[Borrowed]:
    """Copies `library` into `folder`, stripped, with all that it needs beside it, and says what that is.

    Args:
        library: What was built.
        folder: Where it goes; the file there is `libocellus.so`.
        search: The folders that have what it needs; without them, it is taken from where this machine loads it.
        licence: The licence of what no package of this machine has, such as the runtime of a cross-build.
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
        # One change a call: patchelf mixes names up when it is asked for several.
        _run("patchelf", "--set-soname", file.name, str(file))
        _run("patchelf", "--set-rpath", "$ORIGIN", str(file))
        for needed in _needed(file):
            if needed in new_names:
                _run("patchelf", "--replace-needed", needed, new_names[needed], str(file))
    return list(borrowed.values())


def machine(library: Path) -> str:
    """The processor that a library is for, as tags of wheels have it."""
    header = library.read_bytes()[:20]
    number = int.from_bytes(header[18:20], "little")
    if header[:4] != b"\x7fELF" or number not in _MACHINES:
        raise WheelError(f"{library} is no library for {' or '.join(_MACHINES.values())}")
    return _MACHINES[number]


def oldest_profile(folder: Path) -> int:
    """The N of the oldest profile manylinux_2_N that has all that the libraries in a folder ask of glibc."""
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
    """The text that Debian's package of a library has about who may copy it."""
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
    # GNU's knows its own processor only.
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
