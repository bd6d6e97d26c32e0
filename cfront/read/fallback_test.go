package read

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront/syntax"
)

// shape returns what is the same for a program however its headers are: the text and place of
// what the user's own files have between semicolons outside of braces.
func shape(in *syntax.Input) (out []string) {
	depth, first := 0, -1
	for i, tok := range in.Tokens {
		switch {
		case tok.Kind == syntax.Pragma || tok.Pos.Col == 0:
			continue
		case tok.Text == "{":
			depth++
		case tok.Text == "}":
			depth--
		}
		if first < 0 {
			first = i
		}
		if depth == 0 && tok.Text == ";" {
			out = append(out, Pos(in.Tokens[first].Pos).String()+" "+in.Text(first, i))
			first = -1
		}
	}
	if first >= 0 {
		out = append(out, Pos(in.Tokens[first].Pos).String()+" "+in.Text(first, len(in.Tokens)-1))
	}
	return out
}

// TestFallback reads programs with and without a compiler: their own declarations have the same
// places and texts.
func TestFallback(t *testing.T) {
	var files []string
	for _, glob := range []string{"../testdata/run/*.c", "../../examples/*.c", "testdata/places/*.c"} {
		more, _ := filepath.Glob(glob)
		files = append(files, more...)
	}
	for i, f := range files {
		if testing.Short() && i%10 != 0 {
			continue
		}
		own, err := readC(t, f, Options{NoHost: true})
		if err != nil {
			t.Error(err)
			continue
		}
		host, err := readC(t, f, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		a, b := shape(own), shape(host)
		if strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Errorf("%s: without a compiler\n%s\nwith it\n%s", f, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
	}
}

// spell returns the tokens of a stream from user files.
func spell(s *stream) string {
	var b strings.Builder
	for i := range s.toks {
		if !s.toks[i].file.system {
			b.WriteString(s.toks[i].text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestOwnPreprocessor compares the preprocessor with gcc's on programs without headers.
func TestOwnPreprocessor(t *testing.T) {
	dir := "testdata/cpp"
	files, _ := filepath.Glob(dir + "/*.c")
	if more := os.Getenv("COMUS_CPP"); more != "" {
		more, _ := filepath.Glob(more)
		files = append(files, more...)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "#include <") && os.Getenv("COMUS_CPP") != "" {
			continue
		}
		inv := parseOne(t, f)
		out, err := preprocess(context.Background(), []string{"gcc"}, &inv, text, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		want := align(out, f, "", text, 1<<30, nil)
		got, _, err := ownPreprocess(context.Background(), text, &inv, Options{MaxFileSize: 1 << 30})
		if err != nil {
			t.Error(err)
			continue
		}
		if g, w := spell(got), spell(want); g != w {
			i := 0
			for i < len(g) && i < len(w) && g[i] == w[i] {
				i++
			}
			t.Errorf("%s: differs: %.200q, gcc has %.200q", f, g[max(0, i-20):], w[max(0, i-20):])
		}
		for i := 0; i < len(got.toks) && i < len(want.toks); i++ {
			if g, w := got.pos(i), want.pos(i); g != w && w.Col > 0 && !got.toks[i].file.system {
				t.Errorf("%s: token %d %q is at %v, with gcc %v", f, i, got.toks[i].text, g, w)
				break
			}
		}
	}
}
