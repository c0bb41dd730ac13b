"""Training of the models that Clausewise ships; needs the `train` extra, nothing else does."""
