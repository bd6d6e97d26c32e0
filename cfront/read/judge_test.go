package read

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"comus/internal/long"
)

// judged is where gcc itself says that a token is (-fdebug-cpp).
type judged struct {
	text      string
	file      string
	line, col int
}

var dump = regexp.MustCompile(`\{P:([^;{}]*);F:[^;{}]*;L:(-?\d+);C:(-?\d+);S:[^{}]*\}`)

// judge returns the tokens of a file with their places as gcc knows them.
func judge(t *testing.T, file string, flags ...string) (out []judged) {
	t.Helper()
	text, err := exec.Command("gcc", append(flags, "-E", "-P", "-w", "-fdebug-cpp", file)...).Output()
	if err != nil {
		return nil
	}
	var line []byte
	for _, l := range bytes.Split(text, []byte("\n")) {
		if bytes.HasPrefix(l, []byte("# ")) || bytes.HasPrefix(l, []byte("#pragma")) {
			continue
		}
		line = append(append(line, l...), '\n')
	}
	at := dump.FindAllSubmatchIndex(line, -1)
	for i, m := range at {
		end := len(line)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		lex := newLexer(line[m[1]:end])
		for {
			tok, ok := lex.next()
			if !ok {
				break
			}
			if tok.text == "#" {
				lex.directive()
				continue
			}
			n, _ := strconv.Atoi(string(line[m[4]:m[5]]))
			c, _ := strconv.Atoi(string(line[m[6]:m[7]]))
			out = append(out, judged{tok.text, string(line[m[2]:m[3]]), n, c})
		}
	}
	return out
}

// compareWithJudge counts the tokens of a file that are elsewhere than gcc says.
func compareWithJudge(t *testing.T, file string, flags ...string) (total, wrong int) {
	t.Helper()
	want := judge(t, file, flags...)
	if want == nil {
		t.Logf("%s: gcc does not read it", file)
		return 0, 0
	}
	text, err := exec.Command("gcc", append(flags, "-E", "-w", "-dD", file)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	s := align(text, file, "", readAll(t, file), 1<<30, nil)
	for i := 0; i < len(s.toks) && i < len(want); i++ {
		g, w := &s.toks[i], want[i]
		if g.text != w.text {
			t.Errorf("%s: token %d is %q, not %q", file, i, g.text, w.text)
			return total, wrong + 1
		}
		if g.file.system {
			continue
		}
		total++
		line, col := int(g.line), int(g.col)
		if g.call != nil {
			if g.to == 0 {
				continue // gcc tells the place in the definition
			}
			lex := g.file.text[:g.from]
			line = bytes.Count(lex, []byte("\n")) + 1
			col = len(lex) - bytes.LastIndexByte(lex, '\n')
		}
		if line != w.line || col != w.col {
			if wrong++; wrong <= 5 {
				t.Logf("%s: %q is at %d:%d, gcc says %d:%d (call %v)", file, g.text, line, col, w.line, w.col, g.call)
			}
		}
	}
	if len(s.toks) != len(want) {
		t.Logf("%s: %d tokens, gcc has %d", file, len(s.toks), len(want))
	}
	return total, wrong
}

// TestPlaces compares places with gcc's own.
func TestPlaces(t *testing.T) {
	if v, err := exec.Command("gcc", "--version").Output(); err != nil || !strings.Contains(string(v), "Free Software") {
		t.Skip("no gcc")
	}
	files, _ := filepath.Glob("testdata/places/*.c")
	run, _ := filepath.Glob("../testdata/run/*.c")
	for i, f := range run {
		if i%long.N(20, 100) == 0 {
			files = append(files, f)
		}
	}
	if more := os.Getenv("COMUS_PLACES"); more != "" {
		more, _ := filepath.Glob(more)
		files = append(files, more...)
	}
	all, bad := 0, 0
	for _, f := range files {
		total, wrong := compareWithJudge(t, f, strings.Fields(os.Getenv("COMUS_PLACES_FLAGS"))...)
		all, bad = all+total, bad+wrong
	}
	t.Logf("%d of %d tokens are elsewhere", bad, all)
	if bad > 0 {
		t.Fail()
	}
}

func readAll(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
