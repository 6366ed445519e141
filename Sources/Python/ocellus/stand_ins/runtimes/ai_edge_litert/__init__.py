"""A stand-in for the package ai-edge-litert; `ocellus.in_place` supplies its interpreter."""

__version__ = "2.3.0"
