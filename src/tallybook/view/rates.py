"""Tokens per character of each kind, learned from every bill.

A provider bills one number for a mixture of kinds, so the rates are estimated together:
recursive least squares (a Kalman filter without motion) from priors measured on
GPT and DeepSeek tokenizers and rounded up. Pure, so the same scratchpad
gives the same rates on every replay.
"""

from __future__ import annotations

import msgspec

from tallybook.view.measure import Measure

_PRIOR = (0.24, 0.60, 0.95, 0.75, 1.0, 8.0)
"""Tokens per character of prose, JSON, CJK and base64; per token of media; per message."""

_SPREAD = (0.08, 0.20, 0.45, 0.20, 0.50, 8.0)
_KINDS = len(_PRIOR)
_NOISE_SHARE = 0.03
_NOISE_TOKENS = 25.0
_DRIFT = 0.002
_RANGE = (0.25, 3.0)


def _diagonal() -> tuple[float, ...]:
    return tuple(_SPREAD[i] ** 2 if i == j else 0.0 for i in range(_KINDS) for j in range(_KINDS))


class Rates(msgspec.Struct, frozen=True):
    """Tokens per unit of each kind, and how unsure of them we are (a covariance, row by row)."""

    mean: tuple[float, ...] = _PRIOR
    spread: tuple[float, ...] = msgspec.field(default_factory=_diagonal)

    def tokens(self, measure: Measure) -> float:
        """Estimate the tokens of a measure; negative for a negative one."""
        return measure.exact + sum(r * x for r, x in zip(self.mean, _vector(measure), strict=True))

    def bound(self, measure: Measure) -> float:
        """A careful estimate for text that no bill has seen: by the dearer of rate and prior.

        What was learned on prose says little of the code or the table that comes next.
        """
        rates = (
            max(rate, prior) if x > 0 else rate
            for rate, prior, x in zip(self.mean, _PRIOR, _vector(measure), strict=True)
        )
        return measure.exact + sum(r * x for r, x in zip(rates, _vector(measure), strict=True))

    def learned(self, measure: Measure, tokens: float) -> Rates:
        """Correct the rates: `measure` was billed as `tokens`."""
        x = _vector(measure)
        rows = [self.spread[i * _KINDS : (i + 1) * _KINDS] for i in range(_KINDS)]
        px = [sum(p * v for p, v in zip(row, x, strict=True)) for row in rows]
        noise = _NOISE_TOKENS**2 + (_NOISE_SHARE * tokens) ** 2
        scale = sum(v * p for v, p in zip(x, px, strict=True)) + noise
        error = tokens - self.tokens(measure)
        mean = tuple(
            min(max(m + p / scale * error, prior * _RANGE[0]), prior * _RANGE[1])
            for m, p, prior in zip(self.mean, px, _PRIOR, strict=True)
        )
        spread = tuple(
            rows[i][j] - px[i] * px[j] / scale + (_DRIFT * _SPREAD[i] ** 2 if i == j else 0.0)
            for i in range(_KINDS)
            for j in range(_KINDS)
        )
        return Rates(mean, spread)


def _vector(measure: Measure) -> tuple[float, ...]:
    return (
        measure.prose,
        measure.json,
        measure.cjk,
        measure.base64,
        measure.media,
        measure.parts,
    )
