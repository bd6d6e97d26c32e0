package digest_test

import (
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/digest"
)

func of(t *testing.T, text string) (digest.Sum, []cir.Pos) {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(text), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	sum, places, err := digest.Of(p.Program)
	if err != nil {
		t.Fatal(err)
	}
	return sum, places
}

// TestOf reads a program twice, which has to give one digest, and with small changes, each of which has to give another digest or, if things only
// are somewhere else, other places.
func TestOf(t *testing.T) {
	const text = "#include <pthread.h>\nstatic int x, y;\nstatic int t[3] = {1, 2, 3};\nstatic const char *s = \"abc p.c:1:1\";\npthread_mutex_t m;\n" +
		"void *f(void *p) {\n  pthread_mutex_lock(&m);\n  x = t[1] + 1;\n  pthread_mutex_unlock(&m);\n  return p;\n}\n" +
		"int main(void) {\n  pthread_t id;\n  pthread_create(&id, 0, f, 0);\n  y = *s;\n  pthread_join(id, 0);\n  return y;\n}\n"
	first, places := of(t, text)
	for _, test := range []struct {
		from, to     string
		same, places bool // places count for the same digest only
	}{
		{"return p;", "return p;", true, true},
		{"return p;", "return p; // a comment", true, true},
		{"return p;", "return  p;", true, false},
		{"return p;", "// a comment\n  return p;", true, false},
		{"pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);\n", true, false},
		{"+ 1", "+ 2", false, true},
		{"1, 2, 3}", "1, 2, 4}", false, true},
		{"abc", "abd", false, true},
		{"p.c:1:1", "p.c:1:2", false, true},
		{"x = t", "y = t", false, true},
		{"int x, y", "volatile int x, y", false, false},
		{"int x, y", "long x, y", false, false},
		{"  y = *s", "  x = *s", false, true},
		{"  pthread_mutex_unlock(&m);\n", "", false, false},
		{"void *p", "void *q, void *p", false, false},
	} {
		changed := strings.Replace(text, test.from, test.to, 1)
		if changed == text && test.from != test.to {
			t.Fatalf("%q does not occur", test.from)
		}
		sum, at := of(t, changed)
		if (sum == first) != test.same {
			t.Errorf("%q for %q: the same digest is %t", test.to, test.from, sum == first)
		}
		if test.same && slices.Equal(at, places) != test.places || sum == first && len(at) != len(places) {
			t.Errorf("%q for %q: the same places is %t", test.to, test.from, slices.Equal(at, places))
		}
	}
}
