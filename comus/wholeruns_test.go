package comus

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/internal/long"
	"comus/internal/timing"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// workers is a program of the ordinary kind: workers in a loop take jobs, of which each is an object of the heap, from a list, and log what they do. Its parts are replaced.
const workers = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job { struct job *next; char name[16]; int *weights; };
struct pool { pthread_mutex_t lock; pthread_cond_t some; struct job *first; int closed, done, total; char last[32]; };
static int n = 3;
static struct job *take(struct pool *p) {
	pthread_mutex_lock(&p->lock);
	WAIT
	struct job *j = p->first;
	if (j) p->first = j->next;
	pthread_mutex_unlock(&p->lock);
	return j;
}
static void *work(void *arg) {
	struct pool *p = arg;
	struct job *j;
	while ((j = take(p)) != NULL) {
		COUNT
		FREE
		pthread_mutex_lock(&p->lock);
		p->done++;
		snprintf(p->last, sizeof p->last, "%s", NAME);
		UNLOCK
	}
	return NULL;
}
int main(int argc, char **argv) {
	struct pool *p = calloc(1, sizeof *p);
	pthread_t *t = calloc(n, sizeof *t);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->some, NULL);
	for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, work, p);
	for (int i = 0; i < 2 * n; i++) {
		struct job *j = malloc(sizeof *j);
		snprintf(j->name, sizeof j->name, "job %d", i);
		j->weights = calloc(n, sizeof(int));
		pthread_mutex_lock(&p->lock);
		j->next = p->first;
		p->first = j;
		SIGNAL
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_lock(&p->lock);
	p->closed = 1;
	pthread_cond_broadcast(&p->some);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
	END
	pthread_mutex_destroy(&p->lock);
	printf("%d jobs, the last one is %s\n", p->done, p->last);
	free(p);
	free(t);
	return 0;
}
`

// right are the parts of the program that fails nowhere.
var right = map[string]string{
	"WAIT": "while (p->first == NULL && !p->closed) pthread_cond_wait(&p->some, &p->lock);", "COUNT": "", "NAME": `"a job"`, "SIGNAL": "pthread_cond_signal(&p->some);",
	"FREE": "free(j->weights); free(j);", "UNLOCK": "pthread_mutex_unlock(&p->lock);", "END": "assert(p->done == 2 * n);",
}

// mistakes are what makes it fail: of a property, one part, which is replaced.
var mistakes = []struct{ name, property, part, by string }{
	{"a counter without a lock", specialise.Race, "COUNT", "p->total++;"},
	{"used after it was freed", specialise.Memory, "NAME", "j->name"},
	{"behind the end", specialise.Memory, "COUNT", "j->weights[n] = 1;"},
	{"a subscript", specialise.Memory, "COUNT", "int a[4]; a[n] = a[n + 1] = 0;"},
	{"lost", specialise.Leak, "FREE", "free(j);"},
	{"not freed", specialise.Cleanup, "FREE", "free(j);"},
	{"overflow", specialise.Overflows, "COUNT", "int x = 0x7fffffff - n; for (int i = 0; i <= n; i++) x++;"},
	{"division", specialise.Overflows, "COUNT", "int x = n / (n - 3);"},
	{"unlocked twice", specialise.Locks, "UNLOCK", "pthread_mutex_unlock(&p->lock); pthread_mutex_unlock(&p->lock);"},
	{"locked again", specialise.Locks, "UNLOCK", "if (p->done < 2 * n) pthread_mutex_unlock(&p->lock);"},
	{"waits for nothing", specialise.Deadlock, "WAIT", "if (p->first == NULL) pthread_cond_wait(&p->some, &p->lock);"},
	{"never unlocked", specialise.Deadlock, "UNLOCK", "if (p->done < n) pthread_mutex_unlock(&p->lock);"},
	{"an assertion", specialise.Assert, "END", "assert(p->done == n);"},
	{"an assertion that fails by chance", specialise.Assert, "SIGNAL", `pthread_cond_signal(&p->some); assert(i > n || strcmp(p->last, "a job"));`},
}

func programWith(part, by string) string {
	text := workers
	for p, s := range right {
		if p == part {
			s = by
		}
		text = strings.ReplaceAll(text, p, s)
	}
	return text
}

// openText opens a program.
func openText(t *testing.T, text string) (*Source, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "workers.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), File(file), cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, file
}

// asking returns the options of a question about a property.
func asking(property string) Options {
	check, _ := specialise.ChecksNamed([]string{property})
	return Options{Question: specialise.Options{Check: check}, asked: check, Log: hclog.NewNullLogger()}
}

// inRuns makes runs until one violates a property, or some time is over.
func inRuns(t *testing.T, s *Source, property string, most time.Duration) *Result {
	t.Helper()
	r := s.runsBeside(t.Context(), asking(property), []string{property}, false)
	defer r.end()
	r.goOnFor(t.Context(), property, most)
	return r.shown(property)
}

// TestWholeRuns has runs of whole programs violate each property. The certificate says so again, and none that was changed does.
func TestWholeRuns(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.property+"/"+m.name, func(t *testing.T) {
			long.OneOf(t, 5)
			t.Parallel()
			s, file := openText(t, programWith(m.part, m.by))
			res := inRuns(t, s, m.property, 20*time.Second)
			if res == nil || res.Verdict != seqmc.Unsafe || res.Certificate == nil || res.Engine != runsName || res.Trace.Error == nil || ViolatedAt(res.Trace.Error) != m.property {
				t.Fatalf("no run violates %s: %+v", m.property, res)
			}
			confirms := func(change func(*check.Certificate)) error {
				cert, ex := *res.Certificate, copyOfExecution(res.Certificate.Execution)
				cert.Execution = ex
				change(&cert)
				_, err := CheckUnits(t.Context(), File(file), cfront.Options{}, &cert)
				return err
			}
			if err := confirms(func(*check.Certificate) {}); err != nil {
				t.Errorf("the certificate is not confirmed: %v", err)
			}
			other := specialise.Race
			if m.property == other {
				other = specialise.Memory
			}
			for what, change := range map[string]func(*check.Certificate){
				"another property": func(c *check.Certificate) { c.Program.Check = []string{other} },
				"two properties":   func(c *check.Certificate) { c.Program.Check = append(c.Program.Check, other) },
				"another method":   func(c *check.Certificate) { c.Method = check.MethodScan },
				"other turns":      func(c *check.Certificate) { c.Execution.Turns = certificate.Turns{{Thread: 0, Steps: 1 << 40}} },
				"no turns":         func(c *check.Certificate) { c.Execution.Turns = nil },
				"nothing": func(c *check.Certificate) {
					c.Execution.Race, c.Execution.Undefined, c.Execution.Waits, c.Execution.Kept, c.Execution.Fails = [2]string{}, [2]string{}, nil, nil, ""
				},
				"elsewhere":      func(c *check.Certificate) { elsewhere(c.Execution) },
				"two things":     func(c *check.Certificate) { c.Execution.Fails, c.Execution.Kept = "a.c:1:1", []string{"a.c:1:1"} },
				"another source": func(c *check.Certificate) { c.Program.SHA256 = "" },
				"safe":           func(c *check.Certificate) { c.Verdict = "SAFE" },
			} {
				if what == "no turns" && len(res.Certificate.Execution.Turns) == 0 || what == "other turns" && (m.property == specialise.Leak || m.property == specialise.Cleanup) {
					continue // which loses the memory, too
				}
				if confirms(change) == nil && what != "other turns" && what != "no turns" {
					t.Errorf("%s is confirmed", what)
				}
			}
		})
	}
}

// elsewhere changes the places of an execution.
func elsewhere(ex *certificate.Execution) {
	const at = "workers.c:1:1"
	switch {
	case ex.Race != [2]string{}:
		ex.Race[0] = at
	case ex.Fails != "":
		ex.Fails = at
	case len(ex.Waits) > 0:
		ex.Waits[0] = at
	case len(ex.Kept) > 0:
		ex.Kept[0] = at
	default:
		ex.Undefined[1] = at
	}
}

// TestWholeRunsRight has no run of the program without a mistake violate anything; nor do its first runs do what proofs take for granted not to happen.
func TestWholeRunsRight(t *testing.T) {
	s, _ := openText(t, programWith("", ""))
	r := s.runsBeside(t.Context(), asking(specialise.Memory), []string{specialise.Race, specialise.Deadlock, specialise.Memory, specialise.Leak, specialise.Cleanup, specialise.Overflows, specialise.Locks,
		specialise.Assert}, false)
	defer r.end()
	for _, g := range r.groups {
		<-g.first
		if g.misuse != nil {
			t.Error(g.misuse)
		}
	}
	time.Sleep(time.Second)
	for _, m := range mistakes {
		if res := r.shown(m.property); res != nil {
			t.Errorf("a run violates %s: %s", m.property, res.Trace.Error.Text)
		}
	}
}

// TestRunsDecide has the default strategy find the mistakes, one by one and all together, by whatever is first.
func TestRunsDecide(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 40*time.Second)
	defer stop()
	s, _ := openText(t, strings.ReplaceAll(programWith("COUNT", "p->total++; j->weights[n] = 1;"), "assert(p->done == 2 * n);", "assert(p->done == n);"))
	opts := Options{}
	opts.Question.Check, _ = specialise.ChecksNamed([]string{specialise.Race, specialise.Memory})
	res, err := s.Verify(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range res.Properties {
		if p.Verdict != seqmc.Unsafe {
			t.Errorf("%s: %s (%s)", p.Name, p.Verdict, p.Reason)
		}
	}
	if len(res.Properties) != 2 || res.Evidence() == nil {
		t.Errorf("%d properties", len(res.Properties))
	}
}

// TestRunsOfAll has all executions run of a program that has few, and says so where nothing else decides; of those with a loop that waits, with a race, or with a violation, it does not.
func TestRunsOfAll(t *testing.T) {
	const text = `#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int n, ready;
