"""For tests of agents: a model that plays a script. Public, and used by our own tests."""

from tallybook.testing.scripted import ScriptedModel, call, say

__all__ = ["ScriptedModel", "call", "say"]
