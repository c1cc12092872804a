"""Looks of methods: fixed for the paper's, distinct for anybody's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdmbench.exhibits.style import METHODS, axis_of, in_order, styles_of


def test_known_methods_look_the_same_in_any_company():
    alone = {method: styles_of([method])[method] for method in METHODS}
    assert styles_of([*METHODS, "mine", "zzz", "gdm_unweighted"]).items() >= alone.items()


@given(st.sets(st.text("abcdefgh_", min_size=1, max_size=6), max_size=20))
def test_no_two_of_twenty_strangers_look_alike(names):
    styles = styles_of([*METHODS, *names])
    assert len(set(styles.values())) == len({*METHODS, *names})


@given(st.permutations(["mine", "yours", "gdm", "gibbs_long", "gibbs_short"]))
def test_looks_do_not_depend_on_order(names):
    assert styles_of(names) == styles_of(sorted(names))


def test_a_stranger_keeps_its_look_when_known_methods_come_and_go():
    assert styles_of(["mine", "gdm"])["mine"] == styles_of(["mine", "vem", "gibbs"])["mine"]


def test_a_variant_has_the_colour_of_its_original():
    styles = styles_of(["gdm", "gdm_unweighted", "gdm_far"])
    assert len({style.color for style in styles.values()}) == 1
    assert not styles["gdm"].hollow
    assert styles["gdm_unweighted"].hollow
    assert styles["gdm_unweighted"].marker != styles["gdm_far"].marker
    assert styles_of(["gdmish"])["gdmish"].color != styles["gdm"].color


def test_order_is_the_papers_with_variants_behind_their_original():
    names = ["zebra", "ant", "gibbs", "gdm_unweighted", "tgdm", "gdm"]
    assert in_order(names) == ["gdm", "gdm_unweighted", "tgdm", "gibbs", "ant", "zebra"]


@pytest.mark.parametrize("room", ["data", "model"])
def test_settings_of_the_data_and_of_the_model_have_the_papers_symbols(room):
    assert axis_of(f"{room}.n_topics").name == "number of topics $K$"
    assert axis_of(f"{room}.alpha").symbol == r"$\alpha$"
    assert axis_of(f"{room}.eta").plain == "eta"


def test_unknown_axes_go_by_the_last_part_of_their_key():
    assert axis_of("methods.gdm.n_restarts").name == "n restarts"
    assert axis_of("methods.vem.alpha").symbol == "alpha"
    assert axis_of("odd$key").plain == "odd$key"
    assert axis_of(None).name == axis_of("").name == ""
