"""A figure to be checked, with the words around it that say what it claims to be.

The words decide which known figures it may be compared with or computed from: what is counted,
when, and what was done ("grew by", "average of", "share of").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

import msgspec

from tallybook.figures import when, wording
from tallybook.figures.figure import Figure
from tallybook.figures.when import Period

Operation = Literal["growth", "change", "difference", "ratio", "sum", "average", "cagr", "product"]

Step = Literal["", "year", "quarter", "any"]

_PATTERNS: Final[tuple[tuple[Operation, str], ...]] = (
    ("cagr", r"\bcagr\b|compound|annuali[sz]ed|复合"),
    (
        "growth",
        r"(?:percent(?:age)?|%|relative)[\s)]*(?:point\s+)?(?:change|increase|decrease|growth"
        r"|difference|decline)|change\s*\(?\s*%|\bgr[eo]w|\brate of change|yoy|y/y|qoq"
        r"|year[- ](?:over|on)[- ]year|\bros[e]\b|\bris(?:e|en|ing)\b|increas|decreas|declin"
        r"|\bf[ae]ll|\bup\b|\bdown\b|drop|jump|\bsurg(?:e|ing)|climb|同比|环比|增长|增幅|上升|下降|减少|下滑",
    ),
    (
        "change",
        r"chang|increas|decreas|declin|\bros[e]\b|\bris(?:e|en|ing)\b|\bf[ae]ll|\bup\b|\bdown\b"
        r"|drop|improv|expan|contract(?:ed|ion)|narrow|widen|\bgr[eo]w|增加|减少|下降|上升|提升|变动|变化",
    ),
    (
        "difference",
        r"differ|\bagainst\b|\bgap\b|spread|more than|less than|higher|lower|minus|\bnet of\b"
        r"|exceed|free cash|\bless\b|versus|compared|差|百分点|高于|低于",
    ),
    (
        "ratio",
        r"ratio|proportion|percent(?:age)?s? of|% of|\bshare\b|constitut|margin|\bper\b|times"
        r"|multiple|\d\s?x\b|tripl|doubl|quadrupl|\bfold\b"
        r"|out of|as a percent|accounted|represent|made up|divided|portion"
        r"|conversion|intensity|coverage|\bturnover|占|倍|率|比重",
    ),
    ("average", r"averag|\bmean\b|平均|均值"),
    ("sum", r"\btotal|\bsum\b|combin|altogether|aggregate|together|cumulativ|合计|总|累计|共"),
    ("product", r"multipl|\btimes\b|\bprice of\b|\bworth\b|market cap|乘"),
)
_INTENTS: Final = tuple((name, re.compile(text)) for name, text in _PATTERNS)
_UP = re.compile(
    r"increas|\bgr[eo]w|\bros[e]\b|\bris(?:e|en|ing)\b|\bup\b|higher|jump|\bsurg(?:e|ing)"
    r"|climb|expan|improv|\bmore\b|widen|增长|增加|上升|提升|上涨|高于|多"
)
_DOWN = re.compile(
    r"decreas|declin|\bf[ae]ll|\bdown\b|lower|drop|reduc|shr[aiu]nk|contract(?:ed|ion)|slump|narrow|\bless\b"
    r"|below|weaken|erod|compress|\bcut\b|negative|worse|\bslid|下降|减少|下滑|下跌|降低|收窄|低于|少"
)
_SUM = re.compile(r"\bsum of|combin|altogether|aggregate|together|cumulativ|合计|累计|一共")
_YEARLY = re.compile(
    r"year[- ](?:over|on)[- ]year|\byoy\b|y/y|year[- ](?:before|earlier|ago)|annual growth"
    r"|(?:prior|previous|preceding|last)[- ](?:fiscal )?year|同比|上年|去年"
)
_QUARTERLY = re.compile(
    r"quarter[- ](?:over|on)[- ]quarter|\bqoq\b|q/q|sequential|quarter[- ](?:before|earlier|ago)"
    r"|(?:prior|previous|preceding|last)[- ](?:fiscal )?quarter|环比|上季"
)
_PERCENT = re.compile(r"percent|%|百分|\bpp\b")
_POINTS = re.compile(r"percentage points?|\bpp\b|\bp\.p\.|basis points?|\bbps\b|百分点|个基点")


class Intent(msgspec.Struct, frozen=True):
    """What the words say was done to get a figure.

    `direction` is 1 for up, -1 for down; `step` says which period before it is held against,
    `points` that it counts percentage points, which are no rate of growth.
    """

    operations: tuple[Operation, ...] = ()
    direction: int = 0
    change: bool = False
    percent: bool = False
    step: Step = ""
    points: bool = False


class Claim(msgspec.Struct, frozen=True):
    """A figure with what is said about it.

    `said` are the words of its sentence, `near` those of its own clause; `periods` are all that
    the sentence names and `own` the one that belongs to this figure, if that is plain.
    `spanned` says that the periods name the ends of a stretch; `computed` are the operations
    that its own clause, or its question, says gave it; `entities` are all that the sentence names
    and `whose` those that the figure may be of; `cites` are the footnotes; `asked` says
    that it stands in a question, which asserts nothing.
    """

    figure: Figure
    said: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    own: Period | None = None
    spanned: bool = False
    intent: Intent = Intent()
    computed: frozenset[Operation] = frozenset()
    entities: tuple[str, ...] = ()
    whose: tuple[str, ...] = ()
    cites: tuple[int, ...] = ()
    asked: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the words name a measure and nothing done to it; a margin is one, too."""
        return not self.computed or (
            self.computed == {"ratio"} and wording.is_composed(self.near or self.said)
        )


