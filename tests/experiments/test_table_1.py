"""Table 1: our numbers beside the paper's."""

from experiments import table_1


def test_table_1_shows_ours_and_the_papers(world, tmp_path, unrendered_figures):
    table_1.draw(world, tmp_path)
    page = (tmp_path / "table_1.md").read_text()
    assert page.count("(1586)") == 2  # under both rules for zeros
    head, _, _, row, *_ = [line for line in page.splitlines() if line.startswith("|")]
    assert head.replace(" ", "") == "|K|gdm(ours)|tgdm(ours)|vem(ours)|gibbs(ours)|recover\\_kl(ours)|"
    assert [cell.split()[-1] for cell in row.split("|")[2:-1] if "(" in cell] == ["(1061)", "(1953)", "(924)", "(1235)"]
    times = (tmp_path / "timing.md").read_text()
    assert "On the NIPS corpus" in times
    assert "630" in times
