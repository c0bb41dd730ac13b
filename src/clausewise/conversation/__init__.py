"""Conversations: what was said, kept as events, so that it can be taken back and replayed."""
