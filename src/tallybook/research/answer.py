"""Write the offline analyst's answer: a sentence, tables, and where each figure stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tallybook.research.facts import Fact
from tallybook.research.lexicon import COMPANIES
from tallybook.research.periods import Periods
from tallybook.research.question import Question
from tallybook.tools.finance.items import ITEMS

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Answer:
    """What was asked, what was found by company, item and period, and what failed by company."""

    asked: Question
    periods: Periods
    found: dict[tuple[str, str, str], Fact]
    failures: dict[str, str]


def answer(result: Answer) -> str:
    """The whole answer, in the language of the question."""
    words = _ZH if result.asked.language == "zh" else _EN
    answered = [t for t in result.asked.tickers if _of(result, t)]
    blocks = [_lead(result, words), *(_table(result, ticker, words) for ticker in answered)]
    if any(fact.row.derived for fact in result.found.values()):
        blocks.append(words["derived"])
    blocks.extend(f"{ticker}: {why}" for ticker, why in result.failures.items())
    blocks.extend(_gaps(result, answered, words))
    blocks.extend(_unanswered(result.asked, words))
    blocks.append(words["who"])
    return "\n\n".join(blocks)


def sorry(asked: Question) -> str:
    """What cannot be answered, and what can."""
    words = _ZH if asked.language == "zh" else _EN
    missing = [*_unanswered(asked, words)]
    if not asked.tickers:
        missing.append(words["no company"])
    elif not asked.items:
        missing.append(words["no item"])
    return "\n\n".join([*missing, words["can"], words["who"]])


def _lead(result: Answer, words: dict[str, str]) -> str:
    """The newest figure of each company for the first item, the largest first."""
    item = result.asked.items[0]
    newest = [facts[0] for t in result.asked.tickers if (facts := _row(result, t, item))]
    if not newest:
        return words["nothing"]
    ranked = sorted(newest, key=lambda fact: fact.row.value, reverse=True)
    listed = "; ".join(
        f"{fact.row.ticker} {_shown(fact)} {_unit(fact)} ({fact.row.period})" for fact in ranked
    )
    return f"{_label(item, words)}, {words['newest']}: {listed}."


def _table(result: Answer, ticker: str, words: dict[str, str]) -> str:
    rows = {item: _row(result, ticker, item) for item in result.asked.items}
    ends = sorted(
        {(fact.row.end, fact.row.period) for facts in rows.values() for fact in facts}, reverse=True
    )
    heads = [f"{period} ({end})" for end, period in ends]
    lines = [
        f"**{ticker}**",
        "",
        "| " + " | ".join([words["item"], *heads]) + " |",
        "| --- " + "| ---: " * len(heads) + "|",
    ]
    for item, facts in rows.items():
        by_period = {fact.row.period: fact for fact in facts}
        cells = [_cell(by_period.get(period)) for _, period in ends]
        unit = _unit(facts[0]) if facts else ""
        lines.append(
            f"| {_label(item, words)}{f', {unit}' if unit else ''} | {' | '.join(cells)} |"
        )
    return "\n".join(lines)


def _cell(fact: Fact | None) -> str:
    return f"{_shown(fact)} [{fact.seq}]" if fact else "–"


def _shown(fact: Fact) -> str:
    """The value with all its digits; money in millions."""
    value = fact.row.value / _MILLION if fact.row.unit == "USD" else fact.row.value
    if fact.row.unit == "shares":
        value = fact.row.value / _MILLION
    mark = "†" if fact.row.derived else ""
    return f"{value.normalize():,f}{mark}"


def _unit(fact: Fact) -> str:
    match fact.row.unit:
        case "USD":
            return "USD million"
        case "shares":
            return "million shares"
        case unit:
            return unit


def _gaps(result: Answer, answered: list[str], words: dict[str, str]) -> Iterator[str]:
    for ticker in answered:
        for item in result.asked.items:
            missing = _wanted(result) - len(_row(result, ticker, item))
            if missing > 0:
                yield words["gap"].format(
                    ticker=ticker, item=_label(item, words), missing=missing, of=_wanted(result)
                )


def _wanted(result: Answer) -> int:
    return len(result.periods.labels) or result.periods.count


def _unanswered(asked: Question, words: dict[str, str]) -> Iterator[str]:
    for name in asked.unknown:
        yield words["unknown"].format(name=name)
    for kind in asked.beyond:
        yield words[f"beyond {kind}"]


def _of(result: Answer, ticker: str) -> list[Fact]:
    return [fact for fact in result.found.values() if fact.row.ticker == ticker]


def _row(result: Answer, ticker: str, item: str) -> list[Fact]:
    facts = [fact for fact in _of(result, ticker) if fact.row.item == item]
    newest = sorted(facts, key=lambda fact: fact.row.end, reverse=True)
    return newest if result.periods.labels else newest[: result.periods.count]


def _label(item: str, words: dict[str, str]) -> str:
    return _CHINESE.get(item, ITEMS[item].label) if words is _ZH else ITEMS[item].label


_EN = {
    "newest": "newest period",
    "item": "Item",
    "derived": "† computed from reported figures; the result says how. Fiscal periods differ "
    "between companies: the date is the end of each.",
    "nothing": "None of the figures asked for could be found.",
    "gap": "{ticker}: {missing} of {of} periods of {item} are not reported or not covered.",
    "unknown": "{name}: I know no company of that name. Give its ticker.",
    "no company": "I found no company in the question.",
    "no item": "I found no line item in the question.",
    "can": "I answer questions on companies, line items and periods, such as: Compare revenue and "
    "gross margin of NVDA and AAPL over the last eight quarters. Without a network I have "
    f"figures of {', '.join(list(COMPANIES)[:4])}.",
    "who": "Answered by the offline analyst, a set of rules and not a language model.",
    "beyond forecast": "I do not forecast: I only have reported figures.",
    "beyond prices": "I have no share prices or valuations, only financial statements.",
    "beyond opinion": "I give no advice on investments.",
    "beyond reasons": "I cannot give reasons: I only have figures.",
    "beyond segments": "I have no segments, regions or products, only the whole company.",
}
_ZH = {
    "newest": "最近一期",
    "item": "项目",
    "derived": "† 由已披露数据计算得出，算法见所引结果。各公司财年不同，括号内为期末日期。",
    "nothing": "没有找到所问的数据。",
    "gap": "{ticker}：{item} 有 {missing}/{of} 期未披露或不在数据范围内。",
    "unknown": "没有找到名为 {name} 的公司，请提供股票代码。",
    "no company": "问题中没有找到公司。",
    "no item": "问题中没有找到财务项目。",
    "can": "我可以回答公司、财务项目与期间的问题，"
    "例如：比较英伟达和苹果过去八个季度的营收和毛利率。"
    f"离线时有 {'、'.join(list(COMPANIES)[:4])} 的数据。",
    "who": "由离线分析器回答：它是一组规则，不是语言模型。",
    "beyond forecast": "我不做预测，只有已披露的数据。",
    "beyond prices": "我没有股价或估值数据，只有财务报表。",
    "beyond opinion": "我不提供投资建议。",
    "beyond reasons": "我无法说明原因，只有数据。",
    "beyond segments": "我没有分部、地区或产品数据，只有全公司数据。",
}
_CHINESE = {
    "revenue": "营业收入",
    "gross_margin": "毛利率",
    "gross_profit": "毛利润",
    "free_cash_flow": "自由现金流",
    "operating_cash_flow": "经营现金流",
    "capital_expenditure": "资本开支",
    "net_income": "净利润",
    "operating_income": "营业利润",
    "operating_margin": "营业利润率",
    "net_margin": "净利率",
    "eps_diluted": "稀释每股收益",
    "research_and_development": "研发费用",
    "cash": "现金及等价物",
    "total_debt": "总债务",
    "total_assets": "总资产",
    "equity": "股东权益",
}
