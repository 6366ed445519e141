"""Detectors, labelers and trackers, with the models that come with the repository."""

import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import ocellus

MODELS = Path(__file__).resolve().parents[2] / "Models"
DETECTOR = MODELS / "scenes-detector.tflite"
LABELER = MODELS / "scenes-labeler"
PICTURE = MODELS / "samples" / "cherries.jpg"


def square(left=80):
    """A bright square on a dark ground."""
    pixels = np.full((256, 256, 3), 40, np.uint8)
    pixels[90:170, left : left + 80] = 230
    return pixels


class DetectorTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.detector = ocellus.Detector(DETECTOR, score_threshold=0.1, num_threads=1)

    def test_objects_are_found_where_they_are(self):
        found = self.detector.detect(square())
        self.assertGreaterEqual(len(found), 1)
        box = found[0].box
        self.assertTrue(box.left < 120 < box.right and box.top < 130 < box.bottom)
        self.assertTrue((np.diff(found.scores) <= 0).all() and (found.scores >= 0.1).all())
        self.assertTrue(all(isinstance(label, str) and label for label in found.labels))
        self.assertEqual((found.picture_size, found.identities), ((256, 256), None))

    def test_every_form_of_a_picture_gives_the_same(self):
        pixels = ocellus.read_picture(PICTURE)
        expected = self.detector.detect(PICTURE)
        self.assertGreater(len(expected), 1)
        wide = np.zeros((pixels.shape[0], pixels.shape[1] + 9, 3), np.uint8)
        wide[:, :-9] = pixels
        forms = [
            (str(PICTURE), "rgb"),
            (PICTURE.read_bytes(), "rgb"),
            (pixels, "rgb"),
            (np.asfortranarray(pixels), "rgb"),
            (wide[:, :-9], "rgb"),
            (pixels[::-1][::-1], "rgb"),
            (np.ascontiguousarray(pixels[:, :, ::-1]), "bgr"),
            (np.dstack([pixels, pixels[:, :, 0]]), "rgb"),
        ]
        for form, colors in forms:
            found = self.detector.detect(form, colors=colors)
            np.testing.assert_array_equal(found.boxes, expected.boxes)
            np.testing.assert_array_equal(found.scores, expected.scores)
            self.assertEqual(found.labels.tolist(), expected.labels.tolist())

    def test_pictures_of_any_size_are_seen(self):
        for height, width in [(1, 1), (1, 900), (900, 1), (3, 5), (2000, 1500)]:
            found = self.detector.detect(np.full((height, width), 77, np.uint8))
            self.assertTrue((found.boxes <= [width, height, width, height]).all())

    def test_options(self):
        every = ocellus.Detector(DETECTOR, score_threshold=0).detect(square())
        self.assertGreater(len(every), 1)
        best = ocellus.Detector(DETECTOR, score_threshold=0, max_results=1).detect(square())
        np.testing.assert_array_equal(best.boxes, every.boxes[:1])
        none = ocellus.Detector(DETECTOR, score_threshold=1.0).detect(square())
        self.assertEqual((len(none), none.boxes.shape), (0, (0, 4)))
        threads = ocellus.Detector(DETECTOR, score_threshold=0, num_threads=3).detect(square())
        np.testing.assert_array_equal(threads.boxes, every.boxes)

    def test_wrong_options_are_refused(self):
        for options in (
            {"score_threshold": -0.1},
            {"score_threshold": 1.5},
            {"score_threshold": float("nan")},
            {"max_results": 0},
            {"max_results": -1},
            {"max_results": 1 << 40},
            {"num_threads": 0},
            {"num_threads": -3},
            {"num_threads": 1 << 20},
        ):
            with self.assertRaisesRegex(ValueError, next(iter(options))):
                ocellus.Detector(DETECTOR, **options)
        for options in (
            {"score_threshold": "many"},
            {"score_threshold": []},
            {"max_results": 2.5},
            {"num_threads": "2"},
            {"labels": 3},
            {"labels": [1, 2]},
            {"labels": {"a": 1}},
        ):
            with self.assertRaises((TypeError, ValueError)):
                ocellus.Detector(DETECTOR, **options)

    def test_models_that_cannot_be_used(self):
        with self.assertRaises(FileNotFoundError):
            ocellus.Detector("there is no such.tflite")
        with self.assertRaisesRegex(ValueError, "null byte"):
            ocellus.Detector("a\0b.tflite")
        with self.assertRaisesRegex(ValueError, "UTF-8"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(os.fsencode(folder), b"\xff.tflite")
                os.symlink(os.fsencode(DETECTOR), path)
                ocellus.Detector(os.fsdecode(path))
        for model in (PICTURE, LABELER, MODELS / "samples"):
            with self.assertRaises(ValueError) as caught:
                ocellus.Detector(model)
            self.assertGreater(len(str(caught.exception)), 10)
        for model in (None, 3, 2.5, object(), []):
            with self.assertRaises(TypeError):
                ocellus.Detector(model)

    def test_damaged_models_are_refused(self):
        contents = DETECTOR.read_bytes()
        generator = np.random.default_rng(3)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "damaged.tflite"
            for trial in range(12):
                damaged = np.frombuffer(contents, np.uint8).copy()
                if trial % 2:
                    damaged = damaged[: generator.integers(0, len(damaged))]
                else:
                    damaged[generator.integers(0, 4000, 20)] = generator.integers(0, 256, 20)
                path.write_bytes(damaged.tobytes())
                try:
                    ocellus.Detector(path).detect(square())
                except (ValueError, RuntimeError) as error:
                    self.assertTrue(str(error))

    def test_labels_of_the_program(self):
        plain = self.detector.detect(square())
        class_id = int(plain.classes[0])
        listed = [f"class number {number}" for number in range(6)]
        with tempfile.TemporaryDirectory() as folder:
            numbered = Path(folder) / "numbered.txt"
            numbered.write_text("\n".join(f"{number}: {name}" for number, name in enumerate(listed)))
            lines = Path(folder) / "lines.txt"
            lines.write_text("\ufeff" + "\r\n".join(listed) + "\n\n", encoding="utf-8")
            for labels in (listed, dict(enumerate(listed)), numbered, str(lines), tuple(listed)):
                detector = ocellus.Detector(DETECTOR, score_threshold=0.1, labels=labels)
                found = detector.detect(square())
                self.assertEqual(found.labels[0], f"class number {class_id}")
                self.assertEqual(len(found.names), 6)
                entry = detector.explain()["explanation"][-1]
                self.assertEqual((entry["value"], entry["source"]), ("6", "options"))
        few = ocellus.Detector(DETECTOR, score_threshold=0.1, labels=[None] * 20)
        self.assertEqual(set(few.detect(square()).labels), {None})

    def test_explanation(self):
        explanation = self.detector.explain()
        properties = {entry["property"]: entry for entry in explanation["explanation"]}
        self.assertIn("256x256", properties["input size"]["value"])
        self.assertEqual(properties["score threshold"]["source"], "options")
        self.assertIsInstance(explanation["warnings"], list)

    def test_closing(self):
        with ocellus.Detector(DETECTOR) as detector:
            found = detector.detect(PICTURE)
            self.assertNotIn("closed", repr(detector))
        self.assertIn("closed", repr(detector))
        for call in (lambda: detector.detect(square()), detector.explain):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        detector.close()
        del detector
        gc.collect()
        self.assertTrue(np.isfinite(found.boxes).all() and all(found.labels))

    def test_an_object_without_a_model_is_harmless(self):
        empty = ocellus.Detector.__new__(ocellus.Detector)
        with self.assertRaises(AttributeError):
            empty.detect(square())
        empty.__init__(DETECTOR)
        empty.__init__(DETECTOR)
        self.assertGreaterEqual(len(empty.detect(PICTURE)), 1)

    def test_threads_share_a_detector(self):
        expected = [self.detector.detect(square(left)) for left in (20, 80, 140)]
        wrong = []

        def look(index):
            for _ in range(4):
                found = self.detector.detect(square((20, 80, 140)[index]))
                if not np.array_equal(found.boxes, expected[index].boxes):
                    wrong.append(index)

        run_together([lambda index=index: look(index) for index in (0, 1, 2)])
        self.assertEqual(wrong, [])

    def test_closing_waits_for_calls_of_other_threads(self):
        for _ in range(5):
            detector = ocellus.Detector(DETECTOR, num_threads=1)
            started = threading.Event()

            def look():
                started.set()
                try:
                    while True:
                        detector.detect(square())
                except ValueError as error:
                    self.assertIn("closed", str(error))

            thread = threading.Thread(target=look)
            thread.start()
            started.wait()
            time.sleep(0.01)
            detector.close()
            thread.join()

    def test_the_gil_is_free_during_calls(self):
        picture = np.zeros((3000, 3000, 3), np.uint8)
        counts = []
        done = threading.Event()

        def count():
            number = 0
            while not done.is_set():
                number += 1
                time.sleep(0)
            counts.append(number)

        thread = threading.Thread(target=count)
        thread.start()
        for _ in range(3):
            self.detector.detect(picture)
        done.set()
        thread.join()
        self.assertGreater(counts[0], 10)


class LabelerTests(unittest.TestCase):
    def test_labels_are_best_first(self):
        with ocellus.Labeler(LABELER, score_threshold=0, num_threads=1) as labeler:
            found = labeler.label(PICTURE)
            self.assertGreater(len(found), 10)
            self.assertTrue((np.diff(found.scores) <= 0).all())
            score, class_id, label = found[0]
            self.assertTrue(0 < score <= 1 and class_id >= 0 and label)
            again = labeler.label(ocellus.read_picture(PICTURE))
            np.testing.assert_array_equal(again.classes, found.classes)
        with self.assertRaisesRegex(ValueError, "closed"):
            labeler.label(PICTURE)
        self.assertIn("closed", repr(labeler))

    def test_options(self):
        every = ocellus.Labeler(LABELER, score_threshold=0).label(PICTURE)
        second = int(every.classes[1])
        named = ocellus.Labeler(LABELER, score_threshold=0, max_results=3, labels={second: "second"})
        self.assertEqual(named.label(PICTURE).labels.tolist(), [None, "second", None])
        sure = ocellus.Labeler(MODELS / "scenes-labeler.tflite", score_threshold=0.2)
        self.assertTrue((sure.label(PICTURE).scores >= 0.2).all())

    def test_detectors_are_no_labelers(self):
        with self.assertRaises(ValueError) as caught:
            ocellus.Labeler(DETECTOR)
        self.assertTrue(str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            ocellus.Labeler("there is no such.tflite")


class TrackerTests(unittest.TestCase):
    def test_identities_stay_with_their_objects(self):
        tracker = ocellus.Tracker()
        for frame in range(12):
            boxes = [[10 + frame, 10, 60 + frame, 60], [400, 400, 480, 480]]
            if frame % 2:
                boxes.reverse()
            detections = ocellus.Detections(boxes, [0.9, 0.9], picture_size=(640, 480))
            found = tracker.update(detections, frame / 30)
            if frame == 6:
                by_place = dict(zip(found.boxes[:, 1], found.identities))
            if frame > 6:
                self.assertEqual(dict(zip(found.boxes[:, 1], found.identities)), by_place)
        self.assertEqual(sorted(by_place.values()), [1, 2])
        self.assertIsNone(detections.identities)
        self.assertEqual(found.picture_size, (640, 480))

    def test_wrong_times_and_boxes(self):
        tracker = ocellus.Tracker()
        one = ocellus.Detections([[1, 2, 30, 40]], [0.9])
        tracker.update(one, 5)
        for seconds in (4, float("nan"), float("inf"), -1e300, 1e300):
            with self.assertRaises(ValueError):
                tracker.update(one, seconds)
        with self.assertRaises((TypeError, ValueError)):
            tracker.update(one, "soon")
        for boxes in (None, 3, [[1, 2, 30, 40]], np.zeros((1, 4))):
            with self.assertRaisesRegex(TypeError, "Detections"):
                tracker.update(boxes, 6)
        strange = ocellus.Detections(
            [[np.nan] * 4, [np.inf] * 4, [9, 9, 1, 1], [-1e300, 0, 1e300, 1]],
            [np.nan, np.inf, -1, 5],
            [-5, 1 << 40, 3, -(1 << 50)],
        )
        for seconds in range(6, 12):
            self.assertEqual(len(tracker.update(strange, seconds)), 4)
        self.assertEqual(len(tracker.update(ocellus.Detections([], []), 12)), 0)
        tracker.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            tracker.update(one, 13)

    def test_a_detector_follows_pictures(self):
        detector = ocellus.Detector(DETECTOR, score_threshold=0.05)
        frames = [square(60 + 2 * index) for index in range(4)]
        by_rate = list(detector.track(frames, fps=25))
        by_time = list(detector.track((frame, index / 25) for index, frame in enumerate(frames)))
        self.assertEqual(len(by_rate), 4)
        for first, second in zip(by_rate, by_time):
            np.testing.assert_array_equal(first.identities, second.identities)
            np.testing.assert_array_equal(first.boxes, second.boxes)
        self.assertEqual(len(list(detector.track(np.stack(frames), fps=25))), 4)

    def test_frames_come_when_they_are_asked_for(self):
        seen = []

        def camera():
            for index in range(100):
                seen.append(index)
                yield square(), index / 10

        stream = ocellus.Detector(DETECTOR).track(camera())
        self.assertEqual(seen, [])
        next(stream)
        self.assertEqual(seen, [0])

    def test_wrong_frames(self):
        detector = ocellus.Detector(DETECTOR)
        for frames in ("video.mp4", b"bytes", Path("video.mp4"), 3):
            with self.assertRaises(TypeError):
                detector.track(frames)
        for fps in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "fps"):
                detector.track([], fps=fps)
        with self.assertRaisesRegex(TypeError, "Tracker"):
            detector.track([], tracker="sort")
        with self.assertRaisesRegex(ValueError, "fps"):
            next(detector.track([square()]))
        with self.assertRaises(ValueError):
            list(detector.track([(square(), 2), (square(), 1)]))


class ProcessTests(unittest.TestCase):
    def test_a_program_may_end_with_open_detectors(self):
        program = (
            "import ocellus, threading, sys, numpy\n"
            "detector, tracker = ocellus.Detector(sys.argv[1]), ocellus.Tracker()\n"
            "picture = numpy.zeros((256, 256, 3), numpy.uint8)\n"
            "def look():\n"
            "    while True: detector.detect(picture)\n"
            "threading.Thread(target=look, daemon=True).start()\n"
            "detector.detect(picture); detector.cycle = detector\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(DETECTOR)], capture_output=True, timeout=60
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_a_forked_process_has_detectors_of_its_own(self):
        program = (
            "import ocellus, os, sys, numpy, warnings\n"
            "warnings.simplefilter('ignore')\n"
            "picture = numpy.zeros((256, 256, 3), numpy.uint8)\n"
            "before = ocellus.Detector(sys.argv[1], num_threads=2)\n"
            "before.detect(picture)\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    ocellus.Detector(sys.argv[1], num_threads=2).detect(picture)\n"
            "    os._exit(7)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(DETECTOR)], capture_output=True, timeout=60
        )
        self.assertEqual((done.returncode, done.stdout.strip()), (0, b"7"))


def run_together(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    unittest.main()
