"""The sentences of the offline analyst's answers, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tallybook.research.companies import EMBEDDED, KNOWN
from tallybook.research.lexicon import CHINESE
from tallybook.research.question import Language
from tallybook.tools.finance.items import ITEMS

_TICKERS = ", ".join(company.ticker for company in KNOWN[:EMBEDDED])


@dataclass(frozen=True)
class Words:
    """One language: sentences by name, and how things are called."""

    language: Language
    templates: Mapping[str, str]

    def say(self, name: str, /, **values: object) -> str:
        """A sentence with its values."""
        return self.templates[name].format(**values)

    def item(self, key: str) -> str:
        """What an item is called."""
        return CHINESE.get(key, key) if self.language == "zh" else ITEMS[key].label

    def series(self, key: str) -> str:
        """What a series is called: an item, its growth, or its share of another."""
        match key.split():
            case [item, "/", of]:
                return self.say("share of", item=self.item(item), of=self.item(of))
            case [item, kind]:
                return self.say(kind, item=self.item(item))
        return self.item(key)

    def unit(self, unit: str) -> str:
        """What a unit is called."""
        if self.language == "en":
            return {"shares million": "million shares", "pp": "percentage points"}.get(unit, unit)
        if unit == "USD million":
            return "百万美元"
        named = {"shares million": "百万股", "pp": "百分点", "USD/share": "美元/股", "x": "倍"}
        return named.get(unit, unit)

    def inside(self, key: str) -> str:
        """What a series is called within a sentence: a word that is no name begins small."""
        name = self.series(key)
        return name[:1].lower() + name[1:] if name[1:2].islower() else name

    def sentences(self, *parts: str) -> str:
        """Sentences one after another."""
        return ("" if self.language == "zh" else " ").join(parts)

    def listed(self, parts: list[str]) -> str:
        """Several things in a row."""
        return ("；" if self.language == "zh" else "; ").join(parts)


def words_for(language: Language) -> Words:
    """The words of a language."""
    return Words(language, _ZH if language == "zh" else _EN)


_EN = MappingProxyType(
    {
        "yoy": "{item}, change on the year before",
        "qoq": "{item}, change on the quarter before",
        "share of": "{item} to {of}",
        "newest": "{series}, newest period: {list}.",
        "one": "{ticker} {number} {unit} in {period} (to {end}) {refs}",
        "highest": "Highest {series} of those shown: {one}.",
        "lowest": "Lowest {series} of those shown: {one}.",
        "rank": "{series}, ranked by the newest period: {list}.",
        "rank periods": "{series} of {ticker}, ranked: {list}.",
        "ranked": "{place}. {one}",
        "difference companies": "{series}, {one} less {other}: {list}.",
        "difference periods": "{series} of {ticker}, {newest} against {oldest}: {value}.",
        "difference items": "{ticker}, {one} less {other} in {period}: {value}.",
        "difference which": "For a difference, name two companies, two periods or two items.",
        "average": "Average {series} of {ticker} over {count} periods: {value}.",
        "average companies": "Average {series} of {count} companies, newest period: {value}.",
        "total": "{series} of {ticker} over {count} periods together: {value}.",
        "total companies": "{series} of {count} companies together, newest of each: {value}.",
        "no total": "A sum of {series} over periods means nothing; there is none.",
        "cagr": "{series} of {ticker}, compound growth a year from {oldest} to {newest}: {value}.",
        "no cagr": "{series} of {ticker}: no compound growth, which takes two positive figures.",
        "share which": "For a share, name two items, such as R&D as a percentage of revenue.",
        "currencies": "{series} is in different currencies, so it is not compared.",
        "company": "Company",
        "period": "Period (end)",
        "row": "Period",
        "aligned": "Fiscal periods differ between companies. A row holds the periods that overlap "
        "most with one calendar period (CY); each company's own period and its end:",
        "named": "Years and quarters are the companies' fiscal ones; each period and its end:",
        "single": "Years and quarters are fiscal ones.",
        "usual": "No period was named: the newest {count} {kind} are shown.",
        "usual one": "No period was named: the newest quarter is shown.",
        "tool": "† computed from the filings by get_financials: {list}.",
        "fourth": "a single fourth quarter = full year − nine months",
        "cash quarters": "a single quarter of the cash flow = year to date − the part before",
        "debt": "{item} = the parts that its result names",
        "months": "twelve months = last year + this year so far − the same part of last year",
        "here": "‡ computed here from the figures cited, rounded half to even: {list}.",
        "formula yoy": "change = (figure − figure a year before) / figure a year before",
        "formula qoq": "change = (figure − figure of the period before) / figure of the period "
        "before",
        "formula points": "change of a percentage = the difference in percentage points",
        "formula cagr": "compound growth = (newest / oldest)^(1 / years) − 1",
        "formula average": "average = sum / number of figures",
        "formula total": "sum of the figures shown",
        "formula difference": "difference = first − second",
        "formula share": "share = first / second",
        "gap": "{ticker}, {item}: no figure for {periods}. {why}",
        "gap told": "{ticker}, {item}: no figure. {why}",
        "gap unknown": "It could not be brought back: ask for fewer periods, or see [{seq}].",
        "gap absent": "Result [{seq}] has no such period.",
        "gap no result": "No result holds it.",
        "not covered": "{ticker}: {periods} is outside of what there is, {first} to {last}.",
        "fewer": "{ticker}: {asked} periods were asked for; there are {have}, {first} to {last}.",
        "no covered": "{ticker}: which periods there are could not be brought back.",
        "base": "{ticker}, {series}: none for {periods}, as the figure it is held against is "
        "missing or not positive.",
        "failed": "{ticker}: {why}",
        "mended": "Read as: {list}.",
        "unknown": "{name}: I know no company of that name. If it is one, give its ticker.",
        "leftovers": "Not understood: {list}.",
        "no company": "I found no company in the question.",
        "no item": "I found no line item in the question.",
        "nothing": "None of the figures asked for could be had.",
        "sources": "Sources",
        "source": "[{seq}] {tool}({arguments}){filings}",
        "filings": "; filings {list}",
        "more": "{count} more",
        "can": "I answer questions on companies, line items and periods, such as: Compare revenue "
        "and gross margin of NVDA and AAPL over the last eight quarters. I also compute growth, "
        "averages, sums, differences, shares and ranks. Without a network I have figures of "
        f"{_TICKERS}.",
        "who": "Answered by the offline analyst, a set of rules and not a language model.",
        "figures": "Figures: {sources}; the newest period ends {end}.",
        "beyond forecast": "I do not forecast: I only have reported figures.",
        "beyond prices": "I have no share prices or valuations, only financial statements.",
        "beyond opinion": "I give no advice on investments.",
        "beyond reasons": "I cannot give reasons: I only have figures.",
        "beyond segments": "I have no segments, regions or products, only the whole company.",
        "beyond news": "I have no news and know nothing of people or products, only figures.",
        "annual": "fiscal years",
        "quarterly": "quarters",
        "ttm": "periods of twelve months",
    }
)
_ZH = MappingProxyType(
    {
        "yoy": "{item}同比变化",
        "qoq": "{item}环比变化",
        "share of": "{item}占{of}比例",
        "newest": "{series}，最近一期：{list}。",
        "one": "{ticker} {number} {unit}，{period}（截至 {end}）{refs}",
        "highest": "所列{series}中最高：{one}。",
        "lowest": "所列{series}中最低：{one}。",
        "rank": "{series}，按最近一期排名：{list}。",
        "rank periods": "{ticker} {series}，排名：{list}。",
        "ranked": "{place}. {one}",
        "difference companies": "{series}，{one} 减 {other}：{list}。",
        "difference periods": "{ticker} {series}，{newest} 对比 {oldest}：{value}。",
        "difference items": "{ticker}，{period} {one}减{other}：{value}。",
        "difference which": "要计算差额，请给出两家公司、两个期间或两个项目。",
        "average": "{ticker} {series} {count} 期平均：{value}。",
        "average companies": "{count} 家公司最近一期{series}平均：{value}。",
        "total": "{ticker} {series} {count} 期合计：{value}。",
        "total companies": "{count} 家公司各自最近一期{series}合计：{value}。",
        "no total": "{series}跨期相加没有意义，故不合计。",
        "cagr": "{ticker} {series}，{oldest} 至 {newest} 年均复合增长：{value}。",
        "no cagr": "{ticker} {series}：复合增长需要两个正数，无法计算。",
        "share which": "要计算占比，请给出两个项目，例如研发费用占营收的比例。",
        "currencies": "{series}的货币不同，不作比较。",
        "company": "公司",
        "period": "期间（期末）",
        "row": "期间",
        "aligned": "各公司财年不同。每行为与同一日历期间（CY）重叠最多的"
        "财务期间；各公司期间与期末日：",
        "named": "年份与季度均指各公司财年；各期间与期末日：",
        "single": "年份与季度均指财年。",
        "usual": "未指定期间，列出最近 {count} 个{kind}。",
        "usual one": "未指定期间，列出最近一个季度。",
        "tool": "† 由 get_financials 根据申报文件计算：{list}。",
        "fourth": "单独第四季度 = 全年 − 前九个月",
        "cash quarters": "现金流单季 = 年初至今 − 之前部分",
        "debt": "{item} = 所引结果列明的各部分之和",
        "months": "十二个月 = 上一财年 + 本年至今 − 上年同期",
        "here": "‡ 由本分析器根据所引数据计算，四舍六入五成双：{list}。",
        "formula yoy": "变化 =（本期 − 上年同期）/ 上年同期",
        "formula qoq": "变化 =（本期 − 上期）/ 上期",
        "formula points": "百分比的变化 = 百分点之差",
        "formula cagr": "复合增长 =（最新 / 最早）^(1 / 年数) − 1",
        "formula average": "平均 = 合计 / 个数",
        "formula total": "所列数据之和",
        "formula difference": "差额 = 前者 − 后者",
        "formula share": "占比 = 前者 / 后者",
        "gap": "{ticker}，{item}：{periods} 没有数据。{why}",
        "gap told": "{ticker}，{item}：没有数据。{why}",
        "gap unknown": "未能取回；请减少期间再问，或查看 [{seq}]。",
        "gap absent": "结果 [{seq}] 没有该期间。",
        "gap no result": "没有结果包含它。",
        "not covered": "{ticker}：{periods} 不在数据范围内，现有 {first} 至 {last}。",
        "fewer": "{ticker}：要求 {asked} 期，现有 {have} 期，{first} 至 {last}。",
        "no covered": "{ticker}：未能取回其数据范围。",
        "base": "{ticker}，{series}：{periods} 无法计算，基期缺失或非正数。",
        "failed": "{ticker}：{why}",
        "mended": "理解为：{list}。",
        "unknown": "没有找到名为 {name} 的公司，请提供股票代码。",
        "leftovers": "未能理解：{list}。",
        "no company": "问题中没有找到公司。",
        "no item": "问题中没有找到财务项目。",
        "nothing": "没有得到所问的数据。",
        "sources": "来源",
        "source": "[{seq}] {tool}({arguments}){filings}",
        "filings": "；申报文件 {list}",
        "more": "另 {count} 份",
        "can": "我可以回答公司、财务项目与期间的问题，例如：比较英伟达和苹果过去八个季度的"
        "营收和毛利率。"
        "也可以计算增长、平均、合计、差额、占比和排名。"
        f"离线时有 {_TICKERS} 的数据。",
        "who": "由离线分析器回答：它是一组规则，不是语言模型。",
        "figures": "数据：{sources}；最近一期截至 {end}。",
        "beyond forecast": "我不做预测，只有已披露的数据。",
        "beyond prices": "我没有股价或估值数据，只有财务报表。",
        "beyond opinion": "我不提供投资建议。",
        "beyond reasons": "我无法说明原因，只有数据。",
        "beyond segments": "我没有分部、地区或产品数据，只有全公司数据。",
        "beyond news": "我没有新闻、人物或产品信息，只有数据。",
        "annual": "财年",
        "quarterly": "季度",
        "ttm": "十二个月期间",
    }
)
