package randprog

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/internal/long"
)

var variants = []struct {
	name string
	opts Options
}{
	{"basic", Options{}},
	{"all", Options{Features: All}},
	{"full", Options{Features: Full}},
	{"more", Options{Features: More | Basic}},
	{"three workers", Options{Threads: 3, MaxStatements: 3}},
	{"servers", Options{Threads: 1, Features: Servers}},
}

func TestSameSeedSameProgram(t *testing.T) {
	for _, v := range variants {
		distinct := map[string]bool{}
		for seed := range uint64(100) {
			src := Generate(seed, v.opts)
			if src != Generate(seed, v.opts) {
				t.Errorf("%s: seed %d gives two programs", v.name, seed)
			}
			distinct[strings.SplitN(src, "\n", 2)[1]] = true
		}
		if len(distinct) < 95 {
			t.Errorf("%s: 100 seeds give %d programs only", v.name, len(distinct))
		}
	}
}

// TestGeneratedText checks what holds for every program.
func TestGeneratedText(t *testing.T) {
	for _, v := range variants {
		for seed := range uint64(300) {
			src := Generate(seed, v.opts)
			switch {
			case !strings.Contains(src, "assert("):
				t.Errorf("%s: seed %d has no assertion", v.name, seed)
			case strings.Count(src, "_lock(&m)") != strings.Count(src, "_unlock(&m)"):
				t.Errorf("%s: seed %d locks m more or less often than it unlocks it", v.name, seed)
			case strings.Count(src, "atomic_begin();") != strings.Count(src, "atomic_end();"):
				t.Errorf("%s: seed %d has an open atomic section", v.name, seed)
			case v.opts.Threads != 0 && strings.Count(src, "pthread_create") != v.opts.Threads:
				t.Errorf("%s: seed %d does not create %d threads", v.name, seed, v.opts.Threads)
			}
			if t.Failed() {
				t.Fatal(src)
			}
		}
	}
}

// TestFeaturesAreUsed checks that each feature turns up when it is asked for and
// only then.
func TestFeaturesAreUsed(t *testing.T) {
	tests := []struct {
		feature Feature
		text    string
	}{
		{Locks, "pthread_mutex_lock"},
		{Atomics, "__VERIFIER_atomic_begin"},
		{Inputs, "__VERIFIER_nondet_bool"},
		{Awaits, ")\n        ;"},
		{Loops, "for ("},
		{Assumes, "__VERIFIER_assume"},
		{Servers, "while (1)"},
		{Wraps, "unsigned char"},
		{Arrays, "v[2]"},
		{Calls, "helper("},
		{Builtins, "__sync_"},
		{Pointers, "int *p"},
		{Indexes, "w["},
		{Conditions, "pthread_cond_wait"},
		{Stdatomic, "atomic_int"},
		{Semaphores, "sem_wait"},
		{Jumps, "break;"},
		{Crowds, "worker4"},
		{Retargets, "    p = &"},
		{Barriers, "pthread_barrier_wait"},
		{ReadWrites, "wrlock(&rw)"},
		{Onces, "pthread_once("},
		{Tries, "pthread_mutex_trylock(&tm)"},
		{MutexKinds, "pthread_mutexattr_settype"},
		{Spawners, "pthread_create(&id"},
		{ThreadLocals, "_Thread_local"},
		{ThreadKeys, "pthread_setspecific"},
		{Copies, "struct pair s1"},
		{MemoryBlocks, "mem"},
		{Strings, "strcpy"},
		{Recursions, "down(n - 1)"},
		{Switches, "switch ("},
		{Arithmetic, "unsigned short"},
		{Choices, "pa[ph]"},
		{Lists, "top = n;"},
		{Handovers, "slot = n;"},
		{FunctionTables, "table[fi]"},
		{Cells, "&l->lock"},
	}
	for _, tt := range tests {
		all, with, without := All, 0, 0
		switch {
		case tt.feature&More != 0:
			all = More | Basic
		case tt.feature&All == 0:
			all = Full &^ More
		}
		for seed := range uint64(200) {
			if strings.Contains(Generate(seed, Options{Features: all}), tt.text) {
				with++
			}
			if strings.Contains(Generate(seed, Options{Features: all &^ tt.feature}), tt.text) {
				without++
			}
		}
		if with < 8 || without > 0 {
			t.Errorf("%q: in %d of 200 programs with the feature, in %d without", tt.text, with, without)
		}
	}
}

// TestCompiles gives some programs to the host's C compiler, which cgo needs too.
func TestCompiles(t *testing.T) {
	gcc, err := exec.LookPath("cc")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{"-std=gnu11", "-fsyntax-only", "-Wall", "-Werror", "-Wno-parentheses", "-Wno-unused", "-Wno-int-in-bool-context"}
	for i, v := range variants {
		for seed := range uint64(long.N(20, 3)) {
			name := filepath.Join(dir, string(rune('a'+i))+string(rune('a'+seed))+".c")
			if err := os.WriteFile(name, []byte(Generate(seed, v.opts)), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, name)
		}
	}
	if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSequential checks that the results, and nothing else, differ between the two
// forms of a sequential program.
func TestSequential(t *testing.T) {
	values := make([]string, len(sequentialResults))
	for i := range values {
		values[i] = "-9223372036854775808"
	}
	for seed := range uint64(50) {
		p, q := NewSequential(seed, Heap|Targets), NewSequential(seed, Heap|Targets)
		if p.Printing() != q.Printing() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		if src := p.Asserting(values); strings.Count(src, "assert(") != len(values) || strings.Count(p.Printing(), "printf(") != len(values) {
			t.Fatalf("seed %d has not one assertion for each result\n%s", seed, src)
		}
	}
}
