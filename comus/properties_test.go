package comus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/internal/deadline"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/interp"
	"comus/seqmc"
	"comus/specialise"
)

// answers is what is said about each property that is asked about alone: safe, unsafe, unknown, or slow (it takes all its
// time); hard properties keep a question about several from being answered.
type answers map[string]string

// questions are those that were asked, perhaps by a goroutine that is not waited for.
type questions struct {
	mu   sync.Mutex
	text string
}

func (q *questions) add(about string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.text = strings.TrimSpace(q.text + " " + about)
}

func (q *questions) String() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.text
}

// asked returns an inquiry that these answers are given to, and the questions.
func (a answers) asked(asked *questions) *inquiry {
	return &inquiry{engine: "e", ask: func(ctx context.Context, about specialise.Checks) (*Result, error) {
		names := about.Names()
		asked.add(strings.Join(names, ","))
		res := &Result{Verdict: seqmc.Safe, Engine: "e", Assumptions: []string{"of " + names[0]}}
		for _, n := range names {
			switch a[n] {
			case "unsafe":
				res.Verdict = seqmc.Unsafe
				res.Trace = interp.Trace{Error: &ir.Loc{Check: n}}
				return res, nil
			case "error":
				return nil, errors.New("broken")
			case "panic":
				panic("broken")
			case "unknown":
				res.Verdict, res.Reason = seqmc.Unknown, "no idea"
			case "slow":
				<-ctx.Done()
				res.Verdict = seqmc.Unknown
				return res.unknown(ctx, ctx.Err()), nil
			case "stuck":
				select {}
			}
		}
		return res, nil
	}}
}

// told words a result.
func told(r *Result) string {
	var out []string
	for _, p := range r.Properties {
		text := p.Name + " " + p.Verdict.String()
		if p.Reason != "" {
			text += " (" + p.Reason + ")"
		}
		out = append(out, text)
	}
	return fmt.Sprintf("%s %s: %s", r.Verdict, r.Reason, strings.Join(out, ", "))
}

func TestInquiry(t *testing.T) {
	for _, c := range []struct {
		name    string
		says    answers
		asked   string // the questions
		told    string
		assumes string
	}{
		{"safe", answers{}, "assert,memory,locks", "SAFE : assert SAFE, memory SAFE, locks SAFE", "of assert"},
		{"one unsafe", answers{"memory": "unsafe"}, "assert,memory,locks assert,locks",
			"UNSAFE : assert SAFE, memory UNSAFE, locks SAFE", ""},
		{"all unsafe", answers{"assert": "unsafe", "memory": "unsafe", "locks": "unsafe"}, "assert,memory,locks memory,locks locks",
			"UNSAFE : assert UNSAFE, memory UNSAFE, locks UNSAFE", ""},
		{"unknown", answers{"memory": "unknown"}, "assert,memory,locks assert memory locks",
			"UNKNOWN memory: no idea: assert SAFE, memory UNKNOWN (no idea), locks SAFE", ""},
		{"unsafe and unknown", answers{"assert": "unsafe", "locks": "unknown"}, "assert,memory,locks memory,locks memory locks",
			"UNSAFE : assert UNSAFE, memory SAFE, locks UNKNOWN (no idea)", ""},
		{"slow", answers{"memory": "slow"}, "assert,memory,locks assert memory locks memory",
			"UNKNOWN timeout: assert SAFE, memory UNKNOWN (timeout), locks SAFE", ""},
		{"stuck", answers{"locks": "stuck", "assert": "unsafe"}, "assert,memory,locks memory,locks",
			"UNSAFE : assert UNSAFE, memory UNKNOWN (timeout), locks UNKNOWN (timeout)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var asked questions
			about := specialise.Checks{Memory: true, Locks: true}
			res, err := c.says.asked(&asked).run(ctx, about)
			if err != nil {
				t.Fatal(err)
			}
			if got := asked.String(); got != c.asked {
				t.Errorf("asked: %s, want %s", got, c.asked)
			}
			if got := told(res); got != c.told {
				t.Errorf("%s, want %s", got, c.told)
			}
			if c.assumes != "" && strings.Join(res.Assumptions, ", ") != c.assumes {
				t.Errorf("assumes %q", res.Assumptions)
			}
		})
	}
}

// TestInquiryFails: what is wrong in a question is wrong in all.
func TestInquiryFails(t *testing.T) {
	var asked questions
	if _, err := (answers{"memory": "error"}).asked(&asked).run(t.Context(), specialise.Checks{Memory: true}); err == nil || err.Error() != "broken" {
		t.Errorf("error %v", err)
	}
	res, err := (answers{"memory": "panic"}).asked(&asked).run(t.Context(), specialise.Checks{Memory: true})
	if err == nil && (res.Internal == nil && !slices.ContainsFunc(res.Properties, func(p PropertyResult) bool { return p.Result != nil && p.Result.Internal != nil })) {
		t.Errorf("a panic is no internal error: %+v", res)
	}
}

