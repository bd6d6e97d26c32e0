package comus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/comus"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/scan"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// sourceOf reads a program from text, with our own headers.
func sourceOf(t *testing.T, text string) (source *comus.Source, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := comus.Open(context.Background(), comus.File(file), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return source, file
}

// accessesOf returns what may access memory in the program's own code.
func accessesOf(p *cir.Program) (list []*scan.Access) {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				a := &scan.Access{Instr: in, Func: f, Site: in.Meta().Site, Write: true}
				switch in.(type) {
				case *cir.Load:
					a.Write = false
				case *cir.Store, *cir.Call, *cir.Copy, *cir.Fill, *cir.RMW, *cir.CmpXchg:
				default:
					continue
				}
				if !f.Library && a.Site != nil {
					list = append(list, a)
				}
			}
		}
	}
	return list
}

// accessAt returns the access of the line with a comment: the last one that writes, or the last one.
func accessAt(t *testing.T, p *cir.Program, text, comment string) *scan.Access {
	t.Helper()
	var out *scan.Access
	for i, line := range strings.Split(text, "\n") {
		for _, a := range accessesOf(p) {
			if strings.Contains(line, "/*"+comment+"*/") && a.Site.Pos.Line == i+1 && (out == nil || a.Write || !out.Write) {
				out = a
			}
		}
	}
	if out == nil {
		t.Fatal("no access:", comment)
	}
	return out
}

// noRuns leaves suspects to the engines.
var noRuns = directed.Options{Random: -1, Directed: -1}

