# Two commands do everything: `make demo` and `make test`. Both install what they need; `make test-all` is what CI runs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
TESTED := -cconstraints.txt
EXTRAS := report,languages,ctranslate2,serve
PLAIN  := not torch and not browser and not cluster and not apertium
APT    := apt-get
SUDO   := $(shell [ "$$(id -u)" = 0 ] || command -v sudo 2>/dev/null)
MAY    := $(shell [ "$$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1 && echo yes)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: demo board board-figures board-second test test-all test-core test-slow test-notebooks test-apertium test-browser test-cluster test-torch test-harness lint docs bench soak mends validate scale release clean apertium browser dictionaries gettext schemas

demo: $(STAMPS)/install apertium
	@$(BIN)/python examples/demo.py

# $(call debian,PACKAGES,WHAT FOLLOWS WITHOUT THEM): install Debian packages, or say in one sentence what to install.
define debian
	if ! command -v $(APT) >/dev/null 2>&1; then echo "apt is not here: install $(1) in your own way; $(2)"; false; \
	elif [ -z "$(MAY)" ]; then echo "you are not root and sudo is not here: have root run 'apt-get install $(1)'; $(2)"; false; \
	else echo "installing $(1)"; { $(SUDO) $(APT) update -qq && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive $(APT) install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $(1) >/dev/null; } \
	  || { echo "apt could not install $(1); $(2)"; false; }; fi
endef

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Evenhand needs Python 3.11 or later: install it, or name it (make PYTHON=python3.12 ...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { $(call debian,python3-venv,nothing can be installed without it); }
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# $(call hashed,demo): the files that hashes/NAME.txt names and no others; ours are built without fetching anything.
define hashed
{ $(BIN)/pip install -q --require-hashes -r hashes/$(1).txt 2>/dev/null \
  && $(BIN)/pip install -q --no-deps --no-build-isolation -e . -e ./pocket; } \
  || { echo "hashes/$(1).txt does not fit this machine: taking the tested versions without hashes"; false; }
endef

$(STAMPS)/install: $(STAMPS)/venv pyproject.toml pocket/pyproject.toml constraints.txt hashes/demo.txt
	@echo "installing Evenhand into $(VENV) (the first time takes a minute or two)"
	@$(call hashed,demo) || $(BIN)/pip install -q $(TESTED) -e '.[$(EXTRAS)]' -e ./pocket \
	  || { echo "the tested versions (constraints.txt) do not fit this machine: taking the newest ones"; \
	       $(BIN)/pip install -q -e '.[$(EXTRAS)]' -e ./pocket; }
	@touch $@

$(STAMPS)/dev: $(STAMPS)/install
	@$(BIN)/pip install -q 'pip>=25.1'
	@$(call hashed,test) || $(BIN)/pip install -q -e '.[mining,embeddings,quality,pool,amazon,google,files]' --group dev $(TESTED)
	@touch $@

$(STAMPS)/docs: $(STAMPS)/dev
	@$(BIN)/pip install -q --group docs $(TESTED)
	@touch $@

# Apertium and its pairs come from apt; without apt the demo says so and audits what it can.
apertium:
	@{ [ -e /usr/share/apertium/modes/eu-en.mode ] && [ -e /usr/share/apertium/modes/eng-spa.mode ]; } \
	  || { $(call debian,apertium apertium-eu-en apertium-eng-spa apertium-apy,what needs Apertium is left out); } || :

# Open dictionaries: the word lists are checked against them; without them those checks are left out.
dictionaries:
	@{ command -v hunspell && [ -e /usr/share/hunspell/hu_HU.dic ] && [ -e /usr/lib/voikko ]; } >/dev/null 2>&1 \
	  || { $(call debian,hunspell hunspell-hu hunspell-tr hunspell-eu hunspell-id libvoikko1 voikko-fi,checks against dictionaries are left out); } || :

# Other people's checkers of localisation files; without them those checks are left out.
gettext:
	@command -v msgfmt >/dev/null 2>&1 || { $(call debian,gettext,checks with msgfmt are left out); } || :

# TMX's DTD is inside Debian's omegat, XLIFF's schemas inside its php-symfony-translation: unpacked, not installed,
# because they would bring Java and PHP along.
define unpacked
	[ -e $(VENV)/$(1) ] || { cd $(STAMPS) && $(APT) download -qq $(1) >/dev/null 2>&1 \
	  && dpkg-deb -x $(1)_*.deb ../$(1) && rm -f $(1)_*.deb; } || echo "apt could not fetch $(1); $(2)"
endef
schemas: $(STAMPS)/venv
	@$(call unpacked,omegat,the check by TMX's DTD is left out)
	@$(call unpacked,php-symfony-translation,the checks by XLIFF's schemas are left out)

browser:
	@{ command -v chromium && command -v chromedriver; } >/dev/null 2>&1 \
	  || { $(call debian,chromium chromium-driver,browser tests are left out); } || :

# The board of this repository from stored outputs (DATA=...), pocket and Apertium; goes on where it was stopped.
DATA   ?= ../shared/data
board: $(STAMPS)/install apertium
	PYTHONPATH=. $(BIN)/python builders/board.py --data $(DATA) --work board-out $(BOARD)

# The figures that docs/board.md quotes, from the numbers that BOARD=--ship wrote.
board-figures: $(STAMPS)/install
	@$(BIN)/python builders/board_figures.py

# A second reading of the board's speech systems, after `make board`; its dictionaries are unpacked, not installed.
board-second: $(STAMPS)/dev apertium
	@$(foreach package,apertium-spa-cat apertium-cat-ita apertium-por-cat,( $(call unpacked,$(package),a language is left out) );)
	@$(BIN)/python builders/second_opinion.py board-out/runs --data $(DATA) --analysers $(VENV) $(SECOND)

lint: $(STAMPS)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(STAMPS)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "docs: site/index.html; with search: python3 -m http.server -d site"

# What a newcomer needs to see green: six minutes on two cores. `make test-all` adds the slow tests and what needs more
# than Python: documentation, Apertium, Chromium, a Ray cluster, Jupyter.
test: lint test-core

test-all: lint docs test-core test-slow test-notebooks test-apertium test-browser test-cluster

test-core: $(STAMPS)/dev dictionaries gettext schemas
	@echo "== core tests"
	$(BIN)/python -m pytest -q -n 2 -m 'not slow and $(PLAIN)' tests pocket/tests benchmarks

test-slow: $(STAMPS)/dev dictionaries gettext schemas
	@echo "== slow tests"
	$(BIN)/python -m pytest -q -n 2 -m 'slow and $(PLAIN)' tests pocket/tests benchmarks

# The notebooks of examples/studies in Jupyter itself; test-slow runs their cells without it.
test-notebooks: $(STAMPS)/dev
	@echo "== notebooks"
	@$(BIN)/pip install -q --group notebooks $(TESTED)
	$(BIN)/python builders/notebooks.py --check

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

# MLflow, Inspect and lm-evaluation-harness are heavy and pin much: in an environment of their own, beside ours.
test-harness: $(STAMPS)/dev
	@echo "== tests with MLflow, Inspect and lm-evaluation-harness"
	@[ -d $(VENV)-harness ] || $(PYTHON) -m venv $(VENV)-harness
	$(VENV)-harness/bin/pip install -q 'pip>=25.1'
	$(VENV)-harness/bin/pip install -q -e '.[report]' -e ./pocket pytest pytest-asyncio hypothesis --group harness
	$(VENV)-harness/bin/python -m pytest -q -m harness tests/report/test_exchange.py tests/test_harnesses.py

# Speed, beside peers, in one run of about ten minutes; tables in docs/benchmarks.md. The peers (spaCy, gensim, WEFE,
# transformers with PyTorch, systran-align) pin much: in an environment of their own, PEERS, made when it is not there.
PEERS := $(VENV)-peers
$(PEERS)/.made: pyproject.toml
	@echo "installing Evenhand and its peers into $(PEERS) (two or three minutes)"
	@[ -d $(PEERS) ] || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/pip install -q 'pip>=25.1'
	@$(PEERS)/bin/pip install -q -e '.[report,languages,serve,mining,pool,quality,spacy]' -e ./pocket --group peers
	@touch $@

bench: $(PEERS)/.made apertium
	PYTHONPATH=.:src:pocket/src $(PEERS)/bin/python benchmarks/bench.py --data $(DATA) $(BENCH)

# The long form of tests/faults: 50 kills, ten minutes of fuzz, an explorer of a million rows (SOAK='--minutes 60'); its
# table goes into docs/threats.md. A quarter of an hour.
soak: $(STAMPS)/dev
	PYTHONPATH=. $(BIN)/python benchmarks/soak.py $(SOAK)

# Red before, green after: each mend of docs/threats.md is taken out of a copy of the tree, and its test must fail.
mends: $(STAMPS)/dev
	PYTHONPATH=. $(BIN)/python benchmarks/mends.py $(MENDS)

scale: $(STAMPS)/dev
	PYTHONPATH=. $(BIN)/python benchmarks/scale.py

validate: $(STAMPS)/dev
	PYTHONPATH=. $(BIN)/python benchmarks/validate/run.py
	PYTHONPATH=. $(BIN)/python benchmarks/validate/reliability.py

# Wheels and source archives of both packages, built twice: equal bytes, or it fails. With a bill of materials.
release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: $(STAMPS)/install
	@rm -rf dist dist-again
	@for place in dist dist-again; do $(BIN)/python builders/packages.py $$place || exit 1; done
	@diff -r dist dist-again && rm -rf dist-again && echo "reproducible: two builds are equal byte for byte"
	@$(BIN)/python builders/sbom.py > dist/evenhand.cdx.json
	@cd dist && sha256sum *.whl *.tar.gz *.json

clean:
	rm -rf $(VENV) demo-out board-out site
