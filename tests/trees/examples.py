"""A rule text and its tree as an author would write it."""

from __future__ import annotations

GARDEN_TEXT = """## Allotment gardens

You can rent an allotment if you:

* live in the borough
* are 18 or over

You can't rent one if you already rent an allotment, unless it is a half plot."""

GARDEN = """\
rule: council/gardens#allotment-gardens
topic: renting an allotment
questions:
- Can I rent an allotment?
outcome: {text: You can rent an allotment}
conditions:
  a:
    text: live in the borough
    question: Do you live in the borough?
    yes: ["I've a flat by the mill: in the borough, that is."]
    no:
    - I live two towns over.
  b: {text: are 18 or over, question: Are you 18 or over?}
  n: {text: you already rent an allotment, question: Do you already rent an allotment?}
  on: {text: it is a half plot, question: "Is the allotment that you rent a half plot?"}
logic: a and b and (not n or on)
tests:
- given: a yes, b yes, n no
  expect: Yes
- given: {b: no}
  expect: No
- given: a yes, b yes
  expect: ask n
- question: Can I rent an allotment?
  scenario: I live in the borough.
  answers: {Are you 18 or over?: no}
  expect: No
"""
