"""Specifications are data: what they name is called, once, with arguments that fit, and nothing else is."""

from typing import Literal

import numpy as np
import pytest

from gdmbench.runner.errors import ConfigError
from gdmbench.runner.targets import _fits, arguments, build


@pytest.mark.parametrize(
    ("value", "hint", "fits"),
    [
        (1, int, True),
        (True, int, False),
        (1.5, int, False),
        ("1", int, False),
        (1, float, True),
        (1.5, float, True),
        ("x", float, False),
        (None, float, False),
        (None, float | None, True),
        (True, bool, True),
        (1, bool, False),
        ("a", Literal["a", "b"], True),
        ("c", Literal["a", "b"], False),
        ([50, 100], int | tuple[int, int], True),
        ("50", int | tuple[int, int], False),
        ("anything", object, True),
    ],
)
def test_kinds(value, hint, fits):
    assert _fits(value, hint) == fits


def test_a_target_inside_an_argument_is_not_called():
    inner = {"_target_": "os.abort"}
    assert build({"_target_": "builtins.dict", "inner": inner, "list": [inner]}, "methods.x", 0) == {
        "inner": inner,
        "list": [inner],
    }


def test_a_seed_goes_where_it_is_taken_and_none_is_given():
    spec = {"_target_": "gdmbench.GDM", "n_topics": 3}
    assert build(spec, "methods.x", 7).random_state == 7
    assert build({**spec, "random_state": 1}, "methods.x", 7).random_state == 1
    assert isinstance(build({"_target_": "numpy.zeros", "shape": 2}, "methods.x", 7), np.ndarray)


def test_reserved_keys_are_not_arguments():
    spec = {"_target_": "gdmbench.GDM", "n_topics": 3, "label": "GDM", "quick": {"n_restarts": 1}}
    assert arguments(spec, "methods.x") == {"n_topics": 3}


def test_model_settings_are_dropped_where_a_corpus_has_no_use_for_them():
    spec = {"_target_": "gdmbench.data.split_corpus", "path": "reuters", "n_topics": 5, "alpha": 1.0, "eta": 0.1}
    assert arguments(spec, "data") == {"path": "reuters"}


def test_what_is_lacking_is_named():
    with pytest.raises(ConfigError, match=r"methods\.x\.n_topics is needed by gdmbench\.GDM"):
        arguments({"_target_": "gdmbench.GDM"}, "methods.x")
