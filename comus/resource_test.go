package comus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/passes"
	"comus/resourceinv"
)

// lockText returns a random program whose threads hand on what they keep under two locks; now and then one of them forgets a lock.
func lockText(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 8))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	section := func() string {
		g := r.IntN(2)
		v := func() string { return fmt.Sprintf("%c%d", "xyz"[r.IntN(3)], g) }
		k := func() string { return strconv.Itoa(r.IntN(4)) }
		var body []string
		for range 1 + r.IntN(3) {
			body = append(body, pick(
				fmt.Sprintf("if (%s == %s) { %s = %s; %s = %s; }", v(), k(), v(), k(), v(), k()),
				fmt.Sprintf("if (%s < %s) %s++;", v(), k(), v()), fmt.Sprintf("%s = s;", v()), fmt.Sprintf("s = %s;", v()),
				fmt.Sprintf("%s = %s;", v(), v()), fmt.Sprintf("%s = %s;", v(), k()),
				fmt.Sprintf("assert(%s %s %s);", v(), pick("<=", "!=", ">=", "<="), pick(k(), v(), "3", "3"))))
		}
		if r.IntN(12) == 0 {
			return strings.Join(body, " ")
		}
		return fmt.Sprintf("pthread_mutex_lock(&m%d); %s pthread_mutex_unlock(&m%d);", g, strings.Join(body, " "), g)
	}
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <assert.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n" +
		"signed char x0, y0, z0, x1, y1, z1;\npthread_mutex_t m0, m1;\n")
	kinds := 2 + r.IntN(2)
	for i := range kinds {
		fmt.Fprintf(&b, "void *f%d(void *a) { signed char s = 0; %s", i, section())
		for range r.IntN(3) {
			fmt.Fprintf(&b, pick(" if (s) { %s }", " while (__VERIFIER_nondet_bool()) { %s }", " %s"), section())
		}
		b.WriteString(" return 0; }\n")
	}
	fmt.Fprintf(&b, "int main(void) { pthread_t p; %s", pick("", "x0 = 1; ", "y1 = 2; z1 = 2; "))
	for i := range kinds {
		loop := ""
		if i == 0 {
			loop = "while (__VERIFIER_nondet_bool()) "
			if n >= 0 {
				loop = fmt.Sprintf("for (int i = 0; i < %d; i++) ", n)
			}
		}
		fmt.Fprintf(&b, "%spthread_create(&p, 0, f%d, 0); ", loop, i)
	}
	b.WriteString("return 0; }\n")
	return b.String()
}

