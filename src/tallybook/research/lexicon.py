"""The line items that the offline analyst understands, in English and Chinese.

An entry for each item of `get_financials`: its key, its Chinese name, and the phrases that mean
it, lower case. The longest phrase that fits a text is taken, so that "free cash flow" is not
read as cash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_TABLE = """\
revenue 营业收入
  revenues|revenue|net sales|net revenue|total revenue|sales|turnover|top line|topline|营业收入
  总营收|总收入|营收|收入|销售额
cost_of_revenue 营业成本
  cost of revenue|cost of revenues|cost of sales|cost of goods sold|cost of goods|cogs|营业成本
  销售成本|成本
gross_profit 毛利润
  gross profit|gross profits|gross income|毛利润|毛利
research_and_development 研发费用
  research and development|research spending|research|research & development|r&d|rnd|r and d
  研发费用|研发支出|研发投入|研发开支|研发
selling_general_admin 销售及管理费用
  selling, general and administrative|selling general and administrative|sg&a|sga|销售及管理费用
  销售和管理费用|销管费用
sales_and_marketing 销售费用
  sales and marketing|selling and marketing|marketing|销售费用|营销费用
general_and_administrative 管理费用
  general and administrative|g&a|管理费用|行政费用
operating_expenses 营业费用
  operating expenses|operating expense|operating costs|opex|营业费用|运营费用|经营费用|营运费用
operating_income 营业利润
  operating income|operating profit|operating profits|income from operations|operating earnings
  ebit|营业利润|经营利润|营运利润
interest_expense 利息费用
  interest expense|interest expenses|利息支出|利息费用
pretax_income 税前利润
  pretax income|pre-tax income|pretax profit|pre-tax profit|income before tax
  income before taxes|earnings before tax|税前利润|利润总额
income_tax 所得税
  income tax|income taxes|tax expense|taxes paid|taxes|所得税|税费
net_income 净利润
  net income|net profit|net profits|net earnings|bottom line|profits|profit|earnings|净利润
  净收益|净收入|净利|盈利|利润
eps_basic 基本每股收益
  basic earnings per share|basic eps|基本每股收益|基本每股盈利
eps_diluted 稀释每股收益
  diluted earnings per share|diluted eps|earnings per share|eps|稀释每股收益|每股收益|每股盈利
  每股净利
dividends_per_share 每股股息
  dividends per share|dividend per share|dps|每股股息|每股分红
shares_basic 基本股数
  basic shares|basic share count|基本股数
shares_diluted 稀释股数
  diluted shares|diluted share count|share count|shares outstanding|number of shares|稀释股数
  股数|股本
operating_cash_flow 经营现金流
  operating cash flow|operating cash flows|cash flow from operations|cash flows from operations
  cash from operations|cash flow|cash flows|ocf|经营活动现金流|经营性现金流|经营现金流|现金流量
  现金流
capital_expenditure 资本开支
  capital expenditures|capital expenditure|capital spending|capital expense|capex|cap ex
  资本开支|资本支出|资本性支出
free_cash_flow 自由现金流
  free cash flow|free cash flows|free cashflow|fcf|自由现金流量|自由现金流
depreciation_amortization 折旧与摊销
  depreciation and amortization|depreciation & amortization|depreciation|amortization|d&a
  折旧摊销|折旧与摊销|折旧和摊销|折旧|摊销
stock_based_compensation 股权激励费用
  stock-based compensation|stock based compensation|share-based compensation
  share based compensation|stock compensation|sbc|股权激励费用|股权激励|股份支付
investing_cash_flow 投资现金流
  investing cash flow|cash flow from investing|cash used in investing|投资活动现金流|投资现金流
financing_cash_flow 筹资现金流
  financing cash flow|cash flow from financing|cash used in financing|筹资活动现金流|筹资现金流
  融资现金流
acquisitions 收购支出
  acquisitions|acquisition spending|收购支出|并购支出|收购
dividends_paid 已付股息
  dividends paid|dividend payments|dividends|dividend|派息|分红|股息|股利
share_repurchases 股票回购
  share repurchases|share repurchase|stock repurchases|stock buybacks|share buybacks|buybacks
  buyback|repurchases|股票回购|股份回购|回购
cash 现金及等价物
  cash and cash equivalents|cash & cash equivalents|cash and equivalents|cash balance
  cash on hand|cash position|cash|现金及现金等价物|现金及等价物|货币资金|现金
short_term_investments 短期投资
  short-term investments|short term investments|marketable securities|短期投资
cash_and_investments 现金及短期投资
  cash and short-term investments|cash and short term investments|cash and investments|cash pile
  现金和短期投资|现金及短期投资
accounts_receivable 应收账款
  accounts receivable|receivables|应收账款|应收款
