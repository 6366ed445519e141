"""A stand-in for the package tflite-runtime; `ocellus.in_place` supplies its interpreter."""

__version__ = "2.14.0"
