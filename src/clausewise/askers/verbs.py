"""The verbs of rule texts and their forms: enough to turn 'lives abroad' into 'do you live'.

A list of common verbs tells verbs from nouns; endings give the forms of the rest.
"""

from __future__ import annotations

BE = frozenset({"am", "are", "is", "was", "were"})
MODALS = frozenset({"can", "could", "may", "might", "will", "would", "shall", "should", "must"})
PRESENT_BE = frozenset({"am", "are", "is", "be"})

_BASES_LISTED = """
    accept access accompany act add adopt advise agree allow apply appeal approve arrange arrive
    ask attend authorise authorize avoid become begin belong bill book borrow break bring build
    buy call cancel care carry cause certify change charge check choose claim collect come
    commit complete comply confirm consent consider contact continue contribute control cook
    cost cover create cross deal decide declare delay deliver depend deregister design develop
    die disagree disclose discuss display do donate download draw drink drive drop earn eat
    elect employ enable end engage enlist enrol enroll ensure enter establish exceed exchange
    exclude exist expect expel experience expire explain export extend face fail fall file fill
    find finish fit follow foster gain get give go graduate grow handle happen have hear help
    hire hold identify import improve include increase inform inherit injure insure intend
    introduce invest involve issue join keep know land last lead learn lease leave lend let list
    live lodge look lose maintain make manage marry meet miss move need nominate notify object
    obtain occupy occur offer open operate opt order overstay owe own park participate pass pay
    perform permit pick place plan plant possess post practise practice prefer prepare prevent
    produce promise prove provide purchase pursue put qualify raise reach read receive recommend
    record recover reduce refinance refuse regard register reject relate rely remain remarry
    remove renew rent repair repay replace reply report represent request require reside resign
    respond retain retire return run sail satisfy save search see seek sell send separate serve
    share show sign sit smoke spend sponsor stand start stay stop store study submit suffer
    supervise supply support surrender take teach tell terminate think trade train transfer
    travel treat try turn understand undergo use verify visit volunteer vote wait want watch
    wear win wish work write
"""
BASES = frozenset(_BASES_LISTED.split())

_ADVERBS_LISTED = """
    also always already currently ever first just lawfully mainly never normally only permanently
    personally recently regularly still temporarily usually actually generally now deliberately
    knowingly legally ordinarily previously voluntarily
"""
ADVERBS = frozenset(_ADVERBS_LISTED.split())
_LIKE_ADVERBS = frozenset(
    {"assembly", "comply", "family", "monthly", "reply", "supply", "weekly", "yearly"}
)

_IRREGULAR = {
    "became": "become", "began": "begin", "begun": "begin", "bought": "buy", "broke": "break",
    "brought": "bring", "built": "build", "came": "come", "chose": "choose", "died": "die",
    "did": "do", "done": "do", "drew": "draw", "drove": "drive", "fell": "fall", "felt": "feel",
    "found": "find", "gave": "give", "given": "give", "got": "get", "grew": "grow", "had": "have",
    "has": "have", "heard": "hear", "held": "hold", "kept": "keep", "knew": "know",
    "learnt": "learn", "led": "lead", "left": "leave", "lent": "lend", "lost": "lose",
    "made": "make", "met": "meet", "paid": "pay", "ran": "run", "received": "receive",
    "said": "say", "sat": "sit", "saw": "see", "sent": "send", "sold": "sell", "sought": "seek",
    "spent": "spend", "stood": "stand", "taught": "teach", "thought": "think", "told": "tell",
    "took": "take", "understood": "understand", "went": "go", "wore": "wear", "won": "win",
    "wrote": "write", "goes": "go", "does": "do", "lies": "lie", "dies": "die",
}  # fmt: skip
_ONLY_PARTICIPLES = {
    "been": "be", "born": "bear", "broken": "break", "chosen": "choose", "driven": "drive",
    "fallen": "fall", "gone": "go", "known": "know", "seen": "see", "shown": "show",
    "taken": "take", "worn": "wear", "written": "write", "drawn": "draw", "grown": "grow",
    "given": "give", "done": "do", "begun": "begin", "become": "become",
}  # fmt: skip
_SAME_PAST = frozenset({"put", "let", "cut", "set", "read", "cost", "become", "come", "run"})


def base_of_present(word: str) -> str | None:
    """Return the base form of a verb in its -s form, None where it isn't one that we know."""
    if word in {"has", "does", "goes", "dies", "lies"}:
        return _IRREGULAR[word]
    if word.endswith("s"):
        for base in (word[:-1], word[:-2], word[:-3] + "y"):
            if base in BASES:
                return base
    return None


def base_of_past(word: str) -> str | None:
    """Return the base form of a verb in its past form, None where it isn't a past form."""
    if word in _IRREGULAR and word not in {"has", "does", "goes", "dies", "lies"}:
        return None if word in _ONLY_PARTICIPLES else _IRREGULAR[word]
    if not word.endswith("ed") or len(word) < 4 or word in {"need", "feed", "speed", "exceed"}:
        return None
    return _regular(word.removesuffix("ed"), ending="ied", word=word)


def is_adverb(word: str) -> bool:
    """Say whether a word is one that may stand between a verb and its subject: 'seriously'."""
    return word in ADVERBS or (len(word) > 5 and word.endswith("ly") and word not in _LIKE_ADVERBS)


def is_participle(word: str) -> bool:
    """Say whether a word may follow 'have' in the perfect: 'worked', 'been', 'put'."""
    return word in _ONLY_PARTICIPLES or word in _SAME_PAST or base_of_past(word) is not None


def base_of_gerund(word: str) -> str | None:
    """Return the base form of a verb in its -ing form, None where it isn't one."""
    if not word.endswith("ing") or len(word) < 5:
        return None
    if word in {"dying", "lying", "tying"}:
        return word[0] + "ie"
    return _regular(word.removesuffix("ing"), ending="", word=word)


def _regular(stem: str, *, ending: str, word: str) -> str:
    candidates = [stem, stem + "e", stem[:-1]]
    if ending and word.endswith(ending):
        candidates.insert(0, word.removesuffix(ending) + "y")
    known = next((candidate for candidate in candidates if candidate in BASES), None)
    return known or _guess(stem, candidates[0])


def _guess(stem: str, first: str) -> str:
    if first != stem:
        return first
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "sl":
        return stem[:-1]
    return stem + "e" if stem.endswith(("at", "iz", "is", "uc", "v", "c", "g", "ur", "u")) else stem


DUTIES = {
    "apply": "applied", "ask": "asked", "book": "booked", "cancel": "cancelled",
    "claim": "claimed", "complete": "completed", "contact": "contacted", "declare": "declared",
    "enter": "entered", "file": "filed", "fill": "filled", "get": "got", "give": "given",
    "inform": "informed", "notify": "notified", "obtain": "obtained", "pass": "passed",
    "pay": "paid", "prove": "proved", "provide": "provided", "register": "registered",
    "report": "reported", "request": "requested", "return": "returned", "send": "sent",
    "show": "shown", "sign": "signed", "submit": "submitted", "tell": "told", "write": "written",
}  # fmt: skip
"""Things that one does once: a duty to do them is met by having done them."""
