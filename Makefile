# comus: what one does with it. `make run` and `make test` need nothing but Go and
# install the rest (Debian and its relatives).

GO          ?= go
BIN         := bin/comus
PREFIX      ?= /usr/local
FUZZTIME    ?= 30s
PROGRAMS    ?= 2000
SEQUENTIAL  ?= 500
SEED        ?= 1000000
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

export CGO_ENABLED := 1

.PHONY: all deps testdeps build run test quick race vet lint fuzz bench install clean

all: build

# A C compiler, and the headers of libz3; what is missing is installed.
deps:
	@command -v $(GO) >/dev/null || { echo "Go is missing: see https://go.dev/doc/install"; exit 1; }
	@missing=""; \
	cc="$$($(GO) env CC)"; \
	if ! command -v "$$cc" >/dev/null; then \
		missing="gcc libc6-dev"; echo "missing: a C compiler ($$cc), which Go needs to call libz3"; \
	elif ! printf '#include <stdlib.h>\n' | "$$cc" -E - >/dev/null 2>&1; then \
		missing="libc6-dev"; echo "missing: the headers of the C library"; \
	fi; \
	if [ -z "$$missing" ]; then \
		printf '#include <z3.h>\nint main(void) { Z3_get_full_version(); return 0; }\n' | \
			"$$cc" -x c - -o /dev/null $$CGO_CFLAGS $$CGO_LDFLAGS -lz3 2>/dev/null || missing="libz3-dev"; \
	else \
		missing="$$missing libz3-dev"; \
	fi; \
	case "$$missing" in *libz3-dev) echo "missing: libz3, the solver comus calls";; esac; \
	[ -n "$$missing" ] || exit 0; \
	if ! command -v apt-get >/dev/null; then \
		echo "There is no apt-get to install them with. Please install by hand: a C compiler, and Z3 4.8.12 or newer with its headers."; exit 1; \
	fi; \
	sudo=""; \
	if [ "$$(id -u)" != 0 ]; then \
		command -v sudo >/dev/null || { echo "Please install as root: apt-get install $$missing"; exit 1; }; sudo=sudo; \
	fi; \
	echo "installing with apt-get: $$missing"; \
	$$sudo apt-get update -q >/dev/null || true; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null

# What tests need beside it: bear, which captures how make compiles a program.
testdeps: deps
	@command -v bear >/dev/null || { \
		echo "missing: bear, for a test"; \
		sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -q >/dev/null || true; \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends bear >/dev/null; }

build: deps
	$(GO) build -o $(BIN) ./cmd/comus

# Verifies Peterson's algorithm and checks the certificate in a process of its own.
run: build
	$(BIN) --strategy modular --certificate bin/peterson.json examples/peterson.c
	$(BIN) check examples/peterson.c bin/peterson.json

test: testdeps vet race quick

# The tests alone; comus's own with -v, to show how many random programs were decided.
quick: testdeps
	$(GO) test $$($(GO) list ./... | grep -v '^comus/comus$$')
	$(GO) test -timeout 20m -v ./comus

# The packages with concurrency under the race detector, as far as that is quick.
race: deps
	$(GO) test -race -short ./z3
	$(GO) test -race -short -run '^TestPeterson' ./query
	$(GO) test -race -short -run '^TestAgainstExplorer' ./comus -comus.programs=20
	$(GO) test -race -run '^Test(Watchdog|Crash|Memory|Progress)$$' ./cmd/comus

vet: deps
	@bad="$$(gofmt -l .)"; [ -z "$$bad" ] || { echo "gofmt is needed for:"; echo "$$bad"; exit 1; }
	$(GO) vet ./...

lint: vet
	$(GO) run $(STATICCHECK) ./...

# PROGRAMS random programs from SEED on against the explorer: each in the default
# configuration and one more in turn; what each decided is printed at the end. What
# somebody is wrong about is made small and stored in comus/testdata/fuzz, which `make
# test` verifies from then on. Then the C that backends are given, of 500 programs in all
# combinations of switches, to the compilers, SEQUENTIAL programs against gcc, and each fuzz
# target for FUZZTIME.
fuzz: deps
	$(GO) test ./comus -run TestAgainstExplorer -v -timeout 0 -comus.all -comus.programs=$(PROGRAMS) -comus.seed=$(SEED)
	$(GO) test ./comus -run 'TestPrinted$$' -v -timeout 0 -comus.printed=500 -comus.printedruns=16 -comus.printedmost=40 -comus.seed=$(SEED)
	COMUS_WITNESS_ALL=1 $(GO) test ./comus -run 'Test(WitnessesOfSuites|MutatedWitnesses)$$' -v -timeout 0
	COMUS_RANDOM=$(SEQUENTIAL) COMUS_SEED=$(SEED) $(GO) test ./cfront/build -run 'TestRandom$$' -v -timeout 0
	@for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s $$pkg || exit 1; \
		done; \
	done

bench: deps
	$(GO) test -run '^$$' -bench . -benchmem ./...

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/comus

clean:
	rm -rf bin
