"""Tokens per character of each kind, learned from every bill.

A provider bills one number for a mixture of kinds, so the rates are estimated together:
recursive least squares (a Kalman filter without motion) from priors measured on
GPT and DeepSeek tokenizers and rounded up. Pure, so the same scratchpad
gives the same rates on every replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import mul

import msgspec

from tallybook.view.measure import Measure

_PRIOR = (0.24, 0.60, 0.95, 0.75, 1.0, 8.0)
"""Tokens per character of prose, JSON, CJK and base64; per token of media; per message."""

_SPREAD = (0.08, 0.20, 0.45, 0.20, 0.50, 8.0)
_KINDS = len(_PRIOR)
_NOISE_SHARE = 0.03
_NOISE_TOKENS = 25.0
_DRIFT = tuple(0.002 * spread**2 for spread in _SPREAD)
_RIGHT, _RIGHT_TOKENS = 0.01, 10
_LEAST, _MOST = 0.25, 3.0


def _diagonal() -> tuple[float, ...]:
    return tuple(_SPREAD[i] ** 2 if i == j else 0.0 for i in range(_KINDS) for j in range(_KINDS))


class Rates(msgspec.Struct, frozen=True, gc=False):
    """Tokens per unit of each kind, and how unsure of them we are (a covariance, row by row)."""

    mean: tuple[float, ...] = _PRIOR
    spread: tuple[float, ...] = msgspec.field(default_factory=_diagonal)

    def tokens(self, measure: Measure) -> float:
        """Estimate the tokens of a measure; negative for a negative one."""
        return measure.exact + _dot(self.mean, _vector(measure))

    def bound(self, measure: Measure) -> float:
        """A careful estimate for text that no bill has seen: by the dearer of rate and prior.

        What was learned on prose says little of the code or the table that comes next.
        """
        x = _vector(measure)
        rates = [
            max(rate, prior) if count > 0 else rate
            for rate, prior, count in zip(self.mean, _PRIOR, x, strict=True)
        ]
        return measure.exact + _dot(rates, x)

    def learned(self, measure: Measure, tokens: float) -> Rates:
        """Correct the rates: `measure` was billed as `tokens`. What was right teaches nothing."""
        error = tokens - self.tokens(measure)
        if abs(error) <= _RIGHT * abs(tokens) + _RIGHT_TOKENS:
            return self
        x = _vector(measure)
        spread = self.spread
        px = [_dot(spread[row : row + _KINDS], x) for row in range(0, _KINDS * _KINDS, _KINDS)]
        scale = _dot(px, x) + _NOISE_TOKENS**2 + (_NOISE_SHARE * tokens) ** 2
        step = error / scale
        mean = tuple(
            [
                min(max(m + p * step, prior * _LEAST), prior * _MOST)
                for m, p, prior in zip(self.mean, px, _PRIOR, strict=True)
            ]
        )
        shrunk = [s - p * q / scale for s, (p, q) in zip(spread, product(px, px), strict=True)]
        for kind, drift in enumerate(_DRIFT):
            shrunk[kind * (_KINDS + 1)] += drift
        return Rates(mean, tuple(shrunk))


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))


def _vector(measure: Measure) -> tuple[float, ...]:
    return (
        measure.prose,
        measure.json,
        measure.cjk,
        measure.base64,
        measure.media,
        measure.parts,
    )
