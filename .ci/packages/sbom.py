#!/usr/bin/env python3
"""Writes the bill of materials of a release, as CycloneDX 1.5: what its files contain and link.

    sbom.py VERSION COMMIT FOLDER      FOLDER has the files; SOURCE_DATE_EPOCH is their time

It runs where the files were made, because the versions of what they contain are those of this machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]
CONTAINED = {
    "libpng16-16": ("libpng-2.0", "in the archive and the wheel; the Debian package depends on it"),
    "zlib1g": ("Zlib", "in the archive and the wheel, for libpng"),
    "libturbojpeg0": ("BSD-3-Clause", "in the archive and the wheel; the Debian package depends on it"),
    "libstdc++6": ("GPL-3.0-with-GCC-exception", "in the archive; the others load the system's"),
}
"""The licence of each Debian package whose code a file contains, and the files that do."""


def main(arguments: List[str]) -> int:
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    version, commit, folder = arguments[0], arguments[1], Path(arguments[2])
    target = folder / f"ocellus-{version}.cdx.json"
    files = [_file(path) for path in sorted(folder.iterdir()) if path.is_file() and path != target]
    components = [_swift_runtime(), *map(_debian, CONTAINED), *map(_model, _models()), *files]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'ocellus/{version}/{commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": _timestamp(),
            "component": {
                "type": "application",
                "bom-ref": "ocellus",
                "name": "ocellus",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "pedigree": {"commits": [{"uid": commit}]},
            },
        },
        "components": components,
        "dependencies": [
            {
                "ref": "ocellus",
                "dependsOn": [item["bom-ref"] for item in components if item["type"] != "file"],
            }
        ],
    }
    target.write_text(json.dumps(bill, indent=2) + "\n")
    print(f"{target}: {len(components)} components")
    return 0


def _timestamp() -> str:
    time = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _swift_runtime() -> Dict[str, Any]:
    version = re.search(r"Swift version (\S+)", _output("swift", "--version"))
    if version is None:
        raise SystemExit("`swift --version` names no version")
    return {
        "type": "library",
        "bom-ref": "swift-runtime",
        "name": "swift-runtime",
        "version": version.group(1),
        "description": "the standard library of Swift, linked statically",
        "licenses": [{"license": {"name": "Apache-2.0 with Runtime Library Exception"}}],
        "purl": f"pkg:swift/github.com/swiftlang/swift@{version.group(1)}",
    }


def _debian(package: str) -> Dict[str, Any]:
    licence, description = CONTAINED[package]
    version = ""
    for name in (package, f"{package}t64"):
        result = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False
        )
        version = version or result.stdout.strip()
    if not version:
        raise SystemExit(f"the package {package} is not installed here")
    known = "-with-" not in licence
    return {
        "type": "library",
        "bom-ref": package,
        "name": package,
        "version": version,
        "description": description,
        "licenses": [{"license": {"id" if known else "name": licence}}],
        "purl": f"pkg:deb/debian/{package.replace('+', '%2B')}@{version}",
    }


def _models() -> List[Path]:
    models = ROOT / "Models"
    return sorted({path.resolve() for path in models.rglob("*.tflite") if "training" not in path.parts})


def _model(path: Path) -> Dict[str, Any]:
    name = path.relative_to(ROOT).as_posix()
    return {
        "type": "machine-learning-model",
        "bom-ref": name,
        "name": name,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "hashes": _hashes(path),
    }


def _file(path: Path) -> Dict[str, Any]:
    return {"type": "file", "bom-ref": path.name, "name": path.name, "hashes": _hashes(path)}


def _hashes(path: Path) -> List[Dict[str, str]]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
