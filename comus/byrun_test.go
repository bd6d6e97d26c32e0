package comus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus/confirm"
	"comus/comus/involved"
	"comus/internal/long"
	"comus/scan/certificate"
	"comus/seqmc"
	"comus/specialise"
)

// asksRaces is the question that a scan answers.
var asksRaces = specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}}

// wholeText is a program, with its functions that differ.
func wholeText(f, main string) string {
	return `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int mystery(void);
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {
	` + f + `
	return 0;
}
static pthread_t start(void) { pthread_t t; if (pthread_create(&t, 0, f, 0)) abort(); return t; }
int main(int argc, char **argv) {
	pthread_t t = start();
	` + main + `
	pthread_join(t, 0);
	return 0;
}
`
}

// opened reads a program from text.
func opened(t *testing.T, text string) (*Source, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), File(file), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, file
}

// TestByRun decides programs by runs of them as they are. Each without a race differs from one with a race by what orders the accesses, or by
// what the run would depend on.
func TestByRun(t *testing.T) {
	for _, c := range []struct {
		name, f, main string
		want          seqmc.Verdict
	}{
		{"plain", "x = 1;", "x = 2;", seqmc.Unsafe},
		{"locked", "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);", seqmc.Safe},
		{"in another place of the world", "x = 1;", `if (access("a", 0) == 0) x = 2;`, seqmc.Unsafe},
		{"where the world cannot be", "x = 1;", `if (access("a", 0) == 3) x = 2;`, seqmc.Unknown},
		{"a function that nobody knows", "x = 1;", "if (mystery() == 0) x = 2;", seqmc.Unknown},
		{"a function that nobody knows, behind the race", "x = 1;", "x = 2; mystery();", seqmc.Unsafe},
		{"memory that nobody has written", "x = 1;", "int *p = malloc(4); if (p && *p != 0) x = 2;", seqmc.Unsafe},
		{"memory that was written", "x = 1;", "int *p = malloc(4); if (p) { *p = 0; if (*p == 0) x = 2; }", seqmc.Unsafe},
		{"behind what is undefined", "x = 1;", "int *p = 0; *p = 1; x = 2;", seqmc.Unknown},
		{"what nobody sees", `strerror(1);`, `strerror(2);`, seqmc.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 3)
			s, file := opened(t, wholeText(c.f, c.main))
			ctx, stop := context.WithTimeout(t.Context(), 4*time.Second)
			defer stop()
			res, err := s.Verify(ctx, Options{Strategy: scanStrategy, Question: asksRaces})
			if err != nil {
				t.Fatal(err)
			}
			cert := res.Certificate
			run := cert != nil && cert.Execution != nil
			if got := res.Verdict; run != (c.want == seqmc.Unsafe) || c.want != seqmc.Unknown && got != c.want {
				t.Fatalf("%v (%s) instead of %v, by a run: %v", got, res.Reason, c.want, run)
			}
			if !run {
				return
			}
			again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, readAgain(t, cert))
			if err != nil || again.Verdict != seqmc.Unsafe || again.Trace.Error == nil || again.Trace.Error.Check != specialise.Race {
				t.Errorf("the certificate is not confirmed: %+v %v", again, err)
			}
			if parts := involved.In(res.Trace); len(parts) != 2 || parts[0].Thread == parts[1].Thread || parts[0].HeldUnknown || parts[0].Held != nil {
				t.Errorf("the trace does not tell of two threads: %+v", parts)
			}
			other, _ := opened(t, wholeText("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);"))
			if _, err := (&confirm.Whole{Program: other.prog.Program, ID: other.identity(asksRaces)}).Executed(t.Context(), cert.Execution); err == nil {
				t.Error("the execution of one program is one of another")
			}
		})
	}
}

// readAgain writes a certificate and reads it.
func readAgain(t *testing.T, c *check.Certificate) *check.Certificate {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	out, err := check.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestByRunCreated tells where the threads of a race were created, by whom, through more than one.
func TestByRunCreated(t *testing.T) {
	text := strings.Replace(wholeText("x = 1;", ""), "int main", `void *g(void *arg) { pthread_t t = start(); pthread_join(t, 0); return 0; }
int main`, 1)
	text = strings.Replace(text, "pthread_t t = start();\n\t", "pthread_t t, u; pthread_create(&u, 0, g, 0); pthread_create(&t, 0, g, 0);", 1)
	s, _ := opened(t, strings.Replace(text, "return 0;\n}\n\n", "pthread_join(u, 0); return 0; }\n", 1))
	res, err := s.Verify(t.Context(), Options{Strategy: scanStrategy, Question: asksRaces})
	if err != nil || res.Verdict != seqmc.Unsafe {
		t.Fatal(res, err)
	}
	for _, p := range involved.In(res.Trace) {
		if p.Thread.Name != "f" || len(p.Calls) != 1 || len(p.Created) != 2 || p.Created[0].Func != "start" || p.Created[1].Func != "g" || p.Created[0].Pos.Line != 11 {
			t.Errorf("%s: %v, created by %v", p.Thread.Name, p.Calls, p.Created)
		}
	}
	var names []string
	for _, th := range res.Trace.Program.Threads {
		names = append(names, th.Name)
	}
	if slices.Sort(names); !slices.Equal(names, []string{"f", "f", "g", "g", "main"}) { // in whatever order they are created
		t.Error(names)
	}
}

// TestHostileRun changes certificates of runs: none is confirmed that has no race where it says.
func TestHostileRun(t *testing.T) {
	s, file := opened(t, wholeText("pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m);\nx = 1;", "pthread_mutex_lock(&m); y = 2; pthread_mutex_unlock(&m);\nx = 2;"))
	res, err := s.Verify(t.Context(), Options{Strategy: scanStrategy, Question: asksRaces})
	if err != nil || res.Verdict != seqmc.Unsafe || res.Certificate.Execution == nil {
		t.Fatal(res, err)
	}
	for name, change := range map[string]func(*check.Certificate){
		"safe":             func(c *check.Certificate) { c.Verdict = seqmc.Safe.String() },
		"no method":        func(c *check.Certificate) { c.Method = "" },
		"claims, too":      func(c *check.Certificate) { c.Scan = &certificate.Certificate{} },
		"no execution":     func(c *check.Certificate) { c.Execution = nil },
		"other places":     func(c *check.Certificate) { c.Execution.Race[0] = c.Execution.Race[1] },
		"no places":        func(c *check.Certificate) { c.Execution.Race = [2]string{} },
		"locked places":    func(c *check.Certificate) { c.Execution.Race = [2]string{file + ":8:37", file + ":14:37"} },
		"one thread":       func(c *check.Certificate) { c.Execution.Turns = certificate.Turns{{Thread: 0, Steps: 1 << 40}} },
		"another question": func(c *check.Certificate) { c.Program.Check = []string{specialise.Deadlock} },
		"another source":   func(c *check.Certificate) { c.Program.SHA256 = strings.Repeat("0", 64) },
		"passes":           func(c *check.Certificate) { c.Program.Passes = []string{"slice"} },
	} {
		cert := readAgain(t, res.Certificate)
		if change(cert); name == "one thread" { // main goes on until it waits: then both accesses are there, in the other order
			cert.Execution.Race = [2]string{cert.Execution.Race[0], cert.Execution.Race[0]}
		}
		if again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, cert); err == nil && again.Verdict != seqmc.Unknown {
			t.Errorf("%s: it is confirmed", name)
		}
	}
}
