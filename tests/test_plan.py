"""Keys and seeds depend on nothing but the specification."""

import dataclasses

import pytest

from gdmbench.config.compose import load_config
from gdmbench.plan import Cell, make_plan

CELL = Cell("e", "m", "M", "data.n", 1, 0, 7, {"_target_": "a.b", "n": 1, "x": 0.5}, {"_target_": "c.D", "k": 2})


def changed(**what):
    return dataclasses.replace(CELL, **what)


@pytest.mark.parametrize(
    "what",
    [{"experiment": "f"}, {"method": "n"}, {"label": "L"}, {"axis": None}, {"data": dict(reversed(CELL.data.items()))}],
)
def test_names_and_order_do_not_change_the_key(what):
    assert changed(**what).key == CELL.key
    assert changed(**what) == CELL
    assert hash(changed(**what)) == hash(CELL)


@pytest.mark.parametrize(
    "what",
    [{"repetition": 1}, {"seed": 8}, {"data": {**CELL.data, "n": 2}}, {"params": {**CELL.params, "k": 3}}],
)
def test_what_is_computed_changes_the_key(what):
    assert changed(**what).key != CELL.key
    assert changed(**what) != CELL


def test_every_method_at_a_point_sees_the_same_data():
    assert changed(method="n", params={"_target_": "e.F"}).seeds() == CELL.seeds()


@pytest.mark.parametrize("what", [{"repetition": 1}, {"seed": 8}, {"data": {**CELL.data, "n": 2}}])
def test_other_data_have_other_seeds(what):
    assert set(changed(**what).seeds()).isdisjoint(CELL.seeds())


def test_data_and_method_seeds_differ():
    assert len(set(CELL.seeds())) == 2


def test_a_plan_is_the_grid_with_repetitions_outermost():
    config = load_config(["+experiment=vary_M", "repetitions=2", "sweep.values=[100,200]", "~methods.gibbs"])
    plan = make_plan(config)
    methods = list(config.methods)
    expected = [(r, v, m) for r in range(2) for v in (100, 200) for m in methods]
    assert [(cell.repetition, cell.value, cell.method) for cell in plan] == expected
    assert len(plan) == len(expected)
    assert len({cell.key for cell in plan}) == len(expected)


def test_a_swept_value_reaches_what_refers_to_it():
    config = load_config(["+experiment=vary_alpha", "+method@methods.extra=gibbs", "methods.extra.n_sweeps=1"])
    for cell in make_plan(config):
        assert cell.data["alpha"] == cell.value
        if cell.method == "gibbs":
            assert cell.params["alpha"] == cell.value


def test_an_experiment_without_an_axis_is_one_point():
    plan = make_plan(load_config(["+experiment=vary_M", "sweep.axis=null", "repetitions=3"]))
    assert {cell.value for cell in plan} == {None}
    assert len(plan) == 3 * len({cell.method for cell in plan})


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        ("data.n_docs", ["100", "200", "50"]),
        ("data", ["{n_docs: 100}", "{doc_length: 20}", "{n_docs: 50, doc_length: 30}"]),
    ],
)
def test_points_do_not_depend_on_the_values_before(axis, values):
    def points(*swept):
        words = ["+experiment=vary_M", f"sweep.axis={axis}", f"sweep.values=[{','.join(swept)}]"]
        return [(cell.value, cell.data, cell.params) for cell in make_plan(load_config(words)).points]

    assert points(*values) == [point for value in values for point in points(value)]
