"""Questions about places with what people say of where they are, from a small gazetteer.

That somebody in Lyon is in France and in the EU, and not in Denmark, is said in no rule; the label
of a pair follows from which place lies in which.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from clausewise.training.judge_pairs import JudgedPair
from clausewise.trees.values import State

_CITIES: Mapping[str, tuple[str, ...]] = {
    "England": ("London", "Manchester", "Leeds", "Bristol", "Newcastle", "Kent", "Cornwall"),
    "Scotland": ("Edinburgh", "Glasgow", "Aberdeen", "Dundee", "Fife"),
    "Wales": ("Cardiff", "Swansea", "Newport", "Wrexham"),
    "Northern Ireland": ("Belfast", "Derry", "Lisburn"),
    "France": ("Paris", "Lyon", "Marseille", "Nice"),
    "Germany": ("Berlin", "Munich", "Hamburg", "Cologne"),
    "Spain": ("Madrid", "Barcelona", "Seville", "Valencia"),
    "Italy": ("Rome", "Milan", "Naples", "Turin"),
    "Portugal": ("Lisbon", "Porto", "Faro"),
    "Greece": ("Athens", "Thessaloniki", "Crete"),
    "Denmark": ("Copenhagen", "Aarhus"),
    "Sweden": ("Stockholm", "Malmo"),
    "Poland": ("Warsaw", "Krakow", "Gdansk"),
    "Ireland": ("Dublin", "Cork", "Galway"),
    "the Netherlands": ("Amsterdam", "Rotterdam"),
    "Malta": ("Valletta",),
    "Cyprus": ("Nicosia", "Limassol"),
    "Norway": ("Oslo", "Bergen"),
    "Iceland": ("Reykjavik",),
    "Switzerland": ("Zurich", "Geneva", "Basel"),
    "Gibraltar": (),
    "Jersey": (),
    "Guernsey": (),
    "the Isle of Man": (),
    "California": ("Los Angeles", "San Diego", "Oakland"),
    "Texas": ("Houston", "Dallas", "Austin"),
    "Alaska": ("Anchorage", "Juneau"),
    "New York State": ("Buffalo", "Albany"),
    "the District of Columbia": ("Georgetown", "Anacostia"),
    "Canada": ("Toronto", "Vancouver", "Montreal"),
    "Australia": ("Sydney", "Melbourne", "Perth"),
    "New Zealand": ("Auckland", "Wellington"),
    "India": ("Mumbai", "Delhi"),
    "China": ("Beijing", "Shanghai"),
    "Japan": ("Tokyo", "Osaka"),
    "Israel": ("Tel Aviv", "Haifa"),
    "Turkey": ("Istanbul", "Ankara"),
    "Jamaica": ("Kingston",),
    "Barbados": ("Bridgetown",),
    "Morocco": ("Rabat", "Casablanca"),
    "Nigeria": ("Lagos", "Abuja"),
    "South Africa": ("Cape Town", "Durban"),
    "Brazil": ("Sao Paulo", "Recife"),
    "Mexico": ("Oaxaca", "Tijuana"),
    "North Korea": ("Pyongyang",),
    "the Philippines": ("Manila", "Cebu"),
}
_UNITED_KINGDOM = ("England", "Scotland", "Wales", "Northern Ireland")
_IN_UNION = (
    "France", "Germany", "Spain", "Italy", "Portugal", "Greece", "Denmark", "Sweden", "Poland",
    "Ireland", "the Netherlands", "Malta", "Cyprus",
)  # fmt: skip
_STATES = ("California", "Texas", "Alaska", "New York State", "the District of Columbia")
_REGIONS: Mapping[str, tuple[str, ...]] = {
    "the UK": _UNITED_KINGDOM,
    "the United Kingdom": _UNITED_KINGDOM,
    "Great Britain": ("England", "Scotland", "Wales"),
    "the European Union": _IN_UNION,
    "the EU": _IN_UNION,
    "the EEA": (*_IN_UNION, "Norway", "Iceland"),
    "the European Economic Area": (*_IN_UNION, "Norway", "Iceland"),
    "an EEA country or Switzerland": (*_IN_UNION, "Norway", "Iceland", "Switzerland"),
    "the United States": _STATES,
    "the US": _STATES,
    "the Channel Islands": ("Jersey", "Guernsey"),
}
_LEFT_OPEN = frozenset(_UNITED_KINGDOM)
"""Whether the UK counts as Europe's Union depends on the year: such pairs are not made."""
_ASKED = (
    "Do you live in {}?", "Are you in {}?", "Are you living in {}?", "Are you resident in {}?",
    "Is your home in {}?", "Are you based in {}?", "Do you currently live in {}?",
)  # fmt: skip
_ASKED_OUTSIDE = (
    "Do you live outside {}?", "Are you outside {}?", "Are you living outside {}?",
    "Is your home outside {}?", "Do you live abroad, outside {}?",
)  # fmt: skip
_SAID = (
    "I live in {}.", "I'm in {} right now.", "I moved to {} two years ago.", "I'm based in {}.",
    "My home is in {}.", "We have a flat in {}.", "I've been living in {} since the spring.",
    "I am a 34 year old woman living in {}.", "I work and live in {}.", "Currently I am in {}.",
    "I'm staying in {} with my family.", "I live alone in {}. I go to school there.",
)  # fmt: skip
_HOME: Mapping[str, str] = {city: land for land, cities in _CITIES.items() for city in cities}


def place_pairs(count: int, *, lot: random.Random) -> list[JudgedPair]:
    """Return pairs about places, drawn by lot; half of the places asked about hold the other."""
    pairs: list[JudgedPair] = []
    while len(pairs) < count:
        pair = _pair(lot)
        pairs += [pair] if pair else []
    return pairs


def _pair(lot: random.Random) -> JudgedPair | None:
    said = lot.choice((*_CITIES, *_HOME))
    around = _around(said)
    asked = lot.choice(tuple(around) if lot.random() < 0.5 else (*_CITIES, *_REGIONS))
    state = _contained(said, asked)
    if state is None:
        return None
    outside = lot.random() < 0.2
    question = lot.choice(_ASKED_OUTSIDE if outside else _ASKED).format(asked)
    place = f"{said}, {_HOME[said]}" if said in _HOME and lot.random() < 0.3 else said
    statement = lot.choice(_SAID).format(place)
    return JudgedPair(question=question, said=statement, state=~state if outside else state)


def _around(place: str) -> tuple[str, ...]:
    """Return the places that hold this one, itself among them."""
    land = _HOME.get(place, place)
    regions = (region for region, lands in _REGIONS.items() if land in lands)
    return (*dict.fromkeys((place, land)), *regions)


def _contained(said: str, asked: str) -> State | None:
    """Return whether somebody in the one place is in the other; None where people disagree."""
    if asked in _around(said):
        return State.ENTAILED
    if asked in _HOME and _HOME[asked] == said:
        return State.UNKNOWN
    european = asked in _REGIONS and "EU" in asked.upper()
    if _HOME.get(said, said) in _LEFT_OPEN and (european or "EEA" in asked):
        return None
    return State.CONTRADICTED
