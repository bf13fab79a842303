"""Measurements of Laconic; run each from the project's root: ``python -m benchmarks.NAME``."""