def read_intent(text: str) -> Intent:
    """What a sentence says was done: the operations it names, and which way things went."""
    text = text.lower()
    up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
    return Intent(
        _named_in(text),
        direction=int(up) - int(down),
        change="change" in text or (up and down),
        percent=bool(_PERCENT.search(text)),
        step=_step(text),
        points=bool(_POINTS.search(text)),
    )


@lru_cache(maxsize=1024)
def _named_in(text: str) -> tuple[Operation, ...]:
    return tuple(name for name, pattern in _INTENTS if pattern.search(text))


def _step(text: str) -> Step:
    yearly, quarterly = _YEARLY.search(text), _QUARTERLY.search(text)
    if yearly and quarterly:
        return "any"
    return "year" if yearly else "quarter" if quarterly else ""


def operations_of(text: str, times: int = 0) -> frozenset[Operation]:
    """The operations a text names; a "total" is one where nothing else is done to several `times`.

    Elsewhere it is part of a name: the change in total debt is no sum.
    """
    text = text.lower()
    said = frozenset(_named_in(text))
    summed = (times > 1 and said == {"sum"}) or _SUM.search(text)
    return said if summed else said - {"sum"}


def claim_of(figure: Figure, said: str = "") -> Claim:
    """A claim from a figure's own label and period, and from any words said about it."""
    text = f"{said} {figure.label}".strip()
    spoken = wording.words(text)
    named = [mention.period for mention in when.mentions(text)]
    own = when.read(figure.period)
    named = [*([own] if own else []), *named]
    return Claim(
        figure,
        said=spoken,
        near=wording.words(figure.label) or spoken,
        periods=unique(named),
        own=own,
        spanned=any(mention.through for mention in when.mentions(text)),
        intent=read_intent(text),
        computed=operations_of(said, len(unique(named))),
        entities=(figure.entity,) if figure.entity else (),
        whose=(figure.entity,) if figure.entity else (),
    )


def unique(named: Iterable[Period]) -> tuple[Period, ...]:
    """The periods without repetition, in the order named."""
    return tuple(dict.fromkeys(named))
