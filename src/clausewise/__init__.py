"""Clausewise: answers "Can I ...?" questions against natural-language rules."""

__version__ = "0.1.0"
