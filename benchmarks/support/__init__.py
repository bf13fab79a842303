"""Shared by the measurements: the paper's training sets, resumable results, generated tables."""
