package sample_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/long"
)

// load reads a program's text.
func load(t testing.TB, text string, opts cfront.Options) *cfront.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// source is the program with an empty SETUP if it has none of its own.
func source(p *program) string {
	s := p.text()
	if !strings.Contains(p.globals, "SETUP") {
		s = "#define SETUP ((void)0)\n" + s
	}
	return s
}

// TestRaces samples programs, of which all with a race show it, and no other.
func TestRaces(t *testing.T) {
	for i := range programs {
		p := &programs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := load(t, source(p), cfront.Options{})
			r, err := sample.Run(context.Background(), prog.Program, sample.Options{Races: true, MaxSteps: 20000})
			if err != nil {
				t.Fatal(err)
			}
			if p.race != (len(r.Races) > 0) {
				t.Errorf("%d races in %d runs: %+v", len(r.Races), r.Runs, r.Outcomes)
				for _, x := range r.Races {
					t.Logf("seed %d: %s+%d: %+v %+v", x.Seed, x.What.Object, x.What.Offset, x.What.First, x.What.Second)
				}
			}
			for o, n := range r.Outcomes {
				if o != interp.Exited && o != interp.Limit && o != interp.Assumed && !p.race {
					t.Errorf("%d times %s: %v", n, o, r.Failures)
				}
			}
		})
	}
}

// TestOwnModel has a lock in a model of the user's own: its atomic sections are taken for seq_cst accesses of what they access.
func TestOwnModel(t *testing.T) {
	const user = `#include <pthread.h>
		typedef struct { int free; } own; void own_take(own *), own_give(own *); own l = {1}, k = {1}; int x;
		void *f(void *p) { own_take(&l); x++; own_give(&l); return 0; }
		void *g(void *p) { own_take(&LOCK); x++; own_give(&LOCK); return 0; }
		int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
		pthread_join(a, 0); pthread_join(b, 0); return 0; }`
	model := filepath.Join(t.TempDir(), "model.c")
	if err := os.WriteFile(model, []byte(`void __comus_atomic_begin(void), __comus_atomic_end(void), __comus_await(int);
		typedef struct { int free; } own;
		void own_take(own *o) { __comus_atomic_begin(); __comus_await(o->free); o->free = 0; __comus_atomic_end(); }
		void own_give(own *o) { __comus_atomic_begin(); o->free = 1; __comus_atomic_end(); }`), 0o666); err != nil {
		t.Fatal(err)
	}
	for lock, want := range map[string]bool{"l": false, "k": true} {
		p := load(t, strings.ReplaceAll(user, "LOCK", lock), cfront.Options{Models: []string{model}})
		r, err := sample.Run(context.Background(), p.Program, sample.Options{Races: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Races) > 0 != want || r.Outcomes[interp.Exited] != r.Runs {
			t.Errorf("lock %s: %+v, %v", lock, r.Races, r.Outcomes)
		}
	}
}

// TestAtomicSections has sections of __VERIFIER_atomic_begin, which are ordered and whose accesses are atomic.
func TestAtomicSections(t *testing.T) {
	const text = `#include <pthread.h>
		void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); int x, y;
		void __VERIFIER_atomic_add(int *p) { (*p)++; }
		void *f(void *p) { y = 1; __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
		void *g(void *p) { OTHER return 0; }
		int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
		pthread_join(a, 0); pthread_join(b, 0); return 0; }`
	for other, want := range map[string]bool{
		"__VERIFIER_atomic_add(&x);": false, "x++;": true, "int z; __VERIFIER_atomic_begin(); z = x; __VERIFIER_atomic_end(); if (z) y = 2;": false,
		"int z = x;": true, "y = 2;": true,
	} {
		p := load(t, strings.ReplaceAll(text, "OTHER", other), cfront.Options{})
		r, err := sample.Run(context.Background(), p.Program, sample.Options{Races: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Races) > 0 != want || r.Outcomes[interp.Exited] != r.Runs {
			t.Errorf("%s: %+v, %v", other, r.Races, r.Outcomes)
		}
	}
}

// TestReport checks what is told of a race: places, what the library was called for, calls, the object.
func TestReport(t *testing.T) {
	p := load(t, includes+`struct { int a; char s[20]; } v;
void *f(void *p) { strcpy(v.s, "x"); return 0; }
void set(int i) {
  v.s[i] = 'y';
}
void deeper(void) { set(1); }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); deeper(); pthread_join(t, 0); return 0; }`, cfront.Options{})
	r, err := sample.Run(context.Background(), p.Program, sample.Options{Races: true})
	if err != nil || len(r.Races) != 1 {
		t.Fatal(err, r)
	}
	x := r.Races[0].What
	a, b := x.First, x.Second
	if a.Thread != 0 {
		a, b = b, a
	}
	if x.Object != "v" || x.Offset != 5 || !a.Write || !b.Write || a.Site.Pos.Line != 9 || b.Site.Pos.Line != 7 || a.Via != "" || b.Via != "strcpy" ||
		b.Func != "f" || len(b.Stack) != 1 || len(a.Stack) != 3 || a.Stack[0].Func != "set" || a.Stack[1].Func != "deeper" || a.Stack[2].Func != "main" {
		t.Errorf("%+v %+v %+v", x, a, b)
	}
	res, err := interp.Run(context.Background(), p.Program, interp.Options{StopAtRace: true, Scheduler: interp.NewRandom(r.Races[0].Seed, 1)})
	if err != nil || len(res.Races) != 1 || res.Outcome != interp.Raced {
		t.Error(err, res)
	}
}

// TestSanitizer compares with ThreadSanitizer, which sees races in runs of the real program.
func TestSanitizer(t *testing.T) {
	long.Only(t)
	dir := t.TempDir()
	build := func(name, text string) (string, error) {
		src, exe := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
		if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("gcc", "-w", "-O0", "-g", "-fsanitize=thread", src, "-o", exe, "-lpthread", "-latomic").CombinedOutput()
		if err != nil {
			t.Log(string(out))
		}
		return exe, err
	}
	exe, err := build("empty", "int main(void) { return 0; }")
	if err != nil || exec.Command(exe).Run() != nil {
		t.Skip("no ThreadSanitizer here")
	}
	for i := range programs {
		p := &programs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			exe, err := build(strings.ReplaceAll(p.name, " ", "_"), source(p))
			if err != nil {
				t.Fatal(err)
			}
			seen, runs := false, 20
			if p.race && p.notTSan == "" { // it is seen sooner or later, on a busy machine later
				runs = 300
			}
			for range runs {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				out, _ := exec.CommandContext(ctx, exe).CombinedOutput()
				cancel()
				if seen = strings.Contains(string(out), "ThreadSanitizer: data race"); seen {
					break
				}
			}
			switch {
			case p.notTSan != "":
				if seen == p.race {
					t.Logf("agrees although: %s", p.notTSan)
				}
			case seen && !p.race:
				t.Error("ThreadSanitizer sees a race")
			case !seen && p.race:
				t.Errorf("ThreadSanitizer sees no race in %d runs", runs)
			}
		})
	}
}
