"""The papers' joint readers: one transformer over the dialogue and the retrieved rule texts.

`encode` packs both into one sequence of tokens, `model` runs the exported network, `reader` makes a
reading of what comes out. Nothing here needs torch; the networks are trained in `training`.
"""
