"""The checks that gdmbench makes of its own methods, made of this one."""

from gdmbench.cli import main


def test_plsa_is_a_method_in_good_order():
    """Every check passes; `python -m gdmbench check method=plsa` says which does not."""
    assert main(["check", "method=plsa"]) == 0
