# Two commands for a machine that has Python and make: `make demo` and `make test`.
# `make PYTHON=/path/to/python` chooses another interpreter than the first of 3.10 to 3.13 that runs; where there is
# a .venv already, `make clean` comes first.

FITS := import ensurepip, sys, venv; sys.exit(not (3, 10) <= sys.version_info < (3, 14))
PYTHON ?= $(shell for one in python3 python3.13 python3.12 python3.11 python3.10 python; do \
	$$one -c '$(FITS)' 2>/dev/null && echo $$one && break; done)
BIN := .venv/bin
READY := .venv/installed
DOCS := .venv/docs-installed
DEMO := $(firstword $(wildcard corpus/demo.py) $(sort $(wildcard corpus/*.py corpus/*/*.py)))

.PHONY: demo check test dist docs lint fuzz bench bench-cli clean
.DELETE_ON_ERROR:

demo: $(READY)
	@echo "What tfrewrite changes in $(DEMO):"
	@echo
	@$(BIN)/tfrewrite $(DEMO)
	@echo
	@echo "The proof: both versions run, their results are compared, and their memory is measured (half a minute):"
	@echo
	@mkdir -p build
	@$(BIN)/tfrewrite - --quiet < $(DEMO) > build/demo.py
	@$(BIN)/tfrewrite compare $(DEMO) build/demo.py

# Each of two processes begins with one half and keeps files together, whose tests share what takes long to start;
# who has nothing left to do takes over what the other has not begun.
PYTEST := $(BIN)/pytest -q -n 2 --dist worksteal

# Something of every part, for while you work.
check: lint
	$(PYTEST) -m 'smoke and not fuzz'

test: lint
	$(PYTEST)

lint: $(READY)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy

docs: $(DOCS)
	@mkdir -p build/docs
	@$(BIN)/mkdocs build --quiet --strict
	@echo "The site is in build/site: open build/site/index.html, or run $(BIN)/mkdocs serve"

fuzz: $(READY)
	$(PYTEST) -m fuzz

bench: $(READY)
	$(BIN)/python benchmarks/loops.py
	$(BIN)/python benchmarks/tracing.py
	$(BIN)/python benchmarks/programs.py
	$(BIN)/python benchmarks/whole.py

bench-cli: $(READY)
	$(BIN)/python benchmarks/cli.py

# Installs again only when what is installed has changed.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "tfrewrite needs Python 3.10 to 3.13: none was found (make PYTHON=...)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -c '$(FITS)' || { echo "$(PYTHON) is not Python 3.10 to 3.13, or lacks venv" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Making .venv with $(PYTHON) ..."; $(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }; }
	@echo "Installing into .venv (TensorFlow among it: this takes a while) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt setuptools
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

$(DOCS): $(READY)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[docs]'
	@touch $@

clean:
	rm -rf .venv build *.egg-info

# A source distribution and a wheel, checked, and tried in fresh environments of each Python that is here.
dist: $(READY)
	@rm -rf build/dist
	@$(BIN)/python -m build --quiet --outdir build/dist
	@$(BIN)/twine check --strict build/dist/*
	@$(BIN)/python scripts/try_wheel.py build/dist
