"""Speed, memory and disk of retrieval, side by side with the libraries that do the same.

`passages` makes bodies of any size out of a rule base, `run` gives every engine processes of its
own, `worker` is that process, `engines` is the table of what can be measured.
"""
