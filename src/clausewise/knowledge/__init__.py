"""The knowledge base: bodies of rules as their owners keep them, turned into rule texts."""
