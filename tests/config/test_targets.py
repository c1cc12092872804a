"""Specifications are data: what they name is called, once, with arguments that fit, and nothing else is."""

from typing import Literal

import numpy as np
import pytest

from gdmbench.config.targets import _fits, arguments, build, identity
from gdmbench.errors import ConfigError


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


def test_a_method_inside_a_method_is_built_with_the_same_seed():
    inner = {"_target_": "gdmbench.GDM", "n_topics": 3}
    made = build({"_target_": "builtins.dict", "init": inner, "list": [inner]}, "methods.x", random_state=7)
    assert (made["init"].n_topics, made["init"].random_state) == (3, 7)
    assert made["list"] == [inner]  # a list is data


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("gdmbench.GDM", "GDM"),
        ("gdmbench.geometry.gdm.GDM", "GDM"),
        ("baselines.gibbs.CollapsedGibbs", "CollapsedGibbs"),
        ("sklearn.decomposition.NMF", "sklearn:NMF"),
        ("sklearn.decomposition._nmf.NMF", "sklearn:NMF"),
        ("my_method.Centroids", "my_method:Centroids"),
    ],
)
def test_a_target_is_named_by_what_it_is_not_by_where_it_lies(target, name):
    assert identity({"_target_": target, "k": 1, "init": {"_target_": target}}) == {
        "_target_": name,
        "k": 1,
        "init": {"_target_": name},
    }


def test_a_seed_goes_where_it_is_taken_and_none_is_given():
    spec = {"_target_": "gdmbench.GDM", "n_topics": 3}
    assert build(spec, "methods.x", random_state=7).random_state == 7
    assert build({**spec, "random_state": 1}, "methods.x", random_state=7).random_state == 1
    assert isinstance(build({"_target_": "numpy.zeros", "shape": 2}, "methods.x", random_state=7), np.ndarray)


def test_reserved_keys_are_not_arguments():
    spec = {"_target_": "gdmbench.GDM", "n_topics": 3, "label": "GDM", "quick": {"n_restarts": 1}}
    assert arguments(spec, "methods.x") == {"n_topics": 3}


def test_what_is_lacking_is_named():
    with pytest.raises(ConfigError, match=r"methods\.x\.n_topics is needed by gdmbench\.GDM"):
        arguments({"_target_": "gdmbench.GDM"}, "methods.x")
