from __future__ import annotations

from decimal import Decimal

from tests.runs import entries

from tallybook.models.prices import totals
from tallybook.scratchpad.events import AssistantMessage, Event, ModelChanged, RunStarted, Usage

BILL = Usage(1_000_000, 100_000, cached=500_000)


def _run(model: str, *more: Event) -> list[Event]:
    return [RunStarted("?", model=model), AssistantMessage("a", usage=BILL), *more]


def test_cached_tokens_are_part_of_the_input_and_cheaper() -> None:
    spent = totals(entries(_run("anthropic:claude-sonnet-4-6")))
    assert (spent.input, spent.cached, spent.output) == (1_000_000, 500_000, 100_000)
    assert spent.dollars
    plain = Usage(1_000_000, 100_000)
    dearer = totals(
        entries(
            [
                RunStarted("?", model="anthropic:claude-sonnet-4-6"),
                AssistantMessage("a", usage=plain),
            ]
        )
    )
    assert dearer.dollars
    assert spent.dollars < dearer.dollars
    assert "500,000 of them cached" in spent.sentence()


def test_a_price_that_is_not_known_is_said_to_be_unknown() -> None:
    spent = totals(entries(_run("somewhere:a-model-of-my-own")))
    assert spent.dollars is None
    assert spent.sentence().endswith("price unknown")


def test_one_unknown_price_makes_the_sum_unknown_and_not_too_small() -> None:
    run = _run("openai:gpt-4.1", ModelChanged("somewhere:mine"), AssistantMessage("b", usage=BILL))
    assert totals(entries(run)).dollars is None


def test_a_reply_without_a_bill_is_counted_and_said() -> None:
    spent = totals(entries(_run("openai:gpt-4.1", AssistantMessage("b"))))
    assert spent.unbilled == 1
    assert spent.dollars is None
    assert "1 replies came without a bill" in spent.sentence()


def test_the_offline_analyst_costs_nothing() -> None:
    spent = totals(entries(_run("tallybook:offline-analyst")))
    assert spent.dollars == Decimal(0)
    assert spent.cost() == "no cost"
