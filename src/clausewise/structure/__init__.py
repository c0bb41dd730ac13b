"""The structure of a rule text: its lines, lists, sentences and the cues between its conditions.

Segmenter, asker and compiler all need it, and none of them may import another.
"""