void *f(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); n = 2 * n + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_mutex_lock(&m); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  MORE pthread_join(t, 0); pthread_join(u, 0); assert(n == 3); return 0; }
`
	for more, want := range map[string]string{
		"": "timeout; all 10 executions with these inputs were run, none violates assert (" + directed.TheseInputs + ")", "(void)*(volatile int *)&n;": "timeout", "while (!*(volatile int *)&n) ;": "timeout",
	} {
		s, _ := openText(t, strings.Replace(text, "MORE", more, 1))
		r := s.runsBeside(t.Context(), asking(specialise.Assert), []string{specialise.Assert}, false)
		r.groups[0].pace.hurry.Store(true)
		for begun := time.Now(); r.without(specialise.Assert) == nil && time.Since(begun) < 20*time.Second; {
			if time.Since(begun) > 500*time.Millisecond && want == "timeout" {
				break
			}
			time.Sleep(time.Millisecond)
		}
		r.end()
		res := r.instead(t.Context(), specialise.Assert, &Result{Reason: "timeout"})
		if res.Reason != want || (res.Executions == 10) != (more == "") {
			t.Errorf("%q: %d, %s", more, res.Executions, res.Reason)
		}
	}
}

// TestNoRuns has no runs where they say nothing about the question, or were not asked for.
func TestNoRuns(t *testing.T) {
	s, _ := openText(t, programWith("", ""))
	for name, change := range map[string]func(*Options){
		"statements": func(o *Options) { o.Question.AtomicStatements = true },
		"a part":     func(o *Options) { o.Question.About = "main\t1" },
		"known":      func(o *Options) { o.Question.Known = "x" },
		"parametric": func(o *Options) { o.Question.Parametric = true },
	} {
		opts := asking(specialise.Assert)
		change(&opts)
		if r := s.runsBeside(t.Context(), opts, []string{specialise.Assert}, true); r != nil {
			r.end()
			t.Errorf("there are runs for %s", name)
		}
	}
}

// TestRunsJudged has gcc's program, with its sanitizers, judge runs: it reports the same kind of error, hangs or aborts there.
func TestRunsJudged(t *testing.T) {
	long.Only(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ property, part, by, want string }{
		{specialise.Memory, "COUNT", "j->weights[n] = 1;", "confirmed by AddressSanitizer: heap-buffer-overflow"},
		{specialise.Memory, "FREE", "free(j->weights); free(j); p->total += j->name[0];", "confirmed by AddressSanitizer: heap-use-after-free"},
		{specialise.Deadlock, "WAIT", "if (p->first == NULL) pthread_cond_wait(&p->some, &p->lock);", "confirmed by gcc's program, which hangs there"},
		{specialise.Assert, "END", "assert(p->done == n);", "confirmed by gcc's program, which aborts there"},
		{specialise.Race, "COUNT", "p->total++;", "confirmed by ThreadSanitizer"},
		{specialise.Memory, "COUNT", "int *none = n > 2 ? NULL : &n; *none = 1;", "confirmed by AddressSanitizer: SEGV"},
	} {
		s, _ := openText(t, programWith(c.part, c.by))
		res := inRuns(t, s, c.property, 20*time.Second)
		if res == nil {
			t.Errorf("%s: no run fails", c.by)
			continue
		}
		opts := asking(c.property)
		opts.Timings, opts.Sanitize = timing.New(), 30*time.Second
		judged, err := s.byRun(t.Context(), res.Certificate.Execution, opts)
		if err != nil || judged.Sanitizer != c.want {
			t.Errorf("%s: %+v, %v", c.by, judged, err)
		}
	}
}

// TestRunsWrap: where signed results wrap around, a run in which they do violates nothing, nor does a certificate that says so.
func TestRunsWrap(t *testing.T) {
	s, file := openText(t, "int x = 0x7fffffff;\nint main(void) { x++; return 0; }\n")
	for _, wraps := range []bool{false, true} {
		opts := asking(specialise.Overflows)
		if wraps {
			opts.Question.Overflow = specialise.OverflowWrap
		}
		r := s.runsBeside(t.Context(), opts, []string{specialise.Overflows}, true)
		<-r.groups[0].first
		res := r.shown(specialise.Overflows)
		r.end()
		if (res != nil) == wraps {
			t.Errorf("wraps around: %v, but %+v", wraps, res)
		}
		if wraps {
			continue
		}
		cert := *res.Certificate
		cert.Program.Overflow = "wrap"
		if _, err := CheckUnits(t.Context(), File(file), cfront.Options{}, &cert); err == nil {
			t.Error("a certificate of a run in which a result wraps around is confirmed, though that is no violation")
		}
	}
}

// TestRunAgainstProof: a run that violates what is called Safe takes the verdict away, also when there is no time left, and is the verdict then, with a warning.
func TestRunAgainstProof(t *testing.T) {
	s, _ := openText(t, programWith("END", "assert(p->done == n);"))
	opts := asking(specialise.Assert)
	r := s.runsBeside(t.Context(), opts, []string{specialise.Assert}, false)
	defer r.end()
	r.goOnFor(t.Context(), specialise.Assert, 20*time.Second)
	if r.shown(specialise.Assert) == nil {
		t.Fatal("no run fails")
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	for _, ctx := range []context.Context{t.Context(), ended} {
		res := &Result{Verdict: seqmc.Safe, Engine: "forged"}
		s.besideProof(ctx, res, r, opts.Question, opts.asked, nil, 0)
		if res.Verdict != seqmc.Unknown || res.Internal == nil {
			t.Errorf("the proof stands: %+v", res)
		}
		if out := r.instead(t.Context(), specialise.Assert, res); out.Verdict != seqmc.Unsafe || !strings.Contains(strings.Join(out.Warnings, "\n"), "internal error") {
			t.Errorf("the run is not told of: %+v", out)
		}
	}
}
