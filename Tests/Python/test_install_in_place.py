"""`ocellus.install()`: programs that import an official interpreter get this package's, and only meanwhile."""

import importlib
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import textwrap
import unittest

NAMES = ("Interpreter", "SignatureRunner", "OpResolverType", "Delegate", "load_delegate")


def python(code: str, *options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Runs code in a Python of its own, which has imported nothing yet."""
    return subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


class InstallCase(unittest.TestCase):
    def says(self, code: str, *lines: str, **environment: str) -> None:
        """The code prints these lines and ends well."""
        done = python(code, **environment)
        self.assertEqual((done.returncode, done.stdout.split("\n")[:-1]), (0, list(lines)), done.stderr)


class ModuleTests(InstallCase):
    def test_each_module_has_what_ours_has(self) -> None:
        for module in ("tflite_runtime", "ai_edge_litert"):
            self.says(
                f"""
                import ocellus, ocellus.interpreter as ours
                ocellus.install()
                import {module}.interpreter, sys
                official = sys.modules["{module}.interpreter"]
                from {module}.interpreter import Interpreter, load_delegate
                print(all(getattr(official, name) is getattr(ours, name) for name in {NAMES}))
                print(Interpreter is ocellus.Interpreter, {module}.interpreter is official, official.__name__)
                """,
                "True",
                f"True True {module}.interpreter",
            )

    def test_specifications_are_found_without_importing(self) -> None:
        self.says(
            """
            import importlib.util, sys
            import ocellus
            ocellus.install()
            find = importlib.util.find_spec
            print(find("tflite_runtime.interpreter") is not None, find("ai_edge_litert") is not None)
            print("ocellus.interpreter" in sys.modules, "numpy" in sys.modules)
            """,
            "True True",
            "False False",
        )

    def test_a_program_gets_an_import_error_for_what_is_not_there(self) -> None:
        self.says(
            """
            import ocellus
            ocellus.install()
            try:
                import tflite_runtime.something_else
            except ImportError as error:
                print(error)
            """,
            "No module named 'tflite_runtime.something_else'",
        )

    def test_delegates_are_refused(self) -> None:
        self.says(
            """
            import ocellus
            ocellus.install()
            from tflite_runtime.interpreter import load_delegate
            try:
                load_delegate("libedgetpu.so.1", {"device": ":0"})
            except ValueError as error:
                print(str(error).split("\\n")[0])
            """,
            "Failed to load delegate from libedgetpu.so.1",
        )


class UninstallTests(InstallCase):
    def test_nothing_is_left_behind(self) -> None:
        self.says(
            """
            import importlib.util, sys
            import ocellus
            path, finders = list(sys.path), list(sys.meta_path)
            known = importlib.util.find_spec("tflite_runtime"), importlib.util.find_spec("tensorflow")
            ocellus.install()
            import tflite_runtime.interpreter, tensorflow
            ocellus.uninstall()
            # TensorFlow, where it is installed, adds finders of its own.
            print([entry for entry in path + finders if entry not in sys.path + sys.meta_path])
            print([finder for finder in sys.meta_path if type(finder).__module__.startswith("ocellus")])
            print([entry for entry in sys.path if "stand_ins" in entry])
            files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
            print([name for name, file in files.items() if "stand_ins" in file or name == "tflite_runtime.interpreter"])
            for name, spec in zip(("tflite_runtime", "tensorflow"), known):
                print((importlib.util.find_spec(name) is None) == (spec is None))
            ocellus.uninstall()
            """,
            "[]",
            "[]",
            "[]",
            "[]",
            "True",
            "True",
        )

    def test_twice_is_once(self) -> None:
        self.says(
            """
            import sys
            import ocellus
            before = list(sys.path)
            ocellus.install()
            ocellus.install()
            ocellus.uninstall()
            print(sys.path == before)
            """,
            "True",
        )


class InstalledPackageTests(InstallCase):
    """With packages of the official names that were there before."""

    PACKAGE = """
        import os, sys, tempfile
        folder = tempfile.mkdtemp()
        def write(path, text):
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        for package in ("tflite_runtime", "tensorflow", "tensorflow/lite", "tensorflow/lite/python"):
            write(package + "/__init__.py", "theirs = True")
        official = "class Interpreter: pass\\ndef load_delegate(name): pass\\n"
        write("tflite_runtime/interpreter.py", official)
        write("tflite_runtime/other.py", "theirs = True")
        write("tflite_runtime-1.2.3.dist-info/METADATA", "Name: tflite-runtime\\nVersion: 1.2.3\\n")
        write("tensorflow/lite/python/interpreter.py", official)
        write("tensorflow/lite/__init__.py", "from tensorflow.lite.python.interpreter import Interpreter")
        sys.path.insert(0, folder)
        import ocellus
    """

    def says_beside(self, code: str, *lines: str) -> None:
        self.says(textwrap.dedent(self.PACKAGE) + textwrap.dedent(code), *lines)

    def test_only_the_interpreter_is_replaced(self) -> None:
        self.says_beside(
            """
            ocellus.install()
            import importlib.metadata, tensorflow.lite
            import tflite_runtime.interpreter, tflite_runtime.other
            print(tflite_runtime.theirs, tflite_runtime.other.theirs, tensorflow.theirs)
            print(tflite_runtime.interpreter.Interpreter is ocellus.Interpreter)
            print(tensorflow.lite.Interpreter is ocellus.Interpreter)
            print(importlib.metadata.version("tflite-runtime"))
            """,
            "True True True",
            "True",
            "True",
            "1.2.3",
        )

    def test_what_was_imported_before_is_replaced_and_put_back(self) -> None:
        self.says_beside(
            """
            import tflite_runtime.interpreter as official
            import tensorflow.lite
            theirs = tensorflow.lite.Interpreter
            ocellus.install()
            from tflite_runtime.interpreter import Interpreter
            print(Interpreter is tensorflow.lite.Interpreter is ocellus.Interpreter)
            ocellus.uninstall()
            from tflite_runtime.interpreter import Interpreter
            print(Interpreter is official.Interpreter, tensorflow.lite.Interpreter is theirs)
            """,
            "True",
            "True True",
        )

    def test_what_was_imported_meanwhile_is_put_back(self) -> None:
        self.says_beside(
            """
            ocellus.install()
            import tensorflow.lite, tflite_runtime.interpreter
            ocellus.uninstall()
            print(tensorflow.lite.Interpreter is tensorflow.lite.python.interpreter.Interpreter)
            print(tensorflow.lite.Interpreter is ocellus.Interpreter, "interpreter" in vars(tflite_runtime))
            import tflite_runtime.interpreter
            print(tflite_runtime.interpreter.Interpreter is ocellus.Interpreter)
            """,
            "True",
            "False False",
            "False",
        )

    def test_tensorflow_is_left_alone_on_request(self) -> None:
        self.says_beside(
            """
            ocellus.install(tensorflow=False)
            import tensorflow.lite, tflite_runtime.interpreter
            print(tensorflow.lite.Interpreter is ocellus.Interpreter)
            print(tflite_runtime.interpreter.Interpreter is ocellus.Interpreter)
            """,
            "False",
            "True",
        )


@unittest.skipIf(importlib.util.find_spec("tensorflow"), "TensorFlow is installed")
class TensorFlowStandInTests(InstallCase):
    def test_has_the_interpreter_by_all_its_names(self) -> None:
        self.says(
            """
            import ocellus
            ocellus.install()
            import tensorflow as tf
            from tensorflow import lite
            from tensorflow.lite.python.interpreter import Interpreter, OpResolverType
            print(tf.lite.Interpreter is lite.Interpreter is Interpreter is ocellus.Interpreter)
            print(tf.lite.experimental.load_delegate is ocellus.load_delegate)
            print(tf.lite.experimental.OpResolverType is OpResolverType is ocellus.OpResolverType)
            """,
            "True",
            "True",
            "True",
        )

    def test_says_what_is_missing(self) -> None:
        self.says(
            """
            import ocellus
            ocellus.install()
            import tensorflow as tf
            print(hasattr(tf, "keras"), hasattr(tf.lite, "TFLiteConverter"))
            for module in (tf, tf.lite, tf.lite.experimental):
                try:
                    module.Something
                except AttributeError as error:
                    print(str(error).split(":")[0])
            try:
                from tensorflow import keras
            except ImportError as error:
                print("cannot import name 'keras'" in str(error))
            try:
                import tensorflow.keras.models
            except ImportError as error:
                print(error)
            """,
            "False False",
            "module 'tensorflow' has no attribute 'Something'",
            "module 'tensorflow.lite' has no attribute 'Something'",
            "module 'tensorflow.lite.experimental' has no attribute 'Something'",
            "True",
            "No module named 'tensorflow.keras'",
        )

    def test_there_is_none_on_request(self) -> None:
        self.says(
            """
            import importlib.util
            import ocellus
            ocellus.install(tensorflow=False)
            print(importlib.util.find_spec("tensorflow"))
            """,
            "None",
        )


@unittest.skipIf(importlib.util.find_spec("tflite_runtime"), "tflite-runtime is installed")
class MetadataTests(InstallCase):
    def test_versions_are_found_only_meanwhile(self) -> None:
        self.says(
            """
            import importlib.metadata as metadata
            import ocellus
            def version(name):
                try:
                    return metadata.version(name)
                except metadata.PackageNotFoundError:
                    return None
            ocellus.install()
            print(version("tflite-runtime"), version("tflite_runtime"))
            print(metadata.distribution("tflite-runtime").metadata["Name"])
            import tflite_runtime
            print(tflite_runtime.__version__)
            ocellus.uninstall()
            print(version("tflite-runtime"))
            """,
            "2.14.0 2.14.0",
            "tflite-runtime",
            "2.14.0",
            "None",
        )

    @unittest.skipUnless(importlib.util.find_spec("pkg_resources"), "there is no pkg_resources")
    def test_pkg_resources_knows_too(self) -> None:
        for early in (True, False):
            importing = ("import pkg_resources", "") if early else ("", "import pkg_resources")
            self.says(
                f"""
                import warnings
                warnings.simplefilter("ignore")
                import ocellus
                {importing[0]}
                ocellus.install()
                {importing[1]}
                print(pkg_resources.get_distribution("tflite-runtime").version)
                ocellus.uninstall()
                try:
                    pkg_resources.get_distribution("tflite-runtime")
                except pkg_resources.DistributionNotFound:
                    print("gone")
                """,
                "2.14.0",
                "gone",
            )


if __name__ == "__main__":
    unittest.main()
