# `make chat` talks with the demonstration rules, `make test` runs the tests, `make check` is what CI
# runs. Each target makes the virtual environment that it needs.

VENV ?= .venv
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: chat test test-training check check-rest format lint types imports docs clean

chat: $(VENV)/.core
	@$(BIN)/clausewise chat

test: $(VENV)/.dev
	$(BIN)/python -m pytest --cov --cov-report=term

check: test check-rest

check-rest: $(VENV)/.dev lint types imports
	$(BIN)/clausewise check rules

lint: $(VENV)/.dev
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "Clausewise needs Python 3.11 or newer on the path" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: pyproject.toml $(VENV)/.made
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.made
	$(INSTALL) --editable '.[dev,eval]'
	@touch $@ $(VENV)/.core

clean:
	rm -rf $(VENV) $(VENV)-train .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage

docs: $(VENV)/.dev
	$(BIN)/python -m clausewise.cli.reference docs/cli.md
	$(BIN)/python -c 'from pathlib import Path; from clausewise.trees.schema import schema_text; Path("docs/rule-tree.schema.json").write_text(schema_text(), encoding="utf-8")'

# The tests of training need torch, which nothing else does: an environment of their own.
test-training: $(VENV)-train/.made
	$(VENV)-train/bin/python -m pytest tests/training

$(VENV)-train/.made: pyproject.toml
	$(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[train,dev]'
	@touch $@
