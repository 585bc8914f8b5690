"""One cell of a table: a number with its sign and unit, a period, or words."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tallybook.figures.numbers import DIGITS, Numeral, read_digits
from tallybook.figures.units import ONE, PREFIX, TAIL, Measure, money_of, scale_of

_NOTE: Final = r"(?:[ ]?(?:\((?:[0-9]{1,2}|[a-z])\)|\[[0-9a-z]{1,3}\]|\*{1,3}|[†‡§#]|[¹²³]))*"
_CELL: Final = re.compile(
    rf"(?P<mark>[~≈<>≤≥*_]{{0,3}}[ ]?)(?P<open>\([ ]?)?(?P<sign>[-+–—][ ]?)?(?P<money>{PREFIX}|元)?[ ]*(?P<inner>\([ ]?|[-+–])?[ ]*"
    rf"(?P<digits>{DIGITS})"
)
_REST: Final = re.compile(
    rf"[ ]*(?P<close>\))?[ ]*(?P<late>%|x(?![a-z])|bps?|pp|ppts?|pts)?[ ]*(?P<close2>\))?{_NOTE}[*_]{{0,3}}\Z"
)
_BARE: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){0,6}(?:\.[0-9]{1,4})?\Z")
_LATE: Final = {"%": "%", "x": "x", "bp": "bps", "bps": "bps"}
_SIGNS: Final = frozenset("$€£¥₹₩")
NIL: Final = frozenset(
    (
        "-",
        "–",
        "—",
        "--",
        "- -",
        "nil",
        "n/a",
        "N/A",
        "NM",
        "nm",
        "*",
        "",
        "—%",
        "- - %",
        "-%",
        "–%",
        "$—",
        "$-",
        "$–",
        "$ —",
        "—)",
        "N/M",
    )
)
"""What stands in a cell for nothing, or for a number not worth telling."""


class Reading(NamedTuple):
    """A cell's number: where it stands in the cell, what it is measured in, whether it shows a scale."""

    start: int
    end: int
    number: Numeral
    measure: Measure
    scaled: bool


def read_cell(text: str) -> Reading | None:
    """Read a cell that is one number and nothing else but signs, units and footnote marks."""
    if _BARE.match(text):
        number = read_digits(text)
        return Reading(0, len(text), number, Measure(), False) if number else None
    found = _CELL.match(text)
    if not found:
        return None
    number = read_digits(found["digits"])
    tail = TAIL.match(text, found.end())
    if number is None or tail is None:
        return None
    rest = _REST.match(text, tail.end())
    if rest is None:
        return None
    return _reading(found, tail, rest, number)


def _reading(
    found: re.Match[str], tail: re.Match[str], rest: re.Match[str], number: Numeral
) -> Reading | None:
    sign = f"{found['open'] or ''}{found['sign'] or ''}{found['inner'] or ''}"
    closed = bool(rest["close"] or rest["close2"]) or ")" in tail[0]
    if "(" in sign or any(mark in sign for mark in "-–—"):
        number = Numeral(-number.value, number.step)
    elif rest["close"] and not rest["close2"] and "(" not in sign and not closed:
        return None
    scaled = tail["word"] or tail["short"] or tail["low"] or tail["han"]
    unit = _unit(tail, rest, found["money"] or "")
    end = max(tail.end(), rest.end("close"), rest.end("late"), rest.end("close2"))
    start = found.start("open") if found["open"] else len(found["mark"])
    return Reading(
        start, end, number, Measure(unit, scale_of(scaled) if scaled else ONE), bool(scaled)
    )


def _unit(tail: re.Match[str], rest: re.Match[str], money: str) -> str:
    if rest["late"]:
        return _LATE.get(rest["late"], "pp")
    if tail["share"]:
        return "%"
    if tail["times"]:
        return "x"
    if tail["points"]:
        return "pp"
    if tail["bps"]:
        return "bps"
    unit = money_of(money) or (money_of(tail["money"]) if tail["money"] else "")
    if unit:
        return f"{unit}/share" if tail["per"] else unit
    return "shares" if tail["shares"] else ""
