"""Askers: a condition of a rule -> the follow-up question that settles it."""
