"""Retrievers: find the rule texts that may settle a question.

All of them are plain word matching, because that runs anywhere, explains itself and is hard to
beat on a few hundred rules; a dense retriever can stand beside them behind the same Protocol.
"""