// fixed reads a program with a fixed number of threads and simplifies it.
func fixed(t *testing.T, text string) *ir.Program {
	t.Helper()
	src, err := csource.Parse("p.c", []byte(text), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := passes.Run(src.Program, passes.Default())
	if err != nil {
		t.Fatal(err)
	}
	r.Program.Renumber()
	return r.Program
}

// TestResourceRandom proves random programs with locks, as they are with two threads of a kind and with any number of them: what is
// proved has no violation. More: COMUS_EVERY=2000, from COMUS_SEED.
func TestResourceRandom(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(18)
	proved, unsafe, open := 0, 0, 0
	for _, seed := range seeds {
		n := 2
		if seed%3 == 0 {
			n = -1
		}
		text := lockText(seed, n)
		if seed%4 == 1 {
			text = flags(text)
		}
		p := fixed
		if n < 0 {
			p = func(t *testing.T, text string) *ir.Program { return template(t, source(t, text)) }
		}
		safe := resourceProof(t, p(t, text), text)
		fails := violated(t, source(t, lockText(seed, 2)))
		switch {
		case safe && fails:
			t.Errorf("seed %d: proved, but fails\n%s", seed, text)
		case safe:
			proved++
		case fails:
			unsafe++
		default:
			open++
		}
	}
	t.Logf("%d proved, %d can fail, %d open", proved, unsafe, open)
	if proved == 0 || unsafe == 0 {
		t.Error("the programs are all of one kind")
	}
}

// flags makes the locks of a program atomic flags.
func flags(text string) string {
	text = strings.Replace(text, "pthread_mutex_t m0, m1;", "atomic_flag m0 = ATOMIC_FLAG_INIT, m1 = ATOMIC_FLAG_INIT;", 1)
	text = strings.NewReplacer("pthread_mutex_lock(&m0)", "while (atomic_flag_test_and_set(&m0)) ;", "pthread_mutex_lock(&m1)", "while (atomic_flag_test_and_set(&m1)) ;",
		"pthread_mutex_unlock", "atomic_flag_clear").Replace(text)
	return "#include <stdatomic.h>\n" + text
}

// resourceProof reports whether a program is proved in a second; then the proof has to be right.
func resourceProof(t *testing.T, p *ir.Program, text string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	owned, owners := p.Owned()
	proof, _, err := resourceinv.Prove(ctx, hclog.NewNullLogger(), resourceinv.Options{}, owned)
	if err != nil {
		return false
	}
	cert := engine.ResourceCertificate(proof, false)
	cert.Verdict, cert.Parametric.Owned = "SAFE", len(owners) > 0
	if err := check.Parametric(t.Context(), p, cert); err != nil {
		t.Errorf("the proof is not confirmed: %v\n%s", err, text)
	}
	return true
}

// relayText is a relay of three; with another number in the middle it fails.
func relayText(step int) string {
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
int full, box, last, done;
pthread_mutex_t a, b;
void *f(void *u) { for (;;) { pthread_mutex_lock(&a); if (!full) { box = 4; full = 1; } pthread_mutex_unlock(&a); } }
void *g(void *u) { for (;;) { int v, got = 0; pthread_mutex_lock(&a); if (full) { v = box; full = 0; got = 1; } pthread_mutex_unlock(&a);
	if (got) { pthread_mutex_lock(&b); last = v + %d; done = 1; pthread_mutex_unlock(&b); } } }
void *h(void *u) { for (;;) { pthread_mutex_lock(&b); assert(!done || last == 6); pthread_mutex_unlock(&b); } }
int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); pthread_create(&p, 0, h, 0); return 0; }
`, step)
}

// TestResourceMutated changes the proof of a program and presents it for one that is not safe: it is always refused.
func TestResourceMutated(t *testing.T) {
	long.Only(t)
	good, bad := fixed(t, relayText(2)), fixed(t, relayText(3))
	proof, _, err := resourceinv.Prove(t.Context(), hclog.NewNullLogger(), resourceinv.Options{}, good)
	if err != nil {
		t.Fatal(err)
	}
	cert := engine.ResourceCertificate(proof, false)
	cert.Verdict = "SAFE"
	if err := check.Parametric(t.Context(), good, cert); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		list := slices.Clone(cert.Parametric.Invariants)
		for range 1 + r.IntN(3) {
			i, k := r.IntN(len(list)), r.IntN(len(list))
			f := &list[i].Formula
			switch r.IntN(6) {
			case 0:
				*f = "true"
			case 1:
				*f = "false"
			case 2:
				*f = strings.Replace(*f, "6", "7", 1)
			case 3:
				*f = strings.Replace(*f, "2147483648", "7", 1)
			case 4:
				*f = fmt.Sprintf("(or %s (= m%d 0))", *f, r.IntN(2))
			default:
				*f = fmt.Sprintf("(and %s %s)", *f, list[k].Formula)
			}
		}
		mutant := *cert
		mutant.Parametric = &check.ParametricProof{Size: 1, Invariants: list}
		if err := check.Parametric(t.Context(), bad, &mutant); err == nil {
			t.Fatalf("a proof of a program that is not safe: %v", list)
		}
	}
}

// TestResourceEngine asks the engine for a proof of the program after the passes, and of one with any number of threads.
func TestResourceEngine(t *testing.T) {
	for name, text := range map[string]string{"fixed": relayText(2), "any": everyHead + lockedCounter + anyMain} {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 3)
			file := source(t, text)
			res, err := Verify(t.Context(), file, Options{Strategy: engine.ResourceInvariants{}.Name()})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict.String() != "SAFE" || res.Certificate == nil || res.Certificate.Program.Parametric != (name == "any") {
				t.Fatalf("%v: %s", res.Verdict, res.Reason)
			}
			again, err := Check(t.Context(), file, res.Certificate)
			if err != nil || again.Verdict.String() != "SAFE" {
				t.Errorf("%+v, %v", again, err)
			}
			none := *res.Certificate
			none.Parametric = &check.ParametricProof{Size: 1}
			if again, err := Check(t.Context(), file, &none); err == nil && again.Verdict.String() == "SAFE" {
				t.Error("a proof without invariants")
			}
		})
	}
	res, err := Verify(t.Context(), source(t, relayText(3)), Options{Strategy: engine.ResourceInvariants{}.Name()})
	if err != nil || res.Verdict.String() == "SAFE" {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestResourceSeeds has the modular algorithm begin with what locks protect: then one sequential check is enough for each main thread.
func TestResourceSeeds(t *testing.T) {
	for _, tt := range []struct {
		step int
		want string
	}{{2, "SAFE"}, {3, "UNSAFE"}} {
		res, err := Verify(t.Context(), source(t, relayText(tt.step)), Options{Strategy: engine.Modular{}.Name()})
		if err != nil || res.Verdict.String() != tt.want {
			t.Errorf("%+v, %v", res, err)
		}
		if tt.want == "SAFE" && res.Stats.Checks != 1 {
			t.Errorf("%d sequential checks", res.Stats.Checks)
		}
	}
}
