"""Mount the engine in any Pydantic AI agent: one capability.

agent = Agent("openai:gpt-5", capabilities=[Tallybook(root=Path("runs"))])
"""

from tallybook.adapters.pydantic_ai.capability import Tallybook
from tallybook.adapters.pydantic_ai.messages import render
from tallybook.adapters.pydantic_ai.run import ContextEvent

__all__ = ["ContextEvent", "Tallybook", "render"]