const suspectsHead = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void); extern int mystery(void);
int x, y, turn; atomic_int flag; int *heap;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void locked(int *p, int v) { pthread_mutex_lock(&m); *p = v; pthread_mutex_unlock(&m); }
int get(int *p) { pthread_mutex_lock(&m); int v = *p; pthread_mutex_unlock(&m); return v; }
`

// TestSuspects decides pairs of accesses, with the engines alone, and with runs before.
func TestSuspects(t *testing.T) {
	for _, c := range []struct{ name, f, main, want string }{
		{"a lock", "pthread_mutex_lock(&m);\nx = 1; /*A*/\npthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", "impossible"},
		{"two locks", "pthread_mutex_lock(&m);\nx = 1; /*A*/\npthread_mutex_unlock(&m);", "pthread_mutex_lock(&n);\nx = 2; /*B*/\npthread_mutex_unlock(&n);", "confirmed"},
		{"no lock", "x = 1; /*A*/", "x = 2; /*B*/", "confirmed"},
		{"a race elsewhere", "y = 1;\npthread_mutex_lock(&m);\nx = 1; /*A*/\npthread_mutex_unlock(&m);", "y = 2;\npthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", "impossible"},
		{"the other access of the same line", "x = 1; /*A*/", "int z = y; /*B*/\nx = 2;", "impossible"},
		{"a flag", "x = 1; /*A*/\nflag = 1;", "if (flag == 1)\nx = 2; /*B*/", "impossible"},
		{"a flag that is set too early", "flag = 1;\nx = 1; /*A*/", "if (flag == 1)\nx = 2; /*B*/", "confirmed"},
		{"turns", "while (get(&turn) != 1) ;\nx = 1; /*A*/\nlocked(&turn, 2);", "x = 3;\nlocked(&turn, 1);\nwhile (get(&turn) != 2) ;\nx = 2; /*B*/", "impossible"},
		{"turns, one too early", "while (get(&turn) != 1) ;\nx = 1; /*A*/\nlocked(&turn, 2);", "x = 3;\nlocked(&turn, 1);\nx = 2; /*B*/", "confirmed"},
		{"an input", "if (__VERIFIER_nondet_int() == 7)\nx = 1; /*A*/", "x = 2; /*B*/", "confirmed"},
		{"inputs that exclude one another", "if (turn == 7)\nx = 1; /*A*/", "if (turn != 7)\nx = 2; /*B*/", "impossible"},
		{"a function of the library", "memset(&x, 0, 4); /*A*/", "x = 2; /*B*/", "confirmed"},
		{"one of the library, for something else", "memset(&y, 0, 4); /*A*/", "x = 2; /*B*/", "impossible"},
		{"joined", "x = 1; /*A*/", "pthread_join(t, 0);\nx = 2; /*B*/\nreturn 0;", "impossible"},
		{"free", "*heap = 1; /*A*/", "free(heap); /*B*/", "confirmed"},
		{"free, joined", "*heap = 1; /*A*/", "pthread_join(t, 0);\nfree(heap); /*B*/\nreturn 0;", "impossible"},
		{"depends on a function that is not known", "if (mystery() == 5)\nx = 1; /*A*/", "x = 2; /*B*/", "open"},
		{"does not depend on it, but on what it may do", "mystery();\nx = 1; /*A*/", "mystery();\nx = 2; /*B*/", "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 8)
			text := suspectsHead + "void *f(void *arg) {\n" + c.f + "\nreturn 0; }\nint main(void) {\npthread_t t; turn = __VERIFIER_nondet_int() * 0; heap = malloc(4);\npthread_create(&t, 0, f, 0);\n" +
				c.main + "\npthread_join(t, 0);\nreturn 0; }\n"
			if strings.HasPrefix(c.name, "inputs") {
				text = strings.Replace(text, " * 0", "", 1)
			}
			s, file := sourceOf(t, text)
			a, b := accessAt(t, s.Program(), text, "A"), accessAt(t, s.Program(), text, "B")
			for _, x := range []struct {
				suspect scan.Suspect
				runs    directed.Options
			}{{scan.Suspect{A: a, B: b}, noRuns}, {scan.Suspect{A: b, B: a}, directed.Options{}}} {
				if c.want == "impossible" && x.runs.Random >= 0 { // runs change nothing
					continue
				}
				out, err := s.Decide(context.Background(), []*scan.Suspect{&x.suspect}, comus.DecideOptions{Runs: x.runs})
				if err != nil {
					t.Fatal(err)
				}
				if got := out[0].Status.String(); got != c.want {
					t.Errorf("%s instead of %s", &out[0], c.want)
				}
				recheck(t, s, file, &out[0])
			}
		})
	}
}

// recheck confirms the evidence of a decision once more: the certificate, from the file, with the question that it names; the execution.
func recheck(t *testing.T, s *comus.Source, file string, d *comus.Obligation) {
	t.Helper()
	if ex := d.Execution; ex != nil {
		res, on, err := directed.Replay(context.Background(), s.Program(), ex, func(r *interp.Race) bool { return directed.Shows(d.Suspect, r) })
		if err != nil || res.Outcome != interp.Raced || len(on) > 0 {
			t.Errorf("the execution does not show it again: %v %v %v", res, on, err)
		}
		return
	}
	if d.Status == comus.ObligationOpen || d.Result.Certificate == nil {
		return
	}
	cert := *d.Result.Certificate
	if cert.Program.About == "" {
		t.Error("the certificate does not say what was asked about")
	}
	res, err := comus.CheckUnits(context.Background(), comus.File(file), cfront.Options{}, &cert)
	if err != nil || res.About() != cert.Program.About {
		t.Fatalf("the certificate is not confirmed: %v %v", res, err)
	}
	proved := res.Verdict == seqmc.Unknown && strings.HasPrefix(res.Reason, "nothing is proved but") // which is no proof of the program
	if d.Result.Verdict == seqmc.Safe && !proved || d.Result.Verdict == seqmc.Unsafe && res.Verdict != seqmc.Unsafe {
		t.Errorf("%v comes of a certificate of %v: %s", res.Verdict, d.Result.Verdict, res.Reason)
	}
	cert.Program.About = strings.ReplaceAll(cert.Program.About, "main ", "main 1")
	if _, err := comus.CheckUnits(context.Background(), comus.File(file), cfront.Options{}, &cert); err == nil {
		t.Error("a certificate is confirmed that asks about nothing")
	}
}

// TestHostileAbout has a certificate about a harmless pair of places of a program that has a race elsewhere: it is no proof of the program.
func TestHostileAbout(t *testing.T) {
	text := suspectsHead + `void *f(void *arg) {
y = 1;
pthread_mutex_lock(&m);
x = 1; /*A*/
pthread_mutex_unlock(&m);
return 0; }
int main(void) {
pthread_t t;
pthread_create(&t, 0, f, 0);
y = 2;
pthread_mutex_lock(&m);
x = 2; /*B*/
pthread_mutex_unlock(&m);
pthread_join(t, 0);
return 0; }
`
	s, file := sourceOf(t, text)
	pair := [2]cir.Instr{accessAt(t, s.Program(), text, "A").Instr, accessAt(t, s.Program(), text, "B").Instr}
	about, err := specialise.About(s.Program(), [][2]cir.Instr{pair})
	if err != nil {
		t.Fatal(err)
	}
	ask := comus.Options{Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}, About: about}}
	res, err := s.Verify(context.Background(), ask)
	if err != nil || res.Verdict != seqmc.Safe || res.Certificate == nil {
		t.Fatalf("the pair is not proved: %v %v", res, err)
	}
	again, err := comus.CheckUnits(context.Background(), comus.File(file), cfront.Options{}, res.Certificate)
	if err != nil || again.Verdict != seqmc.Unknown || !strings.Contains(again.Reason, "nothing is proved but") || again.Certificate != nil {
		t.Errorf("a certificate about one pair is one of the program: %v %v", again, err)
	}
	whole := *res.Certificate
	whole.Program.About = ""
	if again, err := comus.CheckUnits(context.Background(), comus.File(file), cfront.Options{}, &whole); err == nil && again.Verdict == seqmc.Safe {
		t.Error("the proof about one pair is taken for one of the program")
	}
}

// TestSuspectsRandom asks about races that runs of random programs show: none of them is impossible.
func TestSuspectsRandom(t *testing.T) {
	n, asked := uint64(6), 0
	if testing.Short() {
		n = 4
	}
	tally := map[string]int{}
	for seed := range n {
		s, file := sourceOf(t, randprog.Synchronised(seed))
		r, err := sample.Run(context.Background(), s.Program(), sample.Options{Runs: 60, Races: true})
		if err != nil {
			t.Fatal(err)
		}
		all := accessesOf(s.Program())
		var suspects []*scan.Suspect
		for i, a := range all {
			for _, b := range all[i:] {
				x := &scan.Suspect{A: a, B: b}
				for k := range r.Races {
					if directed.Shows(x, &r.Races[k].What) && len(suspects) < 4 {
						suspects = append(suspects, x)
						break
					}
				}
			}
		}
		out, err := s.Decide(context.Background(), suspects, comus.DecideOptions{Runs: noRuns, Each: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			asked++
			tally[out[i].Status.String()]++
			if out[i].Status == comus.ObligationProved {
				t.Errorf("%s (seed %d): %s, but a run shows it: %v", file, seed, &out[i], fmt.Sprint(suspects[i].A.Site.Pos, suspects[i].B.Site.Pos))
			}
		}
	}
	t.Log(asked, tally)
}

// TestSuspectsBeside decides suspects beside one another as one after the other.
func TestSuspectsBeside(t *testing.T) {
	text := suspectsHead + `void *f(void *arg) {
while (get(&turn) != 1) ;
x = 1; /*A*/
y = 1; /*C*/
pthread_mutex_lock(&m);
heap[0] = 1; /*E*/
pthread_mutex_unlock(&m);
return 0; }
int main(void) {
pthread_t t; heap = malloc(4);
pthread_create(&t, 0, f, 0);
x = 2; /*B*/
locked(&turn, 1);
y = 2; /*D*/
pthread_mutex_lock(&n);
heap[0] = 2; /*F*/
pthread_mutex_unlock(&n);
pthread_join(t, 0);
return 0; }
`
	s, _ := sourceOf(t, text)
	var list []*scan.Suspect
	for _, q := range []string{"AB", "CD", "EF", "AD", "CB", "AF"} {
		list = append(list, &scan.Suspect{A: accessAt(t, s.Program(), text, q[:1]), B: accessAt(t, s.Program(), text, q[1:])})
	}
	want := []string{"impossible", "confirmed", "confirmed", "impossible", "impossible", "impossible"}
	for _, jobs := range []int{1, 4} {
		told := map[*scan.Suspect]bool{}
		out, err := s.Decide(t.Context(), list, comus.DecideOptions{Runs: noRuns, Jobs: jobs, Decided: func(d *comus.Obligation) { told[d.Suspect] = true }})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			if out[i].Status.String() != want[i] || out[i].Suspect != list[i] || !told[list[i]] {
				t.Errorf("%d jobs, suspect %d: %s instead of %s", jobs, i, &out[i], want[i])
			}
		}
	}
}
