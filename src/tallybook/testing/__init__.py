"""For tests of agents: a model that plays a script, and a provider on this machine.

`ScriptedModel` is a Pydantic AI model in the test's own process. `LoopbackProvider` speaks
the wire formats of OpenAI and Anthropic over real HTTP, for any client. Both are public, and
our own tests use them.
"""

from tallybook.testing.answers import Bill, Dropped, ErrorInStream, Received, Refusal, replayed
from tallybook.testing.loopback import LoopbackProvider
from tallybook.testing.scripted import ScriptedModel, break_off, call, refuse, say

__all__ = [
    "Bill",
    "Dropped",
    "ErrorInStream",
    "LoopbackProvider",
    "Received",
    "Refusal",
    "ScriptedModel",
    "break_off",
    "call",
    "refuse",
    "replayed",
    "say",
]
