package specialise_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/specialise"
)

// marked returns the accesses of a program that lines with a comment make, by the comments: the store to something other than a local, or else the
// call, or else the load.
func marked(p *cir.Program, text string) map[string]cir.Instr {
	at := map[string]cir.Instr{}
	for i, line := range strings.Split(text, "\n") {
		_, rest, ok := strings.Cut(line, "/*")
		name, _, end := strings.Cut(rest, "*/")
		for kind := 0; ok && end && kind < 3 && at[name] == nil; kind++ {
			for _, f := range p.Funcs {
				for _, b := range f.Blocks {
					for _, in := range b.Instrs {
						if s := in.Meta().Site; !f.Library && s != nil && s.Pos.Line == i+1 && at[name] == nil && kindOf(in) == kind {
							at[name] = in
						}
					}
				}
			}
		}
	}
	return at
}

// kindOf tells stores (0), calls (1), and loads and whatever else accesses memory (2).
func kindOf(in cir.Instr) int {
	local := func(v cir.Value) bool { _, ok := v.(*cir.Local); return ok }
	switch in := in.(type) {
	case *cir.Store:
		if !local(in.Addr) {
			return 0
		}
	case *cir.Load:
		if !local(in.Addr) {
			return 2
		}
	case *cir.Call:
		return 1
	case *cir.Copy, *cir.Fill, *cir.RMW, *cir.CmpXchg, *cir.VaArg, *cir.Intrinsic:
		return 2
	}
	return 3
}

// read reads a program from text, and returns its file.
func read(t *testing.T, text string) (*cir.Program, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program, file
}

const aboutText = `#include <pthread.h>
#include <string.h>
#include <stdlib.h>
int x, y, z; char s[8]; int *heap;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void set(int *p) {
	*p = 1; /*in set*/
}
void *f(void *arg) {
	pthread_mutex_lock(&m);
	x = 1; /*A*/
	pthread_mutex_unlock(&m);
	y = 1; /*B*/
	set(&z); /*call of set*/
	memset(s, 1, 4); /*memset*/
	*heap = 1; /*heap*/
	return 0;
}
void *g(void *arg) {
	pthread_mutex_lock(&m);
	x = 2; /*C*/
	pthread_mutex_unlock(&m);
	int a = x; /*D*/
	pthread_mutex_lock(&m);
	y = 2; /*E*/
	pthread_mutex_unlock(&m);
	z = 2; /*F*/
	s[4] = 1; /*behind*/
	s[3] = 1; /*inside*/
	return 0;
}
int main(void) {
	pthread_t t, u, v;
	x = 0; /*first*/
	heap = malloc(4);
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, f, 0);
	y = 3; /*while*/
	pthread_join(t, 0);
	pthread_join(u, 0);
	y = 4; /*between*/
	pthread_create(&v, 0, f, 0);
	pthread_create(&u, 0, g, 0);
	free(heap); /*free*/
	pthread_join(u, 0);
	pthread_join(v, 0);
	y = 5; /*last*/
	return 0;
}
`

// TestAbout asks about pairs of accesses of one program.
func TestAbout(t *testing.T) {
	p, file := read(t, aboutText)
	at := marked(p, aboutText)
	for _, c := range []struct{ pairs, want string }{
		{"A|C", "SAFE"},
		{"A|A", "SAFE"},
		{"A|D", "UNSAFE"},
		{"D|A", "UNSAFE"},
		{"C|D", "SAFE"}, // of one thread
		{"D|D", "SAFE"}, // reads
		{"B|B", "UNSAFE"},
		{"B|E", "UNSAFE"},
		{"E|E", "SAFE"}, // one thread
		{"E|B", "UNSAFE"},
		{"first|A", "SAFE"},
		{"while|B", "UNSAFE"},
		{"between|B", "SAFE"}, // while B races with itself
		{"last|B", "SAFE"},
		{"last|B,first|A,A|C", "SAFE"},
		{"last|B,first|A,A|C,A|D", "UNSAFE"},
		{"in set|F", "UNSAFE"},
		{"call of set|F", "UNSAFE"},
		{"call of set|E", "SAFE"},
		{"memset|inside", "UNSAFE"},
		{"memset|behind", "SAFE"},
		{"memset|memset", "UNSAFE"},
		{"free|heap", "UNSAFE"},
		{"heap|heap", "UNSAFE"},
		{"free|free", "SAFE"},
	} {
		var pairs [][2]cir.Instr
		for q := range strings.SplitSeq(c.pairs, ",") {
			a, b, _ := strings.Cut(q, "|")
			if at[a] == nil || at[b] == nil {
				t.Fatal("no access:", q)
			}
			pairs = append(pairs, [2]cir.Instr{at[a], at[b]})
		}
		about, err := specialise.About(p, pairs)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := decide(file, true, specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}, About: about}); got != c.want {
			t.Errorf("%s: %s instead of %s", c.pairs, got, c.want)
		}
	}
}

// TestAboutNothing has names of places that are none: there is no answer.
func TestAboutNothing(t *testing.T) {
	text := "#include <pthread.h>\nint x;\nvoid *f(void *p) {\n\tx = x + 1; /*A*/\n\treturn 0;\n}\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); return 0; }\n"
	p, file := read(t, text)
	a := marked(p, text)["A"]
	right, err := specialise.About(p, [][2]cir.Instr{{a, a}})
	if err != nil {
		t.Fatal(err)
	}
	race := specialise.Checks{NoAssert: true, Race: true}
	if got, _ := decide(file, true, specialise.Options{Check: race, About: right}); got != "UNSAFE" {
		t.Errorf("%s: %s", right, got)
	}
	one, _, _ := strings.Cut(right, "\t")
	for _, about := range []string{"x", one, right + "\n", strings.ReplaceAll(right, "f ", "g "), strings.ReplaceAll(right, ":4:", ":5:"), "main 0 p.c:7:16\t" + one} {
		if got, _ := decide(file, true, specialise.Options{Check: race, About: about}); got == "SAFE" || got == "UNSAFE" {
			t.Errorf("%q: %s", about, got)
		}
	}
	if got, _ := decide(file, true, specialise.Options{About: right}); got == "SAFE" {
		t.Error("assertions: SAFE")
	}
	other, _ := read(t, text)
	if _, err := specialise.About(other, [][2]cir.Instr{{a, a}}); err == nil {
		t.Error("the access of another program has a name")
	}
}

// TestAboutEverything asks about all pairs of accesses of the program's own code: that is the question about races.
func TestAboutEverything(t *testing.T) {
	i := 0
	programs(t, "race", func(t *testing.T, file string) {
		if i++; testing.Short() && i%24 != 0 || i%2 != 0 || unsettled[filepath.Base(file)] || filepath.Base(file) == "argument_loop_unsafe.c" { // too many states
			return
		}
		p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
		if err != nil {
			t.Fatal(err)
		}
		var all []cir.Instr
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					_, load := in.(*cir.Load)
					_, store := in.(*cir.Store)
					if !f.Library && (load || store || kindOf(in) < 3) {
						all = append(all, in)
					}
				}
			}
		}
		var pairs [][2]cir.Instr
		for i, a := range all {
			for _, b := range all[i:] {
				pairs = append(pairs, [2]cir.Instr{a, b})
			}
		}
		about, err := specialise.About(p.Program, pairs)
		if err != nil {
			t.Fatal(err)
		}
		want, checks := expectation(t, file)
		if got, _ := decide(file, true, specialise.Options{Check: checks, About: about}); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	})
}
