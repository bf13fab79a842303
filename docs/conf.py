"""How the documentation is built: ``make docs``. Nothing is fetched, and every warning is an error."""

from __future__ import annotations

import matplotlib as mpl
from sphinx_gallery.sorting import ExplicitOrder

import laconic

mpl.use("Agg")

project = "Laconic"
author = "the Laconic developers"
copyright = "2026, the Laconic developers"
version = release = laconic.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.py"]
templates_path = ["_templates"]

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

default_role = "py:obj"
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"demo\.py",
    "within_subsection_order": ExplicitOrder(
        [
            "plot_coverage.py",
            "plot_rule_matrix.py",
            "plot_notebook_card.py",
            "plot_trade_off.py",
            "plot_search_history.py",
            "plot_report.py",
        ]
    ),
    "abort_on_example_error": True,
    "capture_repr": ("_repr_html_",),
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "Laconic"
html_theme_options = {
    "logo": {"text": "Laconic"},
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False
