# Two commands do everything: `make demo` and `make test`. Both install what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
EXTRAS := report,languages,ctranslate2,mining,serve
APT    := apt-get
SUDO   := $(shell [ "$$(id -u)" = 0 ] || command -v sudo 2>/dev/null)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: demo test test-core test-apertium test-browser test-cluster test-torch lint bench validate clean apertium browser

demo: $(STAMPS)/install apertium
	@$(BIN)/python examples/demo.py

$(STAMPS)/venv:
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/install: $(STAMPS)/venv pyproject.toml $(wildcard pocket/pyproject.toml)
	@echo "installing Evenhand into $(VENV) (the first time takes a minute or two)"
	@$(BIN)/pip install -q -e '.[$(EXTRAS)]'
	@if [ -f pocket/pyproject.toml ]; then $(BIN)/pip install -q -e ./pocket; fi
	@touch $@

$(STAMPS)/dev: $(STAMPS)/install
	@$(BIN)/pip install -q 'pip>=25.1'
	@$(BIN)/pip install -q -e '.[amazon,google]'
	@$(BIN)/pip install -q --group dev
	@touch $@

# Apertium and its pairs come from apt; without apt the demo says so and audits what it can.
apertium:
	@if [ -e /usr/share/apertium/modes/eu-en.mode ] && [ -e /usr/share/apertium/modes/eng-spa.mode ]; then :; \
	elif command -v $(APT) >/dev/null 2>&1; then \
	  echo "installing apertium-eu-en and apertium-eng-spa"; \
	  { $(SUDO) $(APT) update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) $(APT) install -y -qq \
	    apertium apertium-eu-en apertium-eng-spa apertium-apy >/dev/null; } \
	  || echo "apt could not install Apertium; what needs it is left out"; \
	else echo "apt is not here: Apertium cannot be installed; what needs it is left out"; fi

browser:
	@if command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1; then :; \
	elif command -v $(APT) >/dev/null 2>&1; then \
	  echo "installing chromium and chromium-driver"; \
	  { $(SUDO) $(APT) update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) $(APT) install -y -qq \
	    chromium chromium-driver >/dev/null; } || echo "apt could not install Chromium; browser tests will skip"; \
	else echo "apt is not here: Chromium cannot be installed; browser tests will skip"; fi

lint: $(STAMPS)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint test-core test-apertium test-browser test-cluster

test-core: $(STAMPS)/dev
	@echo "== core tests"
	$(BIN)/python -m pytest -q -n 2 -m 'not torch and not browser and not cluster and not apertium' tests pocket/tests

test-apertium: $(STAMPS)/dev apertium
	@echo "== tests with Apertium"
	$(BIN)/python -m pytest -q -m apertium

test-browser: $(STAMPS)/dev browser
	@echo "== browser tests (headless Chromium)"
	$(BIN)/python -m pytest -q -m browser || [ $$? -eq 5 ]

test-cluster: $(STAMPS)/dev
	@echo "== cluster tests (a local Ray cluster)"
	$(BIN)/python -m pytest -q -m cluster || [ $$? -eq 5 ]

test-torch: $(STAMPS)/dev
	@echo "== tests with PyTorch"
	$(BIN)/pip install -q torch==2.13.0
	$(BIN)/pip install -q 'transformers>=4.44'
	$(BIN)/python -m pytest -q -m torch || [ $$? -eq 5 ]

bench: $(STAMPS)/dev
	@for script in $(filter-out benchmarks/validate_%,$(wildcard benchmarks/*.py)); do echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script || exit 1; done

validate: $(STAMPS)/dev
	@for script in benchmarks/validate_*.py; do echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) demo-out
