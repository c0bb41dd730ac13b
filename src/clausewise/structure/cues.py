"""The words by which a rule text says where a condition begins, and how it counts."""

from __future__ import annotations

import enum
import re


class Cue(enum.Enum):
    """What makes a stretch of a rule text a condition."""

    ITEM = "item of a list"
    EXAMPLE = "item of a list of examples"
    IF = "if"
    UNLESS = "unless"
    WHEN = "when"
    WHO = "who"
    MUST = "must"
    SENTENCE = "sentence"


STRENGTH = {
    Cue.ITEM: 3,
    Cue.IF: 3,
    Cue.UNLESS: 3,
    Cue.WHEN: 3,
    Cue.EXAMPLE: 2,
    Cue.WHO: 2,
    Cue.MUST: 2,
    Cue.SENTENCE: 1,
}
"""A text that has conditions of a stronger kind is not searched for those of weaker kinds."""


def _any(*phrases: str) -> str:
    """Return a pattern for any of the phrases, given by lists of words; '_' is a space in one."""
    found = [phrase.replace("_", " ") for group in phrases for phrase in group.split()]
    return "(?:" + "|".join(found).replace("'", "['’]") + ")"


def _compile(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


_PRONOUN = _any("you we they it he she")
_MODAL = _any("may might could would must can cannot can't will won't should shall")
_DUTY = _any("must shall should needs?_to ha(?:ve|s)_to (?:is|are|be)_required_to")
_ENTITLED = r"(?:is|are) (?:not )?(?:eligible|entitled|required)"
_GRANT = rf"(?:(?:['’]ll|{_MODAL}|do(?:n['’]t| not) need|need to|{_ENTITLED}|qualify)\b)"
_OUTCOME = rf"{_PRONOUN}(?:['’]ll\b| (?:also |still )?{_GRANT})"

_IF = (
    r"(?:but )?only if|only (?:when|where)|(?:as|so) long as|on (?:the )?condition that"
    r"|if(?! any\b| necessary| possible| so\b| not\b| applicable)|in the event that"
    rf"|provid(?:ed|ing)(?: that|(?= {_any('you your the he she they it an? no')}\b))"
    r"|in case\b(?! of)"
)
_UNLESS = (
    r"unless|except(?:ing)?(?: if| when| where| that| for| in)?(?! as\b)|with the exception of"
)
_NOT_INDIRECT = "".join(
    f"(?<!{before} )" for before in ("even", "what", "find out", "check", "see", "know", "as")
)
CUE = _compile(
    rf"(?<![\w’'-]){_NOT_INDIRECT}(?:(?P<IF>{_IF})|(?P<UNLESS>{_UNLESS})"
    r"|(?P<WHEN>when|whenever|where|while|whilst|once))(?![\w’'-])"
)
"""Where a clause of condition begins; the group that matched names its kind."""

_PERSON = rf"(?:{_any('any every each all an?')} )?" + _any(
    "people persons? anyone anybody someone those individuals? applicants? claimants? students?",
    "employees? workers? residents? tenants? parents? children veterans? members? families",
    "citizens? owners? drivers? households? businesses companies employers? borrowers? staff",
)
_ABOUT_PERSON = _any("with under over aged not living working getting receiving claiming")
WHO = _compile(
    rf"(?<!\w)(?P<skipped>{_PERSON}\s+(?:who(?:['’]\w+)?|that|whose)\s+"
    rf"|(?={_PERSON}\s+{_ABOUT_PERSON}\b))"
)
"""A clause about the person: 'anyone who', 'applicants with'."""

MUST = _compile(
    rf"(?<!\w)(?P<skipped>{_DUTY}(?!\w)"
    rf"(?:\s+{_any('also both either normally usually still first')})*\s+"
    r"|(?:you|they)(?:['’]ll)?(?: \w+)? need\s+(?!to\b))"
)
"""A duty or a requirement: what follows it is a condition where the rule grants something."""

MUST_OR_MAY = _compile(rf"\s+(?:{_MODAL}|need|{_ENTITLED}|(?:do not|don['’]t)|qualify)\b")
"""Where the clause about the person ends and what it gives them begins."""

TIME = _compile(
    r"\b(?P<skipped>)(?:after|before|within|until|at least|during)\s+",
    rf"(?={_any('you your they the it an? one two three six')}\b|\d)",
)
"""A limit of time that stands for a condition where a rule has no clause of condition."""

PURPOSE = _compile(
    rf"(?<=\w)\s+(?:in order )?to (?={_any('be_eligible qualify get claim apply receive avoid')}\b)"
)
"""What a requirement is for: 'you need ten years | to get any pension'."""

MAIN_CLAUSE = _compile(
    r"\s*(?:then\s+|please\s+)?",
    rf"(?:(?:{_PRONOUN}|{_any('there i no the this these that an? your any each such')})",
    r"(?:['’]\w+)?\b",
    rf"|(?:[\w’'-]+\s+){{0,5}}?(?:{_MODAL}|is|are|has|have|does|do)\b",
    rf"|{_any('contact call ask use visit apply tell see get check read send find log write')}\b)",
)
"""What may follow the comma behind an opening clause: 'If you moved, | tell us'."""

OUTCOME = _compile(
    rf"\s(?=(?:then\s+)?(?:{_OUTCOME}|(?:your|the) \w+(?:['’]ll| (?:also |still )?{_GRANT})))"
)
"""Where an outcome begins that no comma parts from its condition: 'if you moved you must ...'."""

_AFTERTHOUGHT = _any(
    "but so which who for_example for_instance includ(?:e|ing) such_as like eg e\\.g i\\.e even",
    "however because then",
)
_REASON = _any("for_example because in_order_to so_that regardless irrespective")
ENDS_CLAUSE = _compile(
    r"\s*(?:\s[-–—]+\s|—|;|:\s",
    rf"|,\s+(?={_AFTERTHOUGHT}\b|(?:and )?{_OUTCOME}|{_PRONOUN} (?:are|do)\b",
    rf"|(?:\w+\s+){{1,6}}(?:{_MODAL}|is deemed|{_ENTITLED})\b)",
    rf"|\s(?=(?:{_REASON}|but (?:you|only|not|the))\b)",
    r"|\s\((?=for example|see|eg|e\.g|even|this|the))",
)
"""What ends a clause before its sentence ends: an afterthought, an example, a new main clause."""

_HELPERS = _any(
    "are is were was have has had do does did don't doesn't didn't aren't isn't haven't hasn't",
    "can can't cannot will won't need be not if when that to who",
)
_SUBJECT = _any(r"your their his her its i there the_\w+_(?:is|are|was|has|does)")
_VERBS = _any(
    "meets? live[sd]? work(?:s|ed)? gets? got receives? serve[sd]? owns? pays? paid appl(?:y|ied)",
    "entered enlisted intend plan want provides? earn(?:s|ed)? care at_least_\\d",
    "(?:one|any|all|both|either|some)_of",
)
COORDINATION = _compile(
    r"(?:,|;)?\s+(?:and|or)(?:,)?\s+(?=(?:also\s+|then\s+|either\s+)?",
    rf"(?:(?:{_PRONOUN}|{_SUBJECT})"
    rf"(?:['’]\w+)?\b|(?:{_HELPERS}|{_VERBS})(?!\w)))",
)
"""Between two conditions in one clause; what follows has a verb of its own."""

LEADING = _compile(
    r"(?:[\s,;:*•\"'“‘–—-]++",
    rf"|(?:{_any('and/or and or but either both if only_if unless when where then also that must')}"
    r"|except(?: for| if| when| where)?|you(?:['’]ll)? (?:must|need to|have to|should)"
    r"(?: also)?(?: either)?)(?![\w’'])(?=\s))+",
)
"""What a condition doesn't start with."""

TRAILING = _compile(
    r"(?<![\s,;:.!?*–—-])",
    r"(?:[\s,;:.!?*–—-]++(?:and/or|and|or|but)?(?:\s+(?:either|both))?)+$",
)
"""What a condition doesn't end with. Each run is taken once and whole: a regular expression that
may cut a run anywhere needs longer than anybody waits for thirty spaces."""

_BE = _any("are is was were have has don't do does qualify eligible")
FOLLOWING = _compile(
    r"\b(?:following|below)\b(?:\s+(?:\w+\s+){0,3}(?:apply|applies|true|met|for you|to you))?\W*$",
    r"|\b(?:all|both|any|either|one|each|some|none) of (?:these|those|them|the)\b.{0,40}$",
    rf"|^\W*(?:\w+[’']?\w*)(?:\s+{_BE})*(?:\s+either)?\W*$",
    r"|\b(?:you|they) (?:have|need)(?: any| more| further)* (?:questions|help)\b",
    r"|\byou(?:.re| are) eligible$",
)
"""A clause without a condition of its own: 'all of these are true', 'you do'."""

_SUCH_AS = _any(r"for_example including include such_as like eg e\.g")
EXAMPLES = _compile(rf"\b{_SUCH_AS}\W*(?:if\b.{{0,20}})?$")
"""The end of a line that introduces examples rather than conditions."""

POINTER = _compile(rf"{_any('learn visit call download click read see go_to find_out')}\b")
"""How an item begins that sends the reader elsewhere."""
