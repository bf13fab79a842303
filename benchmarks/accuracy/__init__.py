"""Accuracy on new rows against size: Laconic and others on raw tables, each with its own defaults."""
