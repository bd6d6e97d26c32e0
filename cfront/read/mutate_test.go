package read

import (
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMutations reads programs with tokens removed, repeated or moved: each is read or refused in
// one line, soon. COMUS_MUTATIONS is for how long.
func TestMutations(t *testing.T) {
	files, _ := filepath.Glob("../testdata/run/*.c")
	for range len(files) { // most programs have few directives
		files = append(files, "testdata/cpp/macros.c")
	}
	var texts []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	long, _ := time.ParseDuration(os.Getenv("COMUS_MUTATIONS"))
	stop := time.Now().Add(max(long, 2*time.Second))
	rnd := rand.New(rand.NewSource(time.Now().UnixNano()))
	for n := 0; time.Now().Before(stop); n++ {
		text := mutate(rnd, texts[rnd.Intn(len(texts))], texts[rnd.Intn(len(texts))])
		done := make(chan error, 1)
		go func() {
			inv := parseOne(t, "a.c")
			in, _, err := Text(context.Background(), []byte(text), inv, Options{NoHost: true})
			if err == nil && len(in.Tokens) > 0 {
				in.Text(0, len(in.Tokens)-1)
			}
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%v\n%s", err, text)
			}
		case <-time.After(10 * time.Second):
			_ = os.WriteFile("/tmp/comus-hangs.c", []byte(text), 0o600)
			panic("hangs: " + text)
		}
	}
}

// mutate changes a text at a few tokens.
func mutate(rnd *rand.Rand, text, other string) string {
	words := func(s string) (out []string) {
		l := newLexer([]byte(s))
		for {
			t, ok := l.next()
			if !ok {
				return out
			}
			w := t.text
			if t.bol {
				w = "\n" + w
			}
			out = append(out, w)
		}
	}
	a, b := words(text), words(other)
	for k := rnd.Intn(4) + 1; k > 0 && len(a) > 0; k-- {
		i := rnd.Intn(len(a))
		switch rnd.Intn(4) {
		case 0:
			a = append(a[:i:i], a[i+1:]...)
		case 1:
			a = append(a[:i:i], append([]string{a[rnd.Intn(len(a))]}, a[i:]...)...)
		case 2:
			a[i] = a[rnd.Intn(len(a))]
		default:
			if len(b) > 0 {
				a[i] = b[rnd.Intn(len(b))]
			}
		}
	}
	return strings.Join(a, " ") + "\n"
}
