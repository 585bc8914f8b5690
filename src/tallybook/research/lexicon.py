"""The words that the offline analyst understands, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COMPANIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "NVDA": ("nvidia", "英伟达", "辉达"),
        "AAPL": ("apple", "苹果"),
        "GOOGL": ("alphabet", "google", "谷歌", "字母表", "goog"),
        "MRVL": ("marvell", "迈威尔", "美满电子", "美满"),
        "MSFT": ("microsoft", "微软"),
        "AMZN": ("amazon", "亚马逊"),
        "META": ("meta platforms", "facebook", "脸书", "meta"),
        "TSLA": ("tesla", "特斯拉"),
        "AMD": ("advanced micro devices", "超威", "超微半导体", "amd"),
        "INTC": ("intel", "英特尔"),
        "AVGO": ("broadcom", "博通"),
        "QCOM": ("qualcomm", "高通"),
        "TSM": ("tsmc", "台积电"),
        "ORCL": ("oracle", "甲骨文"),
        "IBM": ("ibm",),
        "NFLX": ("netflix", "奈飞", "网飞"),
        "MU": ("micron", "美光"),
        "CRM": ("salesforce", "赛富时"),
        "ADBE": ("adobe",),
        "CSCO": ("cisco", "思科"),
        "WMT": ("walmart", "沃尔玛"),
        "COST": ("costco", "好市多", "开市客"),
        "HD": ("home depot", "家得宝"),
        "KO": ("coca-cola", "coca cola", "可口可乐"),
        "PEP": ("pepsico", "pepsi", "百事"),
        "DIS": ("disney", "迪士尼"),
        "JPM": ("jpmorgan", "jp morgan", "摩根大通"),
        "BABA": ("alibaba", "阿里巴巴"),
    }
)
"""Names by ticker, lower case; the longest name that fits a text is taken."""

ITEMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "revenue_growth_yoy": (
            "revenue growth",
            "sales growth",
            "growth in revenue",
            "growth of revenue",
            "revenue grow",
            "营收增长",
            "收入增长",
            "营收增速",
            "收入同比",
            "营收同比",
        ),
        "revenue_growth_qoq": ("revenue growth qoq", "sequential revenue growth", "营收环比"),
        "net_income_growth_yoy": ("net income growth", "profit growth", "净利润增长", "净利同比"),
        "eps_growth_yoy": ("eps growth",),
        "free_cash_flow_growth_yoy": ("free cash flow growth", "fcf growth"),
        "gross_margin": ("gross margin", "gross profit margin", "毛利率"),
        "operating_margin": (
            "operating margin",
            "operating profit margin",
            "ebit margin",
            "营业利润率",
            "经营利润率",
        ),
        "net_margin": ("net margin", "profit margin", "net profit margin", "净利率", "净利润率"),
        "free_cash_flow_margin": ("free cash flow margin", "fcf margin", "自由现金流利润率"),
        "research_to_revenue": ("r&d intensity", "r&d to revenue", "研发占比", "研发费用率"),
        "effective_tax_rate": ("effective tax rate", "tax rate", "有效税率", "税率"),
        "debt_to_equity": ("debt to equity", "debt-to-equity", "leverage ratio", "负债权益比"),
        "current_ratio": ("current ratio", "流动比率"),
        "cost_of_revenue": (
            "cost of revenue",
            "cost of sales",
            "cost of goods sold",
            "cogs",
            "营业成本",
            "销售成本",
        ),
        "revenue": (
            "revenues",
            "revenue",
            "net sales",
            "sales",
            "turnover",
            "top line",
            "营业收入",
            "营收",
            "收入",
            "销售额",
        ),
        "gross_profit": ("gross profit", "gross income", "毛利润", "毛利"),
        "research_and_development": (
            "research and development",
            "r&d",
            "rnd",
            "研发费用",
            "研发支出",
            "研发投入",
            "研发",
        ),
        "selling_general_admin": (
            "selling, general and administrative",
            "sg&a",
            "sga",
            "销售及管理费用",
            "销售和管理费用",
        ),
        "operating_expenses": ("operating expenses", "opex", "营业费用", "运营费用"),
        "operating_income": (
            "operating income",
            "operating profit",
            "income from operations",
            "ebit",
            "营业利润",
            "经营利润",
        ),
        "pretax_income": ("pretax income", "income before tax", "pre-tax income", "税前利润"),
        "income_tax": ("income tax", "tax expense", "taxes", "所得税"),
        "interest_expense": ("interest expense", "利息支出", "利息费用"),
        "net_income": (
            "net income",
            "net profit",
            "net earnings",
            "bottom line",
            "profits",
            "profit",
            "earnings",
            "净利润",
            "净利",
            "利润",
        ),
        "eps_diluted": (
            "earnings per share",
            "diluted eps",
            "eps",
            "每股收益",
            "每股盈利",
            "每股净利",
        ),
        "shares_diluted": ("diluted shares", "share count", "shares outstanding", "股数", "股本"),
        "free_cash_flow": ("free cash flow", "fcf", "自由现金流"),
        "operating_cash_flow": (
            "operating cash flow",
            "cash flow from operations",
            "cash from operations",
            "ocf",
            "经营现金流",
            "经营活动现金流",
        ),
        "capital_expenditure": (
            "capital expenditures",
            "capital expenditure",
            "capital spending",
            "capex",
            "资本开支",
            "资本支出",
        ),
        "depreciation_amortization": (
            "depreciation and amortization",
            "depreciation",
            "d&a",
            "折旧摊销",
            "折旧",
        ),
        "stock_based_compensation": (
            "stock-based compensation",
            "stock based compensation",
            "sbc",
            "股权激励",
        ),
        "dividends_paid": ("dividends paid", "dividends", "dividend", "分红", "股息"),
        "share_repurchases": (
            "share repurchases",
            "share repurchase",
            "buybacks",
            "buyback",
            "repurchases",
            "股票回购",
            "回购",
        ),
        "net_cash": ("net cash", "净现金"),
        "cash_and_investments": ("cash and investments", "cash and short-term investments"),
        "cash": ("cash and cash equivalents", "cash balance", "cash", "现金及等价物", "现金"),
        "short_term_investments": ("short-term investments", "marketable securities", "短期投资"),
        "inventory": ("inventories", "inventory", "存货", "库存"),
        "accounts_receivable": ("accounts receivable", "receivables", "应收账款"),
        "total_assets": ("total assets", "assets", "总资产", "资产总额"),
        "total_liabilities": ("total liabilities", "liabilities", "总负债"),
        "long_term_debt": ("long-term debt", "long term debt", "长期债务", "长期负债"),
        "total_debt": ("total debt", "debt", "总债务", "债务", "负债", "借款"),
        "equity": ("shareholders' equity", "stockholders' equity", "equity", "股东权益", "净资产"),
        "goodwill": ("goodwill", "商誉"),
    }
)
"""Phrases by item key, lower case; the longest phrase that fits a text is taken."""

NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        **{
            word: number
            for number, word in enumerate(
                ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
            )
        },
        **{word: number for number, word in enumerate("一二三四五六七八九十", 1)},
        "两": 2,
        "十二": 12,
        "twelve": 12,
        "sixteen": 16,
        "couple of": 2,
        "dozen": 12,
    }
)

BEYOND: Mapping[str, str] = MappingProxyType(
    {
        "forecast": r"\b(forecast|predict|will|outlook|guidance|expect(ed)? to)\b"
        r"|\bnext (quarter|year)\b|预测|展望|明年|下季",
        "prices": r"\b(stock price|share price|price target|market cap|valuation|p/e|pe ratio)\b"
        r"|股价|市值|市盈率|估值",
        "opinion": r"\b(should i|buy or sell|good (buy|investment)|recommend|invest in)\b"
        r"|该不该|值得买|推荐|投资建议",
        "reasons": r"\b(why|how come|reason|because of what|explain)\b|为什么|原因|为何",
        "segments": r"\b(segment|by region|by product|geograph\w*|iphone|data ?cent(er|re))\b"
        r"|分部|地区|业务线",
    }
)
"""What the analyst cannot answer, by the words that ask for it."""
