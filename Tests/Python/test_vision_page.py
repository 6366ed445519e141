"""The snippets of the page on Python and the notebook run, with the files that they name."""

import contextlib
import io
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import ocellus

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "Sources/Umbrella/Ocellus.docc/Python.md", REPOSITORY / "README.md"]
NOTEBOOKS = sorted((REPOSITORY / "Sources/Python/examples").glob("*.ipynb"))
MODELS = REPOSITORY / "Models"

# What the pages call their files, as for the snippets in Swift.
FILES = {
    "coco_ssd.tflite": MODELS / "scenes-detector.tflite",
    "coco_ssd.labels.txt": MODELS / "scenes-detector.labels.txt",
    "classifier.tflite": MODELS / "scenes-labeler.tflite",
    "photo.jpg": MODELS / "samples/cherries.jpg",
}


class Snippets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        for name, file in FILES.items():
            os.symlink(file, name)

    def test_pages(self):
        count = 0
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
                line = text[: match.start()].count("\n") + 1
                with self.subTest(f"{page.name}:{line}"):
                    printed = run(match[1], f"{page.name}:{line}", {})
                    self.assertTrue(printed.strip())
                count += 1
        self.assertGreater(count, 4)

    def test_notebooks(self):
        try:
            import PIL  # noqa: F401
        except ImportError:
            self.skipTest("Pillow is not installed")
        self.assertTrue(NOTEBOOKS)
        for notebook in NOTEBOOKS:
            os.chdir(notebook.parent)
            names = {}
            for number, cell in enumerate(json.loads(notebook.read_text(encoding="utf-8"))["cells"]):
                if cell["cell_type"] == "code":
                    run("".join(cell["source"]), f"{notebook.name}, cell {number}", names)
            self.assertIs(names["ocellus"], ocellus)


def run(code, name, names):
    """What code prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, name, "exec"), names)
    return output.getvalue()


if __name__ == "__main__":
    unittest.main()
