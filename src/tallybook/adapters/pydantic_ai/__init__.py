"""Mount the engine in any Pydantic AI agent: one capability.

agent = Agent("openai:gpt-5", capabilities=[Tallybook(root=Path("runs"))])
"""

from tallybook.adapters.pydantic_ai.approval import Approve, Verdict, deny
from tallybook.adapters.pydantic_ai.capability import Tallybook
from tallybook.adapters.pydantic_ai.inbox import Inbox
from tallybook.adapters.pydantic_ai.messages import render
from tallybook.adapters.pydantic_ai.run import ContextEvent
from tallybook.adapters.pydantic_ai.talk import Conversation, Wait

__all__ = [
    "Approve",
    "ContextEvent",
    "Conversation",
    "Inbox",
    "Tallybook",
    "Verdict",
    "Wait",
    "deny",
    "render",
]
