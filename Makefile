# `make demo` and `make test` set up all they need on a machine with Python >= 3.11 and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test setup lint types floors tests clean

demo: $(READY)
	$(BIN)/tallybook ask --offline --window 12000 "Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell over the last eight quarters"

test: lint types floors tests

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Tallybook needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Use: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group dev -e ".[all]"
	touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

floors: $(READY)
	$(BIN)/lint-imports

tests: $(READY)
	$(BIN)/pytest -n auto

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis
