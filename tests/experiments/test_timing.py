"""Times: which corpus decides."""

from experiments import timing


def test_times_on_simulated_data_stand_in_for_missing_ones(world, spoil):
    (claim,) = [claim for claim in timing.CLAIMS if claim.id == "nips-time"]
    assert "on NIPS" in claim.judge(world).evidence
    simulated = world[world["experiment"] != "timing_nips"]
    found = claim.judge(simulated)
    assert found.outcome == "reproduced"
    assert "on simulated data" in found.evidence
    slow = spoil(world, "timing", "gibbs", "fit_seconds", 0.1)
    assert claim.judge(slow).outcome == "reproduced"  # real ones decide where there are any