// TestInquiryTime: half of the time is for the question about all, and each other one has the same part of the rest.
func TestInquiryTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	parts := map[string]time.Duration{}
	in := &inquiry{ask: func(ctx context.Context, about specialise.Checks) (*Result, error) {
		end, _ := ctx.Deadline()
		parts[strings.Join(about.Names(), ",")] = time.Until(end).Round(time.Second)
		return &Result{Reason: "no idea"}, nil
	}}
	if _, err := in.run(ctx, specialise.Checks{Memory: true}); err != nil {
		t.Fatal(err)
	}
	for about, want := range map[string]time.Duration{"assert,memory": 30 * time.Second, "assert": 30 * time.Second, "memory": time.Minute} {
		if parts[about] != want {
			t.Errorf("%s: %v, want %v", about, parts[about], want)
		}
	}
	unlimited, stop := deadline.Share(t.Context(), 2, 3)
	defer stop()
	if end, ok := unlimited.Deadline(); !ok || time.Until(end).Round(time.Minute) != 8*deadline.Unlimited {
		t.Errorf("without a limit: %v", time.Until(end))
	}
}

// TestGranted: what only one of the questions takes for granted, because another one is about it, is not taken for granted
// by all of them together.
func TestGranted(t *testing.T) {
	in := &inquiry{joint: &Result{program: check.Program{SHA256: "1"}, granted: []string{"creation"}}}
	r := &Result{Assumptions: []string{"creation", "overflow", "every"}, granted: []string{"creation", "overflow"}}
	if got := in.taken(r); !slices.Equal(got, []string{"creation", "every"}) {
		t.Errorf("%q", got)
	}
	in.joint.program.SHA256 = "" // it was not read
	if got := in.taken(r); !slices.Equal(got, r.Assumptions) {
		t.Errorf("%q", got)
	}
}

const twoProperties = `
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t p;
	int *q = malloc(sizeof *q);
	if (!q) return 0;
	pthread_create(&p, 0, f, 0);
	pthread_join(p, 0);
	free(q);
	if (__VERIFIER_nondet_uchar() == 201 && __VERIFIER_nondet_uchar() == 77) *q = 1; /* no run under a random schedule does it */
	assert(x == 1);
	return 0;
}`

// TestPropertiesOfSource asks about a program, and has the certificates confirmed.
func TestPropertiesOfSource(t *testing.T) {
	long.Only(t)
	file := source(t, twoProperties)
	for _, c := range []struct {
		about specialise.Checks
		told  string
		certs int
		named bool // the certificates are a set
	}{
		{specialise.Checks{Memory: true}, "UNSAFE : assert SAFE, memory UNSAFE", 2, true},
		{specialise.Checks{Locks: true}, "SAFE : assert SAFE, locks SAFE", 1, false},
		{specialise.Checks{NoAssert: true, Memory: true}, "UNSAFE : memory UNSAFE", 1, false},
		{specialise.Checks{}, "SAFE : assert SAFE", 1, false},
	} {
		opts := Options{}
		opts.Question.Check = c.about
		res, err := Verify(t.Context(), file, opts)
		if err != nil {
			t.Fatal(err)
		}
		if told(res) != c.told {
			t.Errorf("%v: %s, want %s", c.about, told(res), c.told)
			continue
		}
		set := res.Evidence()
		if len(set.Certificates) != c.certs || (len(set.Properties) > 0) != c.named {
			t.Errorf("%v: %d certificates, for %v", c.about, len(set.Certificates), set.Properties)
		}
		var text bytes.Buffer
		if err := set.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := check.ReadSet(&text)
		if err != nil {
			t.Fatal(err)
		}
		confirmed, err := CheckSet(t.Context(), File(file), cfront.Options{}, again)
		if err != nil || told(confirmed) != c.told {
			t.Errorf("%v: confirmed %v, %v", c.about, confirmed, err)
		}
		explored, err := Explore(t.Context(), file, ExploreOptions{Question: opts.Question})
		if err != nil || told(&explored.Result) != c.told || explored.States == 0 {
			t.Errorf("%v: explored %+v, %v", c.about, explored, err)
		}
	}
}

// TestCheckSet takes sets of certificates that do not fit.
func TestCheckSet(t *testing.T) {
	file := source(t, twoProperties)
	opts := Options{}
	opts.Question.Check = specialise.Checks{Memory: true}
	res, err := Verify(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	certs := res.Evidence().Certificates
	for _, c := range []struct {
		properties []string
		certs      []*check.Certificate
		want       string // the error, or what is told
	}{
		{[]string{"assert", "memory", "leak"}, certs, "UNSAFE : assert SAFE, memory UNSAFE, leak UNKNOWN (there is no certificate)"},
		{[]string{"assert", "memory"}, certs[:1], "UNKNOWN memory: there is no certificate: assert SAFE, memory UNKNOWN (there is no certificate)"},
		{[]string{"assert"}, certs, "one is for the property memory"},
		{[]string{"assert", "memory"}, append(certs[:1:1], certs[0]), "one is for the property assert"},
		{[]string{"assert", "memory", "memory"}, certs, `name "memory"`},
		{[]string{"all"}, certs, `name "all"`},
		{[]string{"nothing"}, certs, `no property is called "nothing"`},
		{nil, nil, "there is no certificate"},
	} {
		got := ""
		res, err := CheckSet(t.Context(), File(file), cfront.Options{}, check.NewSet(c.properties, c.certs))
		if err != nil {
			got = err.Error()
		} else {
			got = told(res)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.properties, got, c.want)
		}
	}
}
