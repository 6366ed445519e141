"""`python -m ocellus.run`: programs run as Python itself runs them, with the interpreter in place."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile
from typing import List

# What a program can see of how it was started; paths of this machine's Python are left out.
REPORT = """
import os, sys
spec = __spec__
print(__name__, os.path.basename(__file__), repr(__package__), spec and spec.name, type(__loader__).__name__)
print([os.path.basename(part) for part in sys.argv[:1]] + sys.argv[1:])
print(os.path.realpath(sys.path[0]), sys.modules["__main__"].__dict__ is globals())
"""


# Programs run in folders of their own, where names that are relative to this one mean nothing.
PYTHON_PATH = os.pathsep.join(
    os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry
)


class RunCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def start(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": PYTHON_PATH, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        )

    def run_program(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return self.start("-m", "ocellus.run", *arguments, **environment)

    def same_as_python(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """The program ends and says what it does when Python runs it."""
        ours = self.run_program(*arguments)
        official = self.start(*arguments)
        self.assertEqual(
            (ours.returncode, ours.stdout, ours.stderr),
            (official.returncode, official.stdout, official.stderr),
        )
        return ours

    def output(self, *arguments: str, **environment: str) -> List[str]:
        done = self.run_program(*arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()


class AsPythonTests(RunCase):
    def test_a_file(self) -> None:
        self.write("tools/program.py", REPORT)
        self.assertIn("program.py", self.same_as_python("tools/program.py", "-m", "--help", "x").stdout)

    def test_a_link_to_a_file(self) -> None:
        self.write("tools/program.py", REPORT)
        os.symlink("tools/program.py", os.path.join(self.folder, "link.py"))
        self.same_as_python("link.py")

    def test_a_module(self) -> None:
        self.write("package/__init__.py", "")
        self.write("package/part.py", REPORT + "from . import other\n")
        self.write("package/other.py", "print('other')\n")
        self.assertIn("other", self.same_as_python("-m", "package.part", "-v", "x").stdout)

    def test_a_package(self) -> None:
        self.write("package/__init__.py", "print('first')\n")
        self.write("package/__main__.py", REPORT)
        self.assertIn("__main__.py", self.same_as_python("-m", "package", "x").stdout)

    def test_a_folder_and_an_archive(self) -> None:
        self.write("folder/__main__.py", REPORT + "import beside\n")
        self.write("folder/beside.py", "print('beside')\n")
        self.same_as_python("folder", "x")
        archive = os.path.join(self.folder, "archive.zip")
        with zipfile.ZipFile(archive, "w") as file:
            for name in ("__main__.py", "beside.py"):
                file.write(os.path.join(self.folder, "folder", name), name)
        self.same_as_python("archive.zip", "x")

    def test_exit_codes(self) -> None:
        for ending in ("raise SystemExit(7)", "import sys; sys.exit('why')", "import os; os._exit(5)", "exit()"):
            self.write("program.py", f"print('begins')\n{ending}\n")
            self.same_as_python("program.py")

    def test_errors_are_reported_without_our_lines(self) -> None:
        self.write("program.py", "def fails():\n    raise ValueError('why')\nfails()\n")
        done = self.same_as_python("program.py")
        self.assertEqual(done.returncode, 1)
        self.write("program.py", "first = = 2\n")
        self.same_as_python("program.py")

    def test_threads_and_handlers_that_outlive_the_program(self) -> None:
        self.write(
            "program.py",
            """
            import atexit, sys, threading, time
            def late():
                time.sleep(0.2)
                print(sys.modules["__main__"].value, value)
            value = 5
            threading.Thread(target=late).start()
            atexit.register(lambda: print("at exit", value))
            """,
        )
        self.assertEqual(self.same_as_python("program.py").stdout, "5 5\nat exit 5\n")

    def test_standard_input_is_the_programs(self) -> None:
        self.write("program.py", "print(input())\n")
        done = subprocess.run(
            [sys.executable, "-m", "ocellus.run", "program.py"],
            input="said\n",
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": PYTHON_PATH},
        )
        self.assertEqual(done.stdout, "said\n", done.stderr)


class CommandLineTests(RunCase):
    def test_what_cannot_be_run(self) -> None:
        for arguments, status, text in (
            ([], 2, "--help says more"),
            (["-m"], 2, "--help says more"),
            (["--faster", "x.py"], 2, "unknown option --faster"),
            (["missing.py"], 2, "can't open file"),
            (["-m", "no_such_module"], 1, "No module named no_such_module"),
            (["-m", "json"], 1, "is a package and cannot be directly executed"),
        ):
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, status, arguments)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_help(self) -> None:
        self.assertIn("--no-tensorflow", "\n".join(self.output("--help")))

    def test_a_script_in_the_path(self) -> None:
        path = self.write("bin/some-tool", f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n")
        os.chmod(path, 0o755)
        search = os.pathsep.join([os.path.dirname(path), os.environ["PATH"]])
        self.assertEqual(self.output("some-tool", "-x", PATH=search), ["['-x']"])


USES = """
import {module} as official
import ocellus
print(official.Interpreter is ocellus.Interpreter)
"""


class InPlaceTests(RunCase):
    def test_programs_and_modules(self) -> None:
        for module in ("tflite_runtime.interpreter", "ai_edge_litert.interpreter", "tensorflow.lite"):
            self.write("program.py", USES.format(module=module))
            self.assertEqual(self.output("program.py"), ["True"])
            self.assertEqual(self.output("-m", "program"), ["True"])

    def test_numpy_is_left_to_the_program(self) -> None:
        self.write("program.py", "import sys\nprint('numpy' in sys.modules)\n")
        self.assertEqual(self.output("program.py"), ["False"])

    def test_no_tensorflow(self) -> None:
        self.write("program.py", "import sys\nimport tensorflow\nprint(tensorflow.__file__)\n")
        folder = os.path.join("stand_ins", "tensorflow_lite")
        self.assertNotIn(folder, self.run_program("--no-tensorflow", "program.py").stdout)

    def test_processes_that_a_program_starts(self) -> None:
        self.write("child.py", USES.format(module="tflite_runtime.interpreter"))
        self.write(
            "program.py",
            "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, 'child.py']))\n",
        )
        self.assertEqual(self.output("program.py"), ["True"])

    def test_children_print_no_errors(self) -> None:
        """Most Pythons have no `sitecustomize` of their own, which that of `ocellus.run` must not need."""
        self.write("program.py", "import subprocess, sys\nsubprocess.call([sys.executable, '-c', 'print(1)'])\n")
        done = self.run_program("program.py")
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))

    def test_workers_of_multiprocessing(self) -> None:
        self.write(
            "program.py",
            """
            import multiprocessing, sys
            def work(value):
                from ai_edge_litert.interpreter import Interpreter
                return value, Interpreter.__module__
            if __name__ == "__main__":
                multiprocessing.set_start_method(sys.argv[1])
                with multiprocessing.Pool(1) as pool:
                    print(pool.map(work, [1]))
            """,
        )
        for method in ("fork", "spawn", "forkserver"):
            self.assertEqual(self.output("program.py", method), ["[(1, 'ocellus.interpreter')]"])

    def test_children_keep_their_own_start(self) -> None:
        self.write("site/sitecustomize.py", "import sys\nsys.own_start = True\n")
        self.write("child.py", "import os, sys\nprint(sys.own_start, os.environ.get('OCELLUS_NO_TENSORFLOW'))\n")
        self.write("program.py", "import subprocess, sys\nsubprocess.call([sys.executable, 'child.py'])\n")
        paths = os.pathsep.join(
            [os.path.join(self.folder, "site"), *filter(None, [PYTHON_PATH])]
        )
        self.assertEqual(self.output("program.py", PYTHONPATH=paths), ["True None"])
        self.assertEqual(self.output("--no-tensorflow", "program.py", PYTHONPATH=paths), ["True 1"])

    def test_children_are_left_alone_on_request(self) -> None:
        self.write("child.py", "import sys\nprint(any('stand_ins' in entry for entry in sys.path))\n")
        self.write("program.py", "import subprocess, sys\nsubprocess.call([sys.executable, 'child.py'])\n")
        self.assertEqual(self.output("program.py"), ["True"])
        self.assertEqual(self.output("--no-children", "program.py"), ["False"])


if __name__ == "__main__":
    unittest.main()
