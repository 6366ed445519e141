"""The sets: what models learn from, and what nobody trained on."""

from pictures import Recipe

DETECTOR_SIDE = 256
LABELER_SIDE = 96

SCENES = {
    "learn": Recipe("scenes-learn", "scene", DETECTOR_SIDE, 24000, 11, textures=240),
    "judge": Recipe("scenes-judge", "scene", DETECTOR_SIDE, 1000, 12),
    "unseen": Recipe("scenes-unseen", "scene", DETECTOR_SIDE, 500, 13, held_out=True),
}
PORTRAITS = {
    "learn": Recipe("portraits-learn", "portrait", LABELER_SIDE, 30000, 21, textures=240),
    "judge": Recipe("portraits-judge", "portrait", LABELER_SIDE, 2000, 22),
}
