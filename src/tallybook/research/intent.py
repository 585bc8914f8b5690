"""What is asked of the figures beyond showing them, and what no statement can answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Operation = Literal[
    "growth_yoy",
    "growth_qoq",
    "cagr",
    "highest",
    "lowest",
    "rank",
    "difference",
    "share",
    "average",
    "total",
]

Beyond = Literal["forecast", "prices", "opinion", "reasons", "segments", "news"]

OPERATIONS: Mapping[Operation, re.Pattern[str]] = MappingProxyType(
    {
        "cagr": re.compile(
            r"\bcagr\b|\b(?:compound(?:ed)? )?annual(?:i[sz]ed)? growth(?: rates?)?\b|"
            r"\bcompound(?:ed)? growth\b|年?均?复合增长率?|年复合增速"
        ),
        "growth_qoq": re.compile(
            r"\b(?:growth |grow\w* |change[sd]? )?(?:qoq|q/q|quarter[- ](?:over|on)[- ]quarter|"
            r"sequential(?:ly)?)(?: (?:growth|change|basis|increase))?\b|环比(?:增长率?|增速|变化)?"
        ),
        "growth_yoy": re.compile(
            r"\b(?:yoy|y/y|year[- ](?:over|on)[- ]year|growth(?: rates?)?|grow(?:n|s|ing)?|grew|"
            r"increas(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|"
            r"f[ae]ll|fallen|rise[sn]?|rose|drop(?:s|ped)?)\b|"
            r"同比(?:增长率?|增速|变化)?|增长率?|增速|增幅|增加|减少|下降|上升|下滑|提升"
        ),
        "difference": re.compile(
            r"\b(?:differences?|gap|how much (?:more|less|higher|lower|larger|bigger)|"
            r"changed?|more than|less than)\b|差额|差距|差异|相差|差多少|多多少|少多少|变化"
        ),
        "share": re.compile(
            r"\bas an? (?:percentage|percent|share|proportion|fraction|%) of\b|"
            r"\b(?:percentage|percent|share|proportion|fraction) of\b|% of|"
            r"\bratios?(?: of)?\b|\bdivided by\b|"
            r"\bper dollar of\b|占比|比例|比重|百分比|比率|占|之比"
        ),
        "average": re.compile(r"\b(?:average[sd]?|avg|mean)\b|平均值?|均值"),
        "total": re.compile(
            r"\b(?:sum(?: of)?|combined|altogether|cumulative(?:ly)?|in total|aggregate|"
            r"added up)\b|合计|总和|总计|总共|累计|加起来|一共"
        ),
        "rank": re.compile(
            r"\b(?:rank(?:s|ed|ing)?|sort(?:ed)?|order(?:ed)? by|from (?:highest|largest) to "
            r"(?:lowest|smallest))\b|排名|排序|排列|从高到低|从大到小"
        ),
        "lowest": re.compile(
            r"\b(?:lowest|smallest|least|minimum|worst|weakest|lower|smaller|fewest|min|"
            r"slowest|slower)\b|最慢|最低|最小|最少|最差|更低|更少|更小|较低"
        ),
        "highest": re.compile(
            r"\b(?:highest|largest|biggest|greatest|most(?! recent)|maximum|best|peak|strongest|"
            r"max|higher|larger|bigger|greater|more|top|leads?|record|"
            r"fastest|faster)\b|最快|更快|最高|最大|最多|最好|更高|更多|更大|较高|第一(?!季|个季|财季)|峰值"
        ),
    }
)
"""In the order in which they are looked for; what one takes, the next does not see."""

BEYOND: Mapping[Beyond, re.Pattern[str]] = MappingProxyType(
    {
        "forecast": re.compile(
            r"\b(?:forecast\w*|predict\w*|projection\w*|project(?=ed)|outlook|guidance|estimates?|"
            r"will|going to|expect(?:ed|ation|ations)?)\b|"
            r"\bnext (?:fiscal )?(?:quarters?|years?|\w+ (?:quarters|years))\b|\bby 20[3-9]\d\b|"
            r"预测|预计|预期|展望|指引|明年|下个?季度?|下一?年|未来"
        ),
        "prices": re.compile(
            r"\b(?:(?:stock|share) (?:prices?|performance|returns?)|price targets?|"
            r"market cap(?:itali[sz]ation)?|market value|valuations?|p/e|pe ratio|"
            r"price[- ]to[- ]\w+|trading at|shares? trading|enterprise value|ev/\w+)\b|"
            r"股价|市值|市盈率|市净率|市销率|估值|目标价"
        ),
        "opinion": re.compile(
            r"\b(?:should (?:i|we)|is it worth|(?:good|bad|better) (?:buy|investment|stock)|"
            r"buy or sell|recommend\w*|invest(?:ing)? in|undervalued|overvalued|do you think|"
            r"your opinion|buy (?:shares|stock))\b|"
            r"该不该|应不应该|值得(?:买|投资)|推荐|投资建议|怎么看|买入|卖出"
        ),
        "reasons": re.compile(
            r"\b(?:why|how come|reasons?(?: for)?|because of what|explain\w*|what (?:caused|drove)|"
            r"driven by|drivers?(?: of)?|due to)\b|为什么|为何|原因|怎么会|什么导致|驱动因素"
        ),
        "segments": re.compile(
            r"\b(?:segments?|by (?:region|product|country|geography)|geograph\w*|iphones?|ipads?|"
            r"macs?|data ?cent(?:er|re)s?|gaming|cloud|services|youtube|advertising|aws|azure|"
            r"(?:greater )?china|europe|americas|germany|japan|india|"
            r"overseas|international)\b|"
            r"分部|地区|业务线|各业务|数据中心|云业务|广告|大中华区"
        ),
        "news": re.compile(
            r"\b(?:news|headlines?|ceo|cfo|management|competitors?|lawsuits?|employees?|headcount|"
            r"products?|insider\w*|analysts?)\b|新闻|首席执行官|总裁|管理层|竞争对手|诉讼|员工|分析师"
        ),
    }
)
"""What is asked that is in no financial statement, by the words that ask for it."""

_FILLER_WORDS = """\
a about above across actual actually against all also am among amount amounts an and any are as
at back be been being below beside besides between both bring but by can chart check company
companies company's compare compared comparing comparison contrast could data detail details
detailed develop developed development did display do does doing done during each earn earned
either end ended ending entire ever evolution evolve evolved figure figures fetch find firm firms
for from full generate generated get give go going good got had has have having he hello help her
hey hi him his how i if in including into is it its it's just know let level levels like list
look looking look's made make makes making many me mean metric metrics mine much my need no not
number numbers of off on one only or other our out over overall overview own per period periods
please plus present pretty provide pull put quarter quarters quick quickly really regarding report
reported reports respectively result results same say second see seen separately several show
showing shown shows side since so some spend spending spent stand statement statements still
summarize summary tab table tell than thank thanks that that's the their them then there these
they this those through time to together too track trend trends trending two under until up us
use using value values various versus vs want was we well were what what's when where which
while who who's whole whose with within would year years you your us$ usd dollar dollars million
millions billion billions fiscal financial financials total totals reported generate side-by-side
each's fast trajectory pay pays paid hold holds held owe owes bought produce produced another
information info exactly roughly approximately approx inc corp corporation co ltd plc technology
technologies group holdings class line lines item items latest newest last past basis bps terms
looks turn turned instead new old next assess apply micro inter performance performing
performed doing did recent recently behind ahead now
respective business businesses compute calculate calculated computed again more less
"""

FILLER = frozenset(_FILLER_WORDS.split())
"""English words that carry no meaning for us."""

FILLER_ZH = re.compile(
    r"是多少|有多少|多少|怎么样|怎样|如何|什么|哪一?个|哪一?家|哪些|几个|请问|帮我|给我|帮忙|告诉|你好|您好|"
    r"查一下|查询|查看|看看|列出|显示|比较一?下?|对比一?下?|相比|分别|以及|还有|并且|之间|谢谢|现在|知道|了解|"
    r"公司|财务|数据|数字|情况|走势|趋势|变动|表现|业绩|财报|报表|水平|规模|金额|总额|一下|各自|所有|全部|"
    r"同期|期间|时候|截至|截止|年报|季报|单季|的话|那么|它们|他们|两家|三家|四家|几家|季度|财季|财年|一共|"
    r"单位|美元|百万|十亿|[请谁各末底那呢吗吧啊呀的和与跟及或在是有了为对从到至把被将这该它家上中里按用以"
    r"都也我你想要每个季年月比亿万之其又再并后前高低多少大小]"
)
"""Chinese words that carry no meaning for us."""
