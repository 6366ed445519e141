"""Results as arrays, and their way to other packages and back, none of which has to be there."""

import importlib.util
import sys
import types
import unittest

import numpy as np

import ocellus
from ocellus.results import Classifications


def example():
    return ocellus.Detections(
        [[1, 2, 11, 22], [3, 4, 33, 44], [5, 6, 55, 66]],
        [0.9, 0.6, 0.3],
        [2, 0, -1],
        ["cat", "dog", None],
        picture_size=(100, 50),
        names={7: "bird"},
    )


class Arrays(unittest.TestCase):
    def test_types_are_as_promised(self):
        found = example()
        self.assertEqual((found.boxes.shape, found.boxes.dtype), ((3, 4), np.float64))
        self.assertEqual((found.scores.dtype, found.classes.dtype), (np.float32, np.int64))
        self.assertEqual(found.labels.tolist(), ["cat", "dog", None])
        self.assertIsNone(found.identities)
        self.assertEqual(found.names, {7: "bird", 2: "cat", 0: "dog"})

    def test_items_unpack(self):
        box, score, class_id, label, identity = example()[0]
        self.assertEqual(box, (1, 2, 11, 22))
        self.assertEqual((box.width, box.height), (10, 20))
        self.assertAlmostEqual(score, 0.9, places=6)
        self.assertEqual((class_id, label, identity), (2, "cat", 0))
        self.assertEqual([found.label for found in example()], ["cat", "dog", None])
        self.assertEqual(example()[-1].class_id, -1)
        self.assertEqual(example()[np.int64(1)].label, "dog")
        with self.assertRaises(IndexError):
            example()[3]

    def test_selections_are_detections(self):
        found = example().with_identities([5, 0, 6])
        for selection, labels in [
            (slice(1, None), ["dog", None]),
            (found.scores > 0.5, ["cat", "dog"]),
            ([2, 0], [None, "cat"]),
            (found.labels == "dog", ["dog"]),
            ([], []),
            (np.array([], int), []),
        ]:
            part = found[selection]
            self.assertEqual(part.labels.tolist(), labels)
            self.assertEqual(len(part.identities), len(labels))
            self.assertEqual((part.picture_size, part.names[7]), ((100, 50), "bird"))

    def test_none_at_all(self):
        none = ocellus.Detections([], [])
        self.assertEqual((len(none), none.boxes.shape, list(none)), (0, (0, 4), []))
        self.assertIn("0 detections", repr(none))
        self.assertEqual(len(none.to_ultralytics().boxes), 0)

    def test_arrays_are_copies(self):
        boxes = np.zeros((1, 4))
        found = ocellus.Detections(boxes, [1])
        boxes[:] = 7
        self.assertFalse(found.boxes.any())

    def test_counts_must_agree(self):
        for arguments in (
            ([[1, 2, 3, 4]], [0.5, 0.5]),
            ([[1, 2, 3]], [0.5]),
            ([[1, 2, 3, 4]], [0.5], [1, 2]),
            ([[1, 2, 3, 4]], [0.5], [1], ["a", "b"]),
            ([[1, 2, 3, 4]], [0.5], [1], ["a"], [1, 2]),
        ):
            with self.assertRaises(ValueError):
                ocellus.Detections(*arguments)

    def test_they_are_readable(self):
        text = repr(example().with_identities([5, 0, 6]))
        self.assertIn("#5 cat 0.900 (1.0, 2.0, 11.0, 22.0)", text)
        self.assertIn("class -1", text)
        many = ocellus.Detections(np.zeros((30, 4)), np.zeros(30))
        self.assertIn("and 20 more", repr(many))

    def test_classifications(self):
        found = Classifications([0.75, 0.25], [4, 1], ["a", None])
        score, class_id, label = found[0]
        self.assertEqual((score, class_id, label, len(found)), (0.75, 4, "a", 2))
        self.assertEqual([each.class_id for each in found[found.scores < 0.5]], [1])
        self.assertIn("class 1 0.250", repr(found))
        self.assertEqual(len(found[[]]), 0)


