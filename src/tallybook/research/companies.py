"""The companies that the offline analyst knows by name, in English and Chinese.

Any other US filer can be named by its ticker. A name is lower case; the longest that fits a
text is taken, so that "Meta Platforms" is not read as a word and a company.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Company:
    """A company by ticker, with the names that mean it. The first name is the usual one."""

    ticker: str
    names: tuple[str, ...]


_TABLE = """\
NVDA nvidia|英伟达|辉达
AAPL apple|苹果
GOOGL alphabet|google|谷歌|字母表|goog
MRVL marvell|marvell technology|迈威尔|美满电子|美满
MSFT microsoft|微软
AMZN amazon|亚马逊
META meta platforms|facebook|meta|脸书|元宇宙平台
TSLA tesla|特斯拉
AMD advanced micro devices|amd|超威半导体|超威
INTC intel|英特尔
AVGO broadcom|博通
QCOM qualcomm|高通
TXN texas instruments|德州仪器
TSM tsmc|taiwan semiconductor|台积电
ASML asml|阿斯麦
ARM arm holdings
MU micron|micron technology|美光
AMAT applied materials|应用材料
LRCX lam research|泛林
SMCI super micro|supermicro|超微电脑
ORCL oracle|甲骨文
IBM ibm|international business machines
NFLX netflix|奈飞|网飞
CRM salesforce|赛富时
ADBE adobe|奥多比
CSCO cisco|思科
DELL dell|戴尔
HPQ hewlett packard|惠普
PLTR palantir
SNOW snowflake
UBER uber|优步
ABNB airbnb|爱彼迎
PYPL paypal|贝宝
V visa|维萨
MA mastercard|万事达
JPM jpmorgan|jp morgan|摩根大通
BAC bank of america|美国银行
GS goldman sachs|高盛
MS morgan stanley|摩根士丹利
BRK-B berkshire hathaway|berkshire|伯克希尔
WMT walmart|沃尔玛
COST costco|好市多|开市客
TGT target corporation|塔吉特
HD home depot|家得宝
LOW lowe's|劳氏
MCD mcdonald's|mcdonalds|麦当劳
SBUX starbucks|星巴克
NKE nike|耐克
KO coca-cola|coca cola|可口可乐
PEP pepsico|pepsi|百事
PG procter & gamble|procter and gamble|宝洁
JNJ johnson & johnson|johnson and johnson|强生
PFE pfizer|辉瑞
MRK merck|默克
LLY eli lilly|礼来
UNH unitedhealth|联合健康
XOM exxonmobil|exxon|埃克森美孚
CVX chevron|雪佛龙
BA boeing|波音
CAT caterpillar|卡特彼勒
GE general electric|通用电气
GM general motors|通用汽车
F ford motor|福特
DIS disney|迪士尼
T at&t
VZ verizon|威瑞森
BABA alibaba|阿里巴巴
PDD pinduoduo|拼多多
JD jd.com|京东
BIDU baidu|百度
NIO nio|蔚来
"""

KNOWN: tuple[Company, ...] = tuple(
    Company(ticker, tuple(names.split("|")))
    for ticker, names in (line.split(" ", 1) for line in _TABLE.splitlines())
)
"""Figures of the first four ship with Tallybook; the others need the network."""

EMBEDDED = 4
