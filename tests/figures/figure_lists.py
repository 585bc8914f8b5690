"""Strategies for figures as a finder may give them, from filings, JSON and prose."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st
from tests.figures.json_texts import WORDS

from tallybook.figures.figure import Figure

_labels = (
    st.sampled_from(("Revenue", "Net income", "营业收入", "Sales, total", "a[#]", "x [3]"))
    | st.builds("$.rows[{}].{}".format, st.integers(0, 12), st.sampled_from(("val", "a,b", "利")))
    | st.builds("$.c[{}].rows[{}].val".format, st.integers(0, 3), st.integers(0, 3))
    | st.sampled_from(WORDS)
)
_periods = st.sampled_from(("", "FY2023", "FY2024", "Q3 2025", "2025-06-28", "June 30, 2024", "#1"))
_entities = st.sampled_from(("", "NVDA", "Apple Inc.", "贵州茅台", "A|B", "identifiers"))
_units = st.sampled_from(("", "USD", "%", "x", "USD/share", "CNY", "identifiers", "×1e3"))
_scales = st.sampled_from(("1", "1E3", "1E6", "1000000", "1E9", "1E4", "1E8", "12")).map(Decimal)
_spans = st.tuples(st.integers(0, 999), st.just(0))


@st.composite
def _figures(draw: st.DrawFn) -> Figure:
    scale = draw(_scales)
    step = scale.scaleb(-draw(st.integers(0, 4)))
    value = draw(st.integers(-(10**9), 10**9) | st.sampled_from((10**9, 5 * 10**12))) * step
    if draw(st.integers(0, 9)) == 0:
        value, step = draw(st.decimals(allow_nan=False, allow_infinity=False)), Decimal("0.5")
    return Figure(
        value=value,
        precision=step,
        seq=draw(st.integers(0, 12)),
        span=draw(_spans),
        unit=draw(_units),
        scale=scale,
        label=draw(_labels),
        period=draw(_periods),
        entity=draw(_entities),
    )


@st.composite
def _identifiers(draw: st.DrawFn) -> Figure:
    text = draw(st.sampled_from(("0000320193-24-000001", "CIK 320193", "a/b;1,2", "")))
    digits = "".join(letter for letter in text if letter.isdigit())
    return Figure(
        value=Decimal(digits or "7"),
        precision=Decimal(1),
        seq=draw(st.integers(0, 12)),
        span=draw(_spans),
        label=draw(_labels),
        entity=draw(_entities),
        kind="identifier",
        text=text,
    )


figure_lists: st.SearchStrategy[list[Figure]] = st.lists(_figures() | _identifiers(), max_size=25)