class Ultralytics(unittest.TestCase):
    def test_it_has_their_names(self):
        result = example().to_ultralytics()
        boxes = result.boxes
        np.testing.assert_array_equal(boxes.xyxy[0], [1, 2, 11, 22])
        np.testing.assert_array_equal(boxes.xywh[0], [6, 12, 10, 20])
        np.testing.assert_allclose(boxes.xyxyn[0], [0.01, 0.04, 0.11, 0.44], rtol=1e-6)
        np.testing.assert_allclose(boxes.xywhn[0], [0.06, 0.24, 0.1, 0.4], rtol=1e-6)
        self.assertEqual(boxes.cls.cpu().numpy().astype(int).tolist(), [2, 0, -1])
        self.assertEqual(boxes.cls.tolist(), [2, 0, -1])
        self.assertEqual((result.orig_shape, boxes.shape), ((50, 100), (3, 6)))
        self.assertIsNone(boxes.id)
        self.assertEqual([result.names.get(int(box.cls)) for box in boxes], ["cat", "dog", "-1"])
        self.assertAlmostEqual(float(boxes[1].conf), 0.6, places=6)
        self.assertEqual(boxes[boxes.conf > 0.5].xyxy.shape, (2, 4))
        self.assertEqual(len(result[0]), 1)
        with self.assertRaises(IndexError):
            boxes[3]

    def test_tracked_objects_are_those_with_identities(self):
        result = example().with_identities([0, 8, 9]).to_ultralytics()
        self.assertTrue(result.boxes.is_track)
        self.assertEqual(result.boxes.id.tolist(), [8, 9])
        self.assertEqual((len(result), result.boxes.data.shape), (2, (2, 7)))
        unsure = example().with_identities([0, 0, 0]).to_ultralytics()
        self.assertEqual((len(unsure), unsure.boxes.id), (3, None))

    def test_and_back(self):
        for found in (example(), example().with_identities([4, 8, 9])):
            again = ocellus.Detections.from_ultralytics(found.to_ultralytics())
            np.testing.assert_array_equal(again.boxes, found.boxes)
            np.testing.assert_array_equal(again.scores, found.scores)
            self.assertEqual(again.classes.tolist(), found.classes.tolist())
            # Every class has a name there.
            self.assertEqual(again.labels.tolist(), ["cat", "dog", "-1"])
            self.assertEqual(again.picture_size, found.picture_size)
            self.assertEqual(again.names, {**found.names, -1: "-1"})
            self.assertEqual(again.identities is None, found.identities is None)

    def test_tensors_come_from_wherever_they_are(self):
        class Tensor:
            def __init__(self, values, place="cuda"):
                self.values, self.place = values, place

            def detach(self):
                return self

            def cpu(self):
                return Tensor(self.values, "cpu")

            def __array__(self, dtype=None, copy=None):
                assert self.place == "cpu"
                return np.asarray(self.values, dtype)

        boxes = types.SimpleNamespace(
            xyxy=Tensor([[1.0, 2, 3, 4]]), conf=Tensor([0.5]), cls=Tensor([1.0]), id=Tensor([3.0])
        )
        result = types.SimpleNamespace(boxes=boxes, names=["a", "b"], orig_shape=(5, 6))
        found = ocellus.Detections.from_ultralytics(result)
        self.assertEqual((found[0].label, found[0].identity, found.picture_size), ("b", 3, (6, 5)))

    def test_others_are_refused(self):
        with self.assertRaisesRegex(TypeError, "boxes"):
            ocellus.Detections.from_ultralytics(3)
        with self.assertRaisesRegex(TypeError, "xyxy"):
            ocellus.Detections.from_ultralytics(types.SimpleNamespace(boxes=np.zeros((1, 4))))
        with self.assertRaisesRegex(ValueError, "no boxes"):
            ocellus.Detections.from_ultralytics(types.SimpleNamespace(boxes=None))

    def test_size_is_asked_for_where_it_is_needed(self):
        boxes = ocellus.Detections([[1, 2, 3, 4]], [0.5]).to_ultralytics().boxes
        with self.assertRaisesRegex(ValueError, "how large"):
            boxes.xyxyn


class FakeSupervision(types.SimpleNamespace):
    """What `supervision.Detections` keeps of its arguments."""


class Supervision(unittest.TestCase):
    def setUp(self):
        module = types.ModuleType("supervision")
        module.Detections = FakeSupervision
        self.there = sys.modules.get("supervision")
        sys.modules["supervision"] = module

    def tearDown(self):
        del sys.modules["supervision"]
        if self.there is not None:
            sys.modules["supervision"] = self.there

    def test_both_ways(self):
        made = example().with_identities([5, 0, 6]).to_supervision()
        self.assertEqual(made.xyxy.shape, (3, 4))
        self.assertEqual(made.tracker_id.tolist(), [5, -1, 6])
        self.assertEqual(made.data["class_name"].tolist(), ["cat", "dog", "-1"])
        again = ocellus.Detections.from_supervision(made)
        np.testing.assert_array_equal(again.boxes, example().boxes)
        self.assertEqual(again.identities.tolist(), [5, 0, 6])
        self.assertEqual(again.classes.tolist(), [2, 0, -1])
        self.assertIsNone(example().to_supervision().tracker_id)

    def test_what_is_left_out_is_unknown(self):
        found = ocellus.Detections.from_supervision(
            FakeSupervision(
                xyxy=np.ones((1, 4)), confidence=None, class_id=None, tracker_id=None, data={}
            )
        )
        self.assertEqual(found[0], ((1, 1, 1, 1), 1.0, -1, None, 0))
        with self.assertRaisesRegex(TypeError, "xyxy"):
            ocellus.Detections.from_supervision("boxes")

    def test_missing_package_is_named(self):
        sys.modules["supervision"] = None
        with self.assertRaisesRegex(ImportError, "pip install supervision"):
            example().to_supervision()


class TheRealSupervision(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("supervision"), "supervision is not installed")
    def test_it_accepts_ours(self):
        import supervision

        found = example().with_identities([5, 7, 6])
        made = found.to_supervision()
        self.assertIsInstance(made, supervision.Detections)
        self.assertEqual(len(made[made.confidence > 0.5]), 2)
        self.assertEqual(len(ocellus.Detections.from_supervision(made)), 3)
        theirs = supervision.Detections.from_ultralytics(example().to_ultralytics())
        np.testing.assert_array_equal(theirs.xyxy, found.boxes)
        self.assertEqual(len(ocellus.Detections([], []).to_supervision()), 0)


if __name__ == "__main__":
    unittest.main()
