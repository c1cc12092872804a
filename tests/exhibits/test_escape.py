"""Text that is anybody's comes out as text in every language, and our own formulas stay formulas."""

import doctest
import html as standard_html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from gdmbench.exhibits import escape
from gdmbench.exhibits.escape import html, is_formula, latex, markdown, mathtext

HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x][y]",
    "a|b",
    r"\input{/etc/passwd}",
    r"$\input{/etc/passwd}$",
    "\\",
    r"\\",
    r"\$x$",
    r"\$x$ and \$y$",
    "$x_a_b$",
    "$}{$",
    "$x",
    "x$",
    "$$",
    "50 % & more_of #this ~ ^ {it} *",
    "&lt;b&gt; &amp;",
    "# no heading",
    "- no list",
    "1. no list",
    "> no quotation",
    "two\nlines\r\nof text",
    "[50, 1500]",
    "`code`",
    "",
]
LATEX_WORDS = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}
# What has a meaning in one of the languages, and enough of everything else.
texts = st.text(
    st.one_of(st.sampled_from("\\$_^{}[]()<>|&#*`~%:!-+.)\n ax1"), st.characters(exclude_categories=["Cs"]))
)


def test_examples():
    assert doctest.testmod(escape).failed == 0


def unescape_markdown(source):
    """Read Markdown as CommonMark does where only escapes and entities have a meaning."""
    escaped_or_entity = re.compile(r"\\([!-/:-@\[-`{-~])|(&#?\w+;)")
    return escaped_or_entity.sub(lambda m: m[1] or standard_html.unescape(m[2]), source)


def unescape_latex(source):
    source = re.sub(r"\\(text\w+)\{\}", lambda m: f"\0{list(LATEX_WORDS).index(m[1])}\0", source)
    assert not re.search(r"\\[A-Za-z]", source), "a command is left"
    source = re.sub(r"\{([\[*])\}", r"\1", source)
    assert not re.search(r"(?<!\\)[{}$&#_%^~]", source), "a special character is left"
    source = re.sub(r"\\([&%$#_{}])", r"\1", source)
    return re.sub("\0(\\d)\0", lambda m: list(LATEX_WORDS.values())[int(m[1])], source)


def hostile(test):
    for text in HOSTILE:
        test = example(text)(test)
    return settings(deadline=None)(given(texts.filter(lambda text: "\0" not in text))(test))


@hostile
def test_markdown_drops_nothing_and_leaves_no_link_tag_or_cell(text):
    found = markdown(text, formulas=False)
    assert unescape_markdown(found) == " ".join(text.splitlines())
    bare = re.sub(r"\\.", "�", found)  # whatever is escaped
    assert not re.search(r"[|`*_$#~]|<[A-Za-z/!?]|\][(\[:]|^\[|^>|^[-+](\s|$)|^\d+[.)](\s|$)", bare)


@hostile
def test_latex_drops_nothing_and_leaves_no_command(text):
    found = latex(text)
    formulas = [piece for piece in re.findall(r"(?<!\\)\$[^$]+\$", found) if is_formula(piece)]
    for formula in formulas:
        found = found.replace(formula, formula.translate(str.maketrans(dict.fromkeys("\\$_^{}*", "?"))))
        text = text.replace(formula, formula.translate(str.maketrans(dict.fromkeys("\\$_^{}*", "?"))))
    assert unescape_latex(found) == " ".join(text.splitlines())


@hostile
def test_html_is_read_back_by_a_parser(text):
    read = []

    class Reader(HTMLParser):
        def handle_data(self, data):
            read.append(data)

        def handle_starttag(self, tag, attributes):
            read.append(dict(attributes).get("title"))

    reader = Reader()
    reader.feed(f'<p title="{html(text)}">')
    reader.feed(f"{html(text)}</p>")
    reader.close()
    assert (read[0] or "") == text
    assert "".join(read[1:]) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_figures_draw_anything(text):
    figure = Figure()
    drawn = figure.text(0.5, 0.5, mathtext(text))
    figure.draw_without_rendering()
    if "$" in text:
        assert drawn.get_text().replace(r"\$", "$") == " ".join(text.splitlines())


@settings(deadline=None, max_examples=50)
@given(st.text(st.sampled_from("\\$_^{}ab1 ")))
def test_no_text_makes_a_figure_fail(text):
    figure = Figure()
    figure.text(0.5, 0.5, mathtext(text))
    figure.draw_without_rendering()


@pytest.mark.parametrize(
    "formula", ["$N_m = 1000$", r"$\alpha = 0.1$", r"$(\log M/M)^{1/2}$", "$K$", "$a < b$", "$N_m = [50, 1500]$"]
)
def test_our_formulas_stay(formula):
    text = f"Growing, {formula} & more"
    assert markdown(text) == text
    assert latex(text) == text.replace("& more", r"\& more")
    assert mathtext(text) == text


@pytest.mark.parametrize(
    "text",
    [r"$\input{x}$", r"$\alphax$", "$[x](javascript:f)$", "$a|b$", "$<b$", "$x_a_b$", "$x^$", r"$\frac{1}$", "$%$"],
)
def test_other_formulas_are_text(text):
    assert not is_formula(text)
    assert r"\$" in markdown(text)
    assert r"\$" in latex(text)
    assert r"\$" in mathtext(text)


def test_prices_are_no_formulas():
    assert mathtext("$5 and $6, not $M$") == r"\$5 and \$6, not $M$"
