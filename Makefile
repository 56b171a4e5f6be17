# make demo   from a bare Debian 12 to a certified classifier, at most ten minutes
# make test   the same set-up and a browser, then all tests, the style of the sources among them
# make fuzz   installs clang and lets libFuzzer work on every target of fuzz/, SECONDS (60) each
# make faults as make test, but of tests/faults everything: every fault at every call (about an hour)
# make sanitize  builds everything with AddressSanitizer, then with ThreadSanitizer, and runs all tests
# make build, make bench, make lint, make clean

BUILD ?= build
PROGRAM = $(BUILD)/textcrs
JOBS ?= $(shell nproc)
SECONDS ?= 60

.PHONY: build demo test bench lint fuzz faults sanitize setup clean

build: setup
	cmake --preset release -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) --target textcrs_program -j $(JOBS)

demo: build
	scripts/demo $(PROGRAM)

test: build
	scripts/install-packages chromium
	tests/browser/install-modules $(BUILD)/browser
	cmake --build $(BUILD) -j $(JOBS)
	ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

bench: build
	cmake --build $(BUILD) --target textcrs_bench -j $(JOBS)
	$(BUILD)/bench/textcrs_bench

lint: setup
	scripts/lint $(BUILD)

fuzz:
	scripts/install-packages clang libclang-rt-dev llvm
	JOBS=$(JOBS) scripts/fuzz $(SECONDS)

faults: build
	cmake --build $(BUILD) --target faults_test -j $(JOBS)
	JOBS=$(JOBS) scripts/faults $(BUILD)

sanitize: setup
	JOBS=$(JOBS) scripts/sanitize address thread

setup:
	scripts/install-packages

clean:
	rm -rf $(BUILD)
