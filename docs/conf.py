"""The site in this folder: `python -m sphinx -W -b html docs docs/_build` (extra `docs`).

Pages are Markdown that a code host shows as it is. Nothing is loaded from elsewhere: the built site works from a disk,
its search too.
"""

import os
import sys
import warnings
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a clone need not be installed
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

from gdmbench import __version__  # noqa: E402

project = "gdmbench"
author = "The gdmbench developers"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
# index.md includes README.md, the index of this folder on a code host; the others are no pages of the site.
exclude_patterns = ["_build", "README.md", "gallery", "**/sg_execution_times.rst"]
templates_path = ["_templates"]
default_role = "literal"  # `name` in a docstring is code

# Markdown
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

# Reference
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say what a user needs
numpydoc_show_class_members = False  # the template of a class lists the methods that are ours

# Gallery
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "write_computation_times": False,
    "show_signature": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
    "capture_repr": (),
}
# What sphinx-gallery does on a machine without a screen, where a script would open a window.
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")

# Look
html_theme = "pydata_sphinx_theme"
html_title = f"gdmbench {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 7,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"glossary": [], "theory": []}


def _inline_math(page: Any, node: nodes.math) -> None:
    page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display_math(page: Any, node: nodes.math_block) -> None:
    page.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers show without a script from elsewhere."""
    app.add_html_math_renderer("mathml", (_inline_math, None), (_display_math, None))


html_math_renderer = "mathml"