inventory 存货
  inventories|inventory|stock levels|存货|库存
current_assets 流动资产
  current assets|流动资产
long_term_investments 长期投资
  long-term investments|long term investments|long-term marketable securities|长期投资
property_plant_equipment 固定资产
  property, plant and equipment|property plant and equipment|pp&e|ppe|fixed assets|固定资产
goodwill 商誉
  goodwill|商誉
intangible_assets 无形资产
  intangible assets|intangibles|无形资产
total_assets 总资产
  total assets|assets|总资产|资产总额|资产
accounts_payable 应付账款
  accounts payable|payables|应付账款|应付款
current_liabilities 流动负债
  current liabilities|流动负债
current_debt 短期债务
  current debt|short-term debt|short term debt|短期债务|短期借款
long_term_debt 长期债务
  long-term debt|long term debt|长期债务|长期借款
total_debt 总债务
  total debt|debt load|debts|debt|borrowings|总债务|有息负债|债务|借款
total_liabilities 总负债
  total liabilities|liabilities|总负债|负债总额|负债
retained_earnings 留存收益
  retained earnings|accumulated deficit|留存收益|未分配利润
equity 股东权益
  shareholders' equity|shareholders equity|stockholders' equity|stockholders equity
  shareholder equity|net assets|book value|equity|股东权益|所有者权益|净资产
net_cash 净现金
  net cash position|net cash|净现金
gross_margin 毛利率
  gross margins|gross margin|gross profit margin|gm|毛利率
operating_margin 营业利润率
  operating margins|operating margin|operating profit margin|ebit margin|营业利润率|经营利润率
  营运利润率
net_margin 净利率
  net margins|net margin|net profit margin|net income margin|profit margin|profit margins
  净利润率|净利率
free_cash_flow_margin 自由现金流利润率
  free cash flow margin|free cash flow margins|fcf margin|自由现金流利润率|自由现金流率
research_to_revenue 研发费用率
  r&d intensity|r&d ratio|研发费用率|研发占比|研发强度
capital_expenditure_to_revenue 资本开支占比
  capex intensity|capital intensity|资本开支占比|资本密集度
effective_tax_rate 有效税率
  effective tax rate|tax rate|有效税率|实际税率|税率
current_ratio 流动比率
  current ratio|流动比率
debt_to_equity 债务权益比
  debt to equity ratio|debt-to-equity ratio|debt to equity|debt-to-equity|leverage ratio
  产权比率|债务权益比|负债权益比
liabilities_to_assets 资产负债率
  liabilities to assets|liabilities-to-assets|liabilities to assets ratio|资产负债率|负债率
return_on_equity 净资产收益率
  return on equity|return on mean equity|return on average equity|净资产收益率|股本回报率|权益回报率
return_on_assets 总资产收益率
  return on assets|return on total assets|return on average assets|总资产收益率|资产回报率
interest_coverage 利息保障倍数
  interest coverage|interest coverage ratio|times interest earned|利息保障倍数|利息覆盖率
cash_conversion 现金转化率
  cash conversion|cash conversion ratio|cash conversion rate|现金转化率|净现比
"""

_ENTRY = re.compile(r"^(?P<key>\w+) (?P<chinese>\S+)\n(?P<phrases>(?:  .+\n)+)", re.MULTILINE)

_SEVERAL = {
    "margins|margin|profitability|profitable|利润率|盈利能力": "gross_margin operating_margin "
    "net_margin",
    "income statement|profit and loss|p&l|利润表|损益表": "revenue cost_of_revenue gross_profit "
    "research_and_development operating_income income_tax net_income eps_diluted",
    "balance sheet|资产负债表": "cash_and_investments total_assets total_debt total_liabilities "
    "equity",
    "cash flow statement|statement of cash flows|现金流量表": "operating_cash_flow "
    "capital_expenditure free_cash_flow share_repurchases dividends_paid",
    "key figures|key metrics|key financials|fundamentals|financial performance|"
    "financial overview|主要财务指标|主要财务数据|财务指标|财务概况|基本面": "revenue gross_margin "
    "operating_income net_income free_cash_flow",
}

PHRASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        phrase: (entry["key"],)
        for entry in _ENTRY.finditer(_TABLE)
        for line in entry["phrases"].splitlines()
        for phrase in line.strip().split("|")
    }
    | {
        phrase: tuple(keys.split())
        for phrases, keys in _SEVERAL.items()
        for phrase in phrases.split("|")
    }
)
"""The keys of the items that a phrase means; most mean one."""

CHINESE: Mapping[str, str] = MappingProxyType(
    {entry["key"]: entry["chinese"] for entry in _ENTRY.finditer(_TABLE)}
)
"""Items by key, as they are called in Chinese."""
