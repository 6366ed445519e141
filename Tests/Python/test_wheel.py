"""How the wheel is made: what is in it, which system it asks for, and that it is the same every time."""

import base64
import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources" / "Python"
sys.path.insert(0, str(SOURCES))

import make_wheel
import wheel_libraries

TOOLS = [tool for tool in ("cc", "patchelf", "readelf", "strip") if shutil.which(tool) is None]
LIBRARY = "int answer(void) { return 42; }"


@unittest.skipIf(TOOLS, f"not installed: {', '.join(TOOLS)}")
class WheelCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compile(self, name: str, text: str, *options: str) -> Path:
        source = self.folder / f"{name}.c"
        source.write_text(text)
        library = self.folder / f"lib{name}.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", f"-Wl,-soname=lib{name}.so", "-o", library, source, *options], check=True
        )
        return library


class LibrariesTests(WheelCase):
    def test_what_it_needs_comes_along_under_a_name_of_its_own(self) -> None:
        self.compile("deepest", "int deepest(void) { return 3; }")
        self.compile(
            "deeper", "int deepest(void); int deeper(void) { return deepest() + 1; }", f"-L{self.folder}", "-ldeepest"
        )
        library = self.compile(
            "upper", "int deeper(void); int upper(void) { return deeper() + 1; }", f"-L{self.folder}", "-ldeeper"
        )
        target = self.folder / "gathered" / "refused"
        with self.assertRaisesRegex(wheel_libraries.WheelError, "libdeeper.so.*--licence"):
            wheel_libraries.gather(library, target, [self.folder])
        target = self.folder / "gathered" / "lib"
        borrowed = wheel_libraries.gather(library, target, [self.folder], self.folder / "licence")
        self.assertEqual([item.name for item in borrowed], ["libdeeper.so", "libdeepest.so"])
        names = sorted(file.name for file in target.iterdir())
        self.assertEqual(len(names), 3, names)
        self.assertRegex(names[0], r"^libdeeper-[0-9a-f]{8}\.so$")
        for name in ("libdeeper.so", "libdeepest.so", "libupper.so"):
            (self.folder / name).unlink()
        self.assertEqual(ctypes.CDLL(str(target / "libocellus.so")).upper(), 5)

    def test_what_is_missing_is_named(self) -> None:
        needed = self.compile("needed", "int needed(void) { return 1; }")
        library = self.compile(
            "user", "int needed(void); int user(void) { return needed(); }", f"-L{self.folder}", "-lneeded"
        )
        needed.unlink()
        with self.assertRaisesRegex(wheel_libraries.WheelError, "needs libneeded.so"):
            wheel_libraries.gather(library, self.folder / "lib", [])

    def test_what_is_no_library_is_refused(self) -> None:
        path = self.folder / "text"
        path.write_text("no library")
        with self.assertRaisesRegex(wheel_libraries.WheelError, "is no library for"):
            wheel_libraries.machine(path)


@unittest.skipIf(sys.version_info < (3, 11), "wheels are made with Python 3.11 or later")
class ContentTests(WheelCase):
    def test_records_are_right_and_every_time_the_same(self) -> None:
        library = self.compile("sample", LIBRARY)
        wheels = [make_wheel.make_wheel(library, self.folder / name) for name in ("first", "second")]
        self.assertEqual(wheels[0].read_bytes(), wheels[1].read_bytes())
        self.assertRegex(wheels[0].name, rf"^ocellus-[\d.]+-py3-none-manylinux_2_\d+_{os.uname().machine}\.whl$")
        with zipfile.ZipFile(wheels[0]) as archive:
            self.check_record(archive)
            self.check_metadata(archive, wheels[0])

    def check_record(self, archive: zipfile.ZipFile) -> None:
        (record,) = (name for name in archive.namelist() if name.endswith("/RECORD"))
        lines = [line.split(",") for line in archive.read(record).decode().splitlines()]
        self.assertEqual(sorted(line[0] for line in lines), sorted(archive.namelist()))
        for name, digest, size in lines:
            if name != record:
                content = archive.read(name)
                sum = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), (f"sha256={sum}", str(len(content))), name)

    def check_metadata(self, archive: zipfile.ZipFile, wheel: Path) -> None:
        names = archive.namelist()
        self.assertFalse([name for name in names if "__pycache__" in name])
        self.assertLessEqual(
            {"ocellus/__init__.py", "ocellus/py.typed", "ocellus/lib/libocellus.so"}, set(names)
        )
        folder = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
        metadata = archive.read(f"{folder}/METADATA").decode()
        self.assertIn("Name: ocellus\nVersion: " + wheel.name.split("-")[1], metadata)
        self.assertIn(f"Tag: {wheel.stem.split('-', 2)[2]}\n", archive.read(f"{folder}/WHEEL").decode())
        for line in metadata.splitlines():
            if line.startswith("License-File: "):
                self.assertIn(f"{folder}/licenses/{line.split()[1]}", names)

    def test_the_package_has_the_programs_version(self) -> None:
        import ocellus

        self.assertEqual(ocellus.__version__, make_wheel._version())

    def test_a_library_that_was_not_built_is_named(self) -> None:
        with self.assertRaisesRegex(wheel_libraries.WheelError, "swift build -c release --product OcellusPython"):
            make_wheel.make_wheel(self.folder / "libOcellusPython.so", self.folder)


if __name__ == "__main__":
    unittest.main()
