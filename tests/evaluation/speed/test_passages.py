from __future__ import annotations

from collections import Counter

from clausewise.evaluation.speed.passages import PassageSource

TEXTS = (
    "You may keep hens. You may not keep cockerels.",
    "A stall costs £20 a day. You must pay in advance. You may keep hens.",
    "Dogs stay outside.",
)


def texts(source: PassageSource, count: int) -> list[str]:
    return [passage.text for passage in source.passages(count)]


def test_the_rule_texts_come_first_as_they_are() -> None:
    first, *_ = texts(PassageSource.of(TEXTS), 3)
    assert first == "You may keep hens.\nYou may not keep cockerels."


def test_the_same_seed_draws_the_same_passages_however_many_are_asked_for() -> None:
    many = texts(PassageSource.of(TEXTS, seed=3), 5000)
    assert texts(PassageSource.of(TEXTS, seed=3), 4200) == many[:4200]
    assert texts(PassageSource.of(TEXTS, seed=4), 5000) != many


def test_every_passage_is_made_of_whole_sentences_of_the_rules() -> None:
    source = PassageSource.of(TEXTS)
    for passage in source.passages(200):
        sentences = [source.distinct[place] for place in passage.sentences]
        assert passage.text == "\n".join(sentences)
        assert len(set(sentences)) == len(sentences) > 0


def test_sentences_stay_as_frequent_as_they_are_in_the_rules() -> None:
    source = PassageSource.of(TEXTS)
    seen = Counter(place for passage in source.passages(6000) for place in passage.sentences)
    hens, dogs = (source.distinct.index(text) for text in ("You may keep hens.", TEXTS[2]))
    assert 1.6 < seen[hens] / seen[dogs] < 2.4
