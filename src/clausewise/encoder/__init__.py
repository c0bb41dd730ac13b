"""Texts into vectors with an exported model: onnxruntime and tokenizers, no torch."""

from clausewise.encoder.onnx import EncoderConfig, OnnxEncoder

__all__ = ["EncoderConfig", "OnnxEncoder"]
