"""What the networks compute, against the papers' formulas worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.readers.transformer.extraction import span_score  # noqa: E402
from clausewise.training.reader_batches import IGNORED, Targets, targets_of  # noqa: E402
from clausewise.training.reader_layers import InterSentence, Outputs, Summary  # noqa: E402
from clausewise.training.reader_loss import (  # noqa: E402
    LossWeights,
    ends_loss,
    entailment_loss,
    extraction_loss,
    reader_loss,
    span_scores,
)
from clausewise.training.reader_network import ExplicitMemory, Mudern  # noqa: E402
from tests.training.readers import SHAPES, config_of, items_of, model_of, packs_of  # noqa: E402


def targets(**changes: object) -> Targets:
    fields: dict[str, object] = {
        "decision": torch.tensor([0]),
        "states": torch.tensor([[0, 2]]),
        "asked": torch.tensor([[IGNORED, IGNORED]]),
        "ends": torch.full((1, 4, 2), float(IGNORED)),
        "candidates": torch.zeros((1, 0, 2), dtype=torch.long),
        "overlaps": torch.zeros((1, 0, 2)),
        "chosen": torch.tensor([IGNORED]),
        **changes,
    }
    return Targets(**fields)


def test_entailment_is_the_mean_over_all_units_of_the_batch_but_filling() -> None:
    # Two sequences of two and one units; probabilities of the right states: 1/2, 1/4, 1/4.
    half, quarter = math.log(2), math.log(1)
    states = torch.tensor([[[half, 0.0, 0.0], [half, 0, 0]], [[half, 0, 0], [9.0, 9, 9]]])
    assert quarter == 0.0
    right = torch.tensor([[0, 1], [2, IGNORED]])
    expected = (math.log(2) + math.log(4) + math.log(4)) / 3
    assert entailment_loss(states, right).item() == pytest.approx(expected)


def test_a_batch_without_units_to_learn_from_costs_nothing() -> None:
    assert entailment_loss(torch.zeros(1, 1, 3), torch.tensor([[IGNORED]])).item() == 0.0


def test_the_loss_is_the_decision_and_lambda_times_entailment() -> None:
    # Uniform scores cost ln 3 each: ln 3 + 8 ln 3.
    outputs = Outputs(decision=torch.zeros(1, 3), states=torch.zeros(1, 2, 3))
    weights = LossWeights(entailment=8.0, span=1.0, extraction=1.0)
    loss = reader_loss(outputs, targets(), token_units=torch.zeros(1, 4), weights=weights)
    assert loss.item() == pytest.approx(9 * math.log(3))


def test_the_decision_is_made_of_the_weighted_sum_of_the_pieces() -> None:
    summary = Summary(2).eval()
    with torch.no_grad():
        summary.weight.weight.copy_(torch.tensor([[math.log(3), 0.0]]))
        summary.weight.bias.fill_(5.0)
        summary.out.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
        summary.out.bias.copy_(torch.tensor([0.0, 0.0, 1.0]))
    pieces = torch.tensor([[[1.0, 0.0], [0.0, 2.0], [99.0, 99.0]]])
    known = torch.tensor([[True, True, False]])
    # Weights 3 : 1, so the summary is (3/4, 2/4).
    assert summary(pieces, known)[0].tolist() == pytest.approx([0.75, 0.5, 2.25])


def test_without_layers_the_pieces_stay_as_they_are() -> None:
    pieces = torch.randn(2, 3, 8)
    known = torch.ones(2, 3, dtype=torch.bool)
    assert torch.equal(InterSentence(8, heads=2, layers=0)(pieces, known), pieces)


def test_a_layer_between_pieces_is_a_transformer_layer_four_times_as_wide_inside() -> None:
    torch.manual_seed(0)
    ours = InterSentence(8, heads=2, layers=1).eval()
    theirs = torch.nn.TransformerEncoderLayer(8, 2, 32, batch_first=True).eval()
    layer = ours.layers[0]
    with torch.no_grad():
        parts = (layer.query, layer.key, layer.value)
        theirs.self_attn.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
        theirs.self_attn.out_proj.load_state_dict(layer.out.state_dict())
        theirs.linear1.load_state_dict(layer.widen.state_dict())
        theirs.linear2.load_state_dict(layer.narrow.state_dict())
    pieces = torch.randn(2, 4, 8)
    known = torch.tensor([[True, True, True, True], [True, True, False, False]])
    expected = ours.norm(theirs(pieces, src_key_padding_mask=~known))
    assert torch.allclose(ours(pieces, known)[known], expected[known], atol=1e-5)


def test_discern_joins_the_vector_of_the_state_to_that_of_the_unit() -> None:
    backbone = SHAPES["bert"]()
    config = config_of("discern")
    model = model_of(backbone, config=config)
    network = model.network
    assert isinstance(network, Mudern)
    assert network.states is not None
    assert network.states.weight.shape == (32, 3)
    assert network.decide.weight.in_features == 64
    before = model.run_all(packs_of(backbone, config=config))[0].decision
    with torch.no_grad():
        network.states.weight.add_(1.0)
    after = model.run_all(packs_of(backbone, config=config))[0].decision
    assert not np.allclose(before, after)


def test_a_memory_cell_takes_in_what_was_said_as_far_as_its_gate_is_open() -> None:
    network = ExplicitMemory(SHAPES["bert"]().network)
    network.by_piece = network.by_key = network.by_value = torch.nn.Linear(2, 2)
    with torch.no_grad():
        network.by_piece.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]) / 3)
        network.by_piece.bias.zero_()
    key, piece = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[0.0, 3.0], [7.0, 7.0]]])
    value = network.memory(key, piece, torch.tensor([[True, False]]))
    # gate = sigmoid(0 + 0) = 1/2; candidate = relu((0, 3)/3 + (1, 0)/3 + (1, 0)/3) = (2/3, 1);
    # value = (1, 0) + (1/3, 1/2), of unit length; what isn't there changes nothing.
    length = math.hypot(4 / 3, 1 / 2)
    assert value[0, 0].tolist() == pytest.approx([4 / 3 / length, 1 / 2 / length], rel=1e-5)


def test_a_tokens_score_is_multiplied_by_the_chance_that_its_sentence_is_open() -> None:
    backbone = SHAPES["bert"]()
    config = config_of("emt")
    network = model_of(backbone, config=config).network
    with torch.no_grad():
        network.entails.weight.zero_()
        network.entails.bias.copy_(torch.tensor([0.0, 0.0, math.log(2)]))
        network.ends.weight.zero_()
        network.ends.bias.copy_(torch.tensor([3.0, 5.0]))
    model = model_of(backbone, config=config)
    model.network.load_state_dict(network.state_dict())
    packed = packs_of(backbone, config=config)[0]
    scores = model.run(packed)
    assert scores.tokens is not None
    place = packed.units[0].start
    assert scores.tokens[place].tolist() == pytest.approx([3 / 2, 5 / 2])


def test_starts_and_ends_compete_among_the_tokens_of_rules() -> None:
    tokens = torch.tensor([[[9.0, 9.0], [0.0, 0.0], [0.0, 0.0]]])
    known = torch.tensor([[False, True, True]])
    loss = ends_loss(tokens, torch.tensor([[1, 2]]), known=known)
    assert loss.item() == pytest.approx(math.log(2))


def test_extraction_asks_of_every_token_of_a_rule_alone() -> None:
    right = torch.tensor([[[float(IGNORED)] * 2, [1.0, 0.0]]])
    loss = extraction_loss(torch.zeros(1, 2, 2), right)
    assert loss.item() == pytest.approx(math.log(2))


def test_training_and_reading_score_spans_alike() -> None:
    torch.manual_seed(0)
    tokens, overlap = torch.randn(1, 6, 4), torch.tensor([[0.5, -1.0, 0.25]])
    candidates = torch.tensor([[[1, 3], [2, 2], [-1, -1]]])
    shared = torch.tensor([[[0.2, 0.4], [1.0, 0.0], [0.0, 0.0]]])
    found = span_scores(tokens, overlap, targets=targets(candidates=candidates, overlaps=shared))
    for place, (pair, both) in enumerate([((1, 3), (0.2, 0.4)), ((2, 2), (1.0, 0.0))]):
        alone = span_score(pair, tokens=tokens[0].numpy(), overlap=overlap[0].numpy(), shared=both)
        assert found[0, place].item() == pytest.approx(alone, rel=1e-4)
    assert found[0, 2].item() < -1e30


def test_a_span_of_one_token_has_that_tokens_value() -> None:
    tokens = np.array([[0, 0, 7.0, 2.0]], np.float32)
    overlap = np.array([0.5, 1.0, 0.25], np.float32)
    assert span_score((0, 0), tokens=tokens, overlap=overlap, shared=(1.0, 2.0)) == 4.75


def test_what_is_right_knows_the_spans_of_e3() -> None:
    backbone = SHAPES["bert"]()
    items = items_of(backbone, config=config_of("e3"))
    right = targets_of(items, tokens=64)
    assert right.candidates.shape == (4, 3, 2)  # two conditions and, of one, the shorter words
    assert right.chosen.tolist()[1:3] == [IGNORED, IGNORED]
    chosen = items[0].extraction
    assert chosen is not None
    assert chosen.candidates[chosen.chosen] == items[0].asked
    for side, places in enumerate((chosen.starts, chosen.ends)):
        assert set(right.ends[0, :, side].eq(1.0).nonzero().flatten().tolist()) == set(places)
