r"""Text that comes out as it is in Markdown, LaTeX, HTML, figures and on a terminal: one function for each of these.

Labels, titles, error messages and words of a corpus come from anyone, and may hold what such a language takes for a
command, a link or a tag. Nothing of them is dropped. Formulas such as ``$N_m = 1000$`` in titles and labels stay
formulas, as long as they are made of letters, digits, simple signs and the commands listed here; any other is text. On
a terminal they become Unicode's letters and signs.
"""

import html as _html
import re
from collections.abc import Callable
from functools import lru_cache, partial

# As in other Markdown with formulas, "$5 and $6" is none: no space inside the dollars, no digit behind the second.
_FORMULA = re.compile(r"((?<!\\)\$(?!\s)[^$\r\n]+(?<!\s)\$(?!\d))")
_COMMANDS = (
    "alpha|beta|gamma|delta|epsilon|eta|theta|kappa|lambda|mu|nu|pi|rho|sigma|tau|phi|chi|psi|omega|Delta|Sigma|Omega|"
    "log|exp|min|max|sum|prod|sqrt|frac|times|cdot|pm|propto|approx|sim|leq|geq|le|ge|neq|in|to|infty|ldots|"
    "mathrm|mathbf|mathcal|hat|bar"
)
_SIGNS = r"[A-Za-z0-9 =+\-/^_(){}\[\].,:;'!<>*]"
_SAFE = re.compile(rf"(?:{_SIGNS}|\\(?:{_COMMANDS})(?![A-Za-z]))+")
_LINK_OR_TAG = re.compile(r"\][(\[:]|<[A-Za-z/!?]")

_MARKDOWN = (
    (re.compile(r"&(?=#?\w+;)"), "&amp;"),
    (re.compile(r"[\\`*_|~$#]"), r"\\\g<0>"),
    (re.compile(r"<(?=[A-Za-z/!?])"), "&lt;"),
    (re.compile(r"^\[|\](?=[(\[:])"), r"\\\g<0>"),
    (re.compile(r"^>"), "&gt;"),
    (re.compile(r"^(\d*)([-+.)])(?=\s|$)"), r"\1\\\2"),  # at the start of a line these would make a list
)
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_LATEX |= {character: "\\" + character for character in "&%$#_{}"}
_LATEX |= {character: f"{{{character}}}" for character in "[*"}  # read as an option of \\ at the start of a row
# What formulas become where they can't be drawn; commands that only change the look leave nothing.
_UNICODE = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ"}
_UNICODE |= {"kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ"}
_UNICODE |= {"phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Delta": "Δ", "Sigma": "Σ", "Omega": "Ω", "sqrt": "√"}
_UNICODE |= {"sum": "∑", "prod": "∏", "times": "×", "cdot": "·", "pm": "±", "propto": "∝", "approx": "≈", "sim": "∼"}
_UNICODE |= {"leq": "≤", "geq": "≥", "le": "≤", "ge": "≥", "neq": "≠", "in": "∈", "to": "→", "infty": "∞", "ldots": "…"}
_UNICODE |= dict.fromkeys(("mathrm", "mathbf", "mathcal", "hat", "bar"), "")
_BELOW = dict(zip("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_ABOVE = dict(zip("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", strict=True))


def markdown(text: str, *, formulas: bool = True) -> str:
    r"""Write text for Markdown, in a table, a list or a heading; ``formulas=False`` for what never holds any.

    Examples
    --------
    >>> print(markdown("[x](javascript:f) <script> a|b, $N_m = 1000$"))
    \[x\](javascript:f) &lt;script> a\|b, $N_m = 1000$
    """
    return _outside_formulas(text, _markdown_text, formulas=formulas)


def latex(text: str) -> str:
    r"""Write text for LaTeX.

    Examples
    --------
    >>> print(latex(r"50 % of $N_m$, $\input{x}$"))
    50 \% of $N_m$, \$\textbackslash{}input\{x\}\$
    """
    return _outside_formulas(text, lambda piece: "".join(_LATEX.get(letter, letter) for letter in piece))


def html(text: str) -> str:
    """Write text for HTML, between tags or in a quoted attribute; formulas are shown as they are typed.

    Examples
    --------
    >>> print(html("<script>"))
    &lt;script&gt;
    """
    return _html.escape(text, quote=True)


def mathtext(text: str) -> str:
    r"""Write text for a figure: what is no valid formula is drawn with its dollar signs.

    Examples
    --------
    >>> print(mathtext(r"$N_m$ for $5, $\input{x}$"))
    $N_m$ for \$5, \$\input{x}\$
    """
    return _outside_formulas(text, lambda piece: piece.replace("$", r"\$"))


def plain(text: str) -> str:
    r"""Write text for where neither formulas nor tags are drawn: formulas in Unicode's letters and signs.

    Examples
    --------
    >>> print(plain(r"Documents, $N_m \geq 50$, $\alpha = 0.1$, 5 $"))
    Documents, Nₘ ≥ 50, α = 0.1, 5 $
    """
    pieces = _FORMULA.split(" ".join(text.splitlines()))
    return "".join(
        _in_unicode(piece[1:-1]) if index % 2 and _SAFE.fullmatch(piece[1:-1]) else piece
        for index, piece in enumerate(pieces)
    )


@lru_cache(maxsize=1000)
def is_formula(text: str) -> bool:
    """Tell whether text between dollar signs is a formula that every language here can take as it is."""
    if not _SAFE.fullmatch(text[1:-1]) or _LINK_OR_TAG.search(text):
        return False
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(text)
    except (ValueError, RecursionError):
        return False
    return True


def _in_unicode(formula: str) -> str:
    formula = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", formula)
    formula = re.sub(r"\\([A-Za-z]+)", lambda found: _UNICODE.get(found[1], found[1]), formula)
    for sign, letters in (("_", _BELOW), ("^", _ABOVE)):
        places = re.compile(rf"\{sign}(?:\{{([^{{}}]*)\}}|(.))")
        formula = places.sub(partial(_set, sign, letters), formula)
    return re.sub(r"[{}]", "", formula)


def _set(sign: str, letters: dict[str, str], found: re.Match[str]) -> str:
    """Raise or lower what can be; the rest keeps its sign."""
    text = found[1] or found[2] or ""
    return "".join(letters[letter] for letter in text) if set(text) <= letters.keys() else f"{sign}{text}"


def _outside_formulas(text: str, escape: Callable[[str], str], *, formulas: bool = True) -> str:
    text = " ".join(text.splitlines())
    if not formulas:
        return escape(text)
    joined: list[str] = [""]  # runs of text, with formulas between them
    for index, piece in enumerate(_FORMULA.split(text)):
        if index % 2 and is_formula(piece):
            joined += [piece, ""]
        else:
            joined[-1] += piece
    return "".join(piece if index % 2 else escape(piece) for index, piece in enumerate(joined))


def _markdown_text(text: str) -> str:
    for pattern, replacement in _MARKDOWN:
        text = pattern.sub(replacement, text)
    return text
