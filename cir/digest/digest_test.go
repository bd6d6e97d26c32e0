package digest_test

import (
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/digest"
)

func of(t *testing.T, text string) digest.Sum {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(text), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := digest.Of(p.Program)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestOf reads a program twice, which has to give one digest, and with small changes, each of which has to give another.
func TestOf(t *testing.T) {
	const text = "#include <pthread.h>\nstatic int x, y;\nstatic int t[3] = {1, 2, 3};\nstatic const char *s = \"abc\";\npthread_mutex_t m;\n" +
		"void *f(void *p) {\n  pthread_mutex_lock(&m);\n  x = t[1] + 1;\n  pthread_mutex_unlock(&m);\n  return p;\n}\n" +
		"int main(void) {\n  pthread_t id;\n  pthread_create(&id, 0, f, 0);\n  y = *s;\n  pthread_join(id, 0);\n  return y;\n}\n"
	first := of(t, text)
	if of(t, text) != first {
		t.Fatal("one program has two digests")
	}
	if of(t, strings.Replace(text, "return p;", "return p; // a comment", 1)) != first {
		t.Error("a comment that moves nothing changes the digest")
	}
	for _, change := range [][2]string{{"+ 1", "+ 2"}, {"1, 2, 3}", "1, 2, 4}"}, {"abc", "abd"}, {"x = t", "y = t"}, {"return p;", "return  p;"},
		{"int x, y", "volatile int x, y"}, {"int x, y", "long x, y"}, {"pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);\n"}, {"  y = *s", "  x = *s"}} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("%q does not occur", change[0])
		}
		if of(t, changed) == first {
			t.Errorf("%q for %q does not change the digest", change[1], change[0])
		}
	}
}
