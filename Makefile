# Every target does its own set-up from a bare clone; second runs reuse .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
NATIVE := $(wildcard native/src/* native/CMakeLists.txt)

.DEFAULT_GOAL := help
.PHONY: help demo test lint types layers unit sanitize browser docs setup peers bench-sat bench-minds bench-growth bench-symmetry bench-predict bench-exact bench-fronts bench-limits bench-big bench-certificates format clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "laconic needs Python 3.11 or newer; try: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

# Tools and libraries, at the versions of constraints.txt.
$(VENV)/.deps: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install -q --upgrade -c constraints.txt pip
	$(BIN)/python -m pip install -q -c constraints.txt --group dev
	@touch $@

$(VENV)/.built: $(VENV)/.deps $(NATIVE)
	$(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -e .
	@touch $@

setup: $(VENV)/.built ## make the environment and build the native code

demo: setup ## fit decision sets on iris, breast cancer and wine
	@$(BIN)/python examples/demo.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

# The report is tested in a real browser. Only root may install one here; others are told what is skipped.
browser:
	@for one in $$LACONIC_BROWSER chromium chromium-browser google-chrome google-chrome-stable chrome; do \
		command -v $$one >/dev/null && exit 0; done; \
	[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing chromium for the tests of the report" \
		&& { apt-get install -y chromium || { apt-get update && apt-get install -y chromium; }; } >/dev/null 2>&1 && exit 0; \
	echo "*** NO BROWSER: the report's tests in one will be SKIPPED; install chromium ***"

unit: setup browser
	$(BIN)/python -m pytest -n 2 -m "not slow"

# Warnings are errors; the gallery's scripts run. The page to open: docs/_build/html/index.html
docs: setup ## build the documentation
	$(BIN)/python -m sphinx -W --keep-going -q -a -b html docs docs/_build/html

test: lint types layers unit docs ## lint, type-check, check the layering, run all tests, build the documentation

# Rival packages, each in an environment of its own outside the project: laconic bench peers
peers: setup ## install the rival packages, for comparison
	$(BIN)/laconic bench peers install all

bench-sat: setup ## time opt and sp against MinDS
	$(BIN)/laconic bench peers install minds
	$(BIN)/python benchmarks/sat_vs_minds.py

bench-minds: setup ## time the exact engine against MinDS on the paper's first folds; stop and resume at will
	$(BIN)/laconic bench peers install minds
	$(BIN)/python benchmarks/exact_vs_minds.py
	$(BIN)/python benchmarks/exact_vs_minds.py --summary

bench-growth: setup ## time, gap and memory of the exact engine against rows and columns
	$(BIN)/python benchmarks/growth.py

bench-symmetry: setup ## measure symmetry breaking, cardinality encodings and solvers
	$(BIN)/python benchmarks/symmetry.py

bench-limits: setup ## a 10 s limit on wdbc at 4 bins, every engine
	$(BIN)/python benchmarks/time_limits.py

bench-certificates: setup ## certificates for the paper's training sets, checked and attacked; stop and resume at will
	$(BIN)/python benchmarks/certificates.py
	$(BIN)/python benchmarks/certificates.py --summary

bench-predict: setup ## time prediction on a million rows against scikit-learn's tree
	$(BIN)/python benchmarks/predict_speed.py

bench-exact: setup ## the exact engine on the paper's 1065 training sets; stop and resume at will
	$(BIN)/python benchmarks/exact_suite.py --regularization 0.5
	$(BIN)/python benchmarks/exact_suite.py --regularization 0.5 --every-class
	$(BIN)/python benchmarks/exact_suite.py --regularization 0.05
	$(BIN)/python benchmarks/exact_suite.py --regularization 0.05 --every-class
	$(BIN)/python benchmarks/exact_suite.py --regularization 0.005
	$(BIN)/python benchmarks/exact_suite.py --objective perfect

bench-fronts: setup ## size against errors of the paper's 71 datasets, with proofs; stop and resume at will
	$(BIN)/python benchmarks/fronts.py
	$(BIN)/python benchmarks/fronts.py --summary
	$(BIN)/python benchmarks/fronts.py --gallery

# Needs some 15 GB of disk; BIG_ROWS=1000000 for a quick look.
BIG_ROWS ?= 100000000
bench-big: setup ## a hundred million rows within 4 GiB, and a dask cluster that loses a worker
	$(BIN)/python benchmarks/big_data.py --rows $(BIG_ROWS)
	$(BIN)/python benchmarks/dask_killed_worker.py

# The native code with every access and every sum checked, in a build and an environment of its own. Python itself is
# not instrumented: the sanitizer is loaded first, and leaks (Python's own) are not looked for.
SANITIZE   := build/sanitize
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
sanitize: $(VENV)/.deps ## run the native tests under the address and undefined-behaviour sanitizers
	$(PYTHON) -m venv $(SANITIZE)/venv
	$(SANITIZE)/venv/bin/python -m pip install -q --upgrade -c constraints.txt pip
	$(SANITIZE)/venv/bin/python -m pip install -q -c constraints.txt --group dev
	$(SANITIZE)/venv/bin/python -m pip install -q -c constraints.txt --no-build-isolation \
		-C build-dir=$(SANITIZE)/cmake -C cmake.build-type=RelWithDebInfo -C install.strip=false \
		-C cmake.define.CMAKE_CXX_FLAGS="$(SANITIZERS)" .
	ASAN_OPTIONS=detect_leaks=0 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		$(SANITIZE)/venv/bin/python -m pytest -m "not slow" -p no:cacheprovider --timeout=1800 \
		tests/engines/test_exact_cover_parts.py tests/engines/test_exact_perfect.py tests/engines/test_exact_sparse.py

format: setup ## rewrite the sources in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist docs/_build docs/gallery docs/api/generated .mypy_cache .ruff_cache .pytest_cache .hypothesis
