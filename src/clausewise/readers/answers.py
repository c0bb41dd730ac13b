"""What an answer to a yes/no question says, in the many ways in which people say it."""

from __future__ import annotations

import re

from clausewise.text import normalised
from clausewise.trees.values import State

_UNSURE = re.compile(
    r"(?:(?:no|sorry|well|um|er|hm) )*"
    r"(?:(?:i |im |i'm )?(?:do not|don't|dont|did not|didn't|can't|cannot|couldn't)"
    r" (?:really |actually )?(?:know|say|tell|remember|recall)"
    r"|(?:i'm |i am |im )?(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain)"
    r"|(?:i have )?(?:no )?(?:idea|clue)"
    r"|dunno|idk|unknown|maybe|perhaps|possibly|(?:it |that )?depends|skip|pass|unclear"
    r"|(?:it's |it is )?hard to say|yes and no|yes or no|neither yes nor no)\b"
)
_YES = re.compile(
    r"(?:(?:oh|well|um|er|hm|ah|so|i think|i believe|i guess|i suppose) )*"
    r"(?:y|yes|yeah|yep|yup|yea|ja|aye|sure|correct|right|true|indeed|absolutely|definitely"
    r"|certainly|exactly|affirmative|of course|ok|okay|probably(?! not)|so i do|i think so"
    r"|i believe so|i guess so|i suppose so|i should think so|so"
    r"|(?:that|this|it)(?:'s| is| sounds| would be)(?: \w+)? (?:right|correct|true|so|the case))\b"
)
_NO = re.compile(
    r"(?:(?:oh|well|um|er|hm|ah|so|i think|i'm afraid|sorry|unfortunately) )*"
    r"(?:n|no|nope|nah|nay|never|negative|false|incorrect|wrong|not (?:really|at all|yet|any more"
    r"|anymore|quite|that i know|so far|me|ever|currently|exactly|now)|none|neither"
    r"|probably not|definitely not|certainly not|absolutely not|of course not|i think not|hardly"
    r"|(?:i |we )?(?:do not|don't|dont) (?:think|believe) so|i'm afraid not|far from it"
    r"|(?:that|this|it)(?:'s| is)(?: not| n't|n't)? (?:not |un)?(?:wrong|false|incorrect|untrue))\b"
    r"|(?:that|this|it)(?:'s not| isn't| is not| does not| doesn't)(?: \w+)?"
    r" (?:right|correct|true|so|the case|apply)\b"
)
_WHO = r"(?:i|we|he|she|it|they|that|you|there|this)"
_HELPER = r"(?:am|are|is|was|were|do|does|did|have|has|had|will|would|can|could|should|must|might)"
_ADVERB = r"(?:certainly|definitely|indeed|really|actually|already|sure|surely|both|all|just|still)"
_SHORT_YES = re.compile(
    rf"(?:{_ADVERB} )?{_WHO}(?:'(?:ve|m|re|s|ll|d))? (?:{_ADVERB} )?{_HELPER}"
    rf"(?: {_ADVERB}| so| too)*"
)
_SHORT_NO = re.compile(
    rf"(?:{_ADVERB} )?(?:{_WHO} (?:{_ADVERB} )?(?:{_HELPER} (?:not|never)|{_HELPER}n't|won't"
    rf"|can't|cannot|dont|never {_HELPER})|{_WHO}'(?:ve|m|re|s|ll|d) (?:not|never)"
    rf"|neither {_HELPER} i)"
    rf"(?: {_ADVERB}| at all| any more| anymore| yet| ever)*"
)


def understand(answer: str) -> State:
    """Return what the answer says of the question; unknown where it says neither yes nor no."""
    words = normalised(answer)
    if not words or is_unsure(answer):
        return State.UNKNOWN
    if _SHORT_NO.fullmatch(words):
        return State.CONTRADICTED
    if _SHORT_YES.fullmatch(words):
        return State.ENTAILED
    if _NO.match(words) and not _says_more(words):
        return State.CONTRADICTED
    return State.ENTAILED if _YES.match(words) else State.UNKNOWN


def is_unsure(answer: str) -> bool:
    """Say whether the person says that they don't know; an empty answer says so too."""
    words = normalised(answer)
    return not words or bool(_UNSURE.match(words)) or words in {"i think", "n a", "na"}


def _says_more(words: str) -> bool:
    """Say whether a 'no' goes with a noun and isn't an answer: 'no one', 'no problem, I do'."""
    return bool(re.match(r"no (?:one|body|problem|worries|doubt|longer|matter|more|less)\b", words))
