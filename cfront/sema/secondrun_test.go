package sema

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cfront/read"
	"comus/internal/long"
	"comus/internal/randapp"
	"comus/internal/randc"
	"comus/internal/secondreader"
)

var (
	secondPrograms = flag.Int("second.programs", 20, "how many random programs of each kind TestSecondReader reads with both readers")
	secondKeep     = flag.String("second.keep", "", "a folder that its random programs are left in")
	secondSeed     = flag.Uint64("second.seed", 1, "the seed of the first one")
)

// unitFolders are where the units are that both read.
var unitFolders = []string{
	"../../examples/*.c", "../../examples/*/*.c", "../../examples/gen/testdata/*.c", "../testdata/*/*.c", "../build/testdata/*.c", "../build/testdata/*/*.c",
	"../read/testdata/*/*.c", "../libc/testdata/*.c", "testdata/second/*.c", "../libc/testdata/programs/*.c", "../../check/robust/testdata/*.c", "../../ir/passes/testdata/*.c",
	"../../replay/testdata/*.c", "../../report/html/testdata/*.c", "../../sequentialize/testdata/*.c", "../../internal/determined/testdata/*.c",
	"../../comus/validate/testdata/witness/*.c", "../../cir/cgen/runtime/*.c",
}

// second is a comparison of our front end with cc.
type second struct {
	reader, host                        *secondreader.Reader
	keep                                string // where random programs are left
	units, refused, declarations, items int
	spans                               int
	both                                int // units that we and gcc refuse
	bytes                               int // objects whose bytes gcc was asked about, and has as we do
	happened                            map[*known]int
}

func newSecond(t *testing.T) *second {
	t.Helper()
	r, err := secondreader.New("../read/include")
	if err != nil {
		t.Skip("cc asks the compiler for its macros: ", err)
	}
	host, err := secondreader.New()
	if err != nil {
		t.Fatal(err)
	}
	return &second{reader: r, host: host, keep: *secondKeep, happened: map[*known]int{}}
}

// unit reads a unit with both, with the embedded headers or those of the host, and complains about what nobody has explained.
func (s *second) unit(t *testing.T, file string) {
	t.Helper()
	ours, err := readOurs(file, "", read.Options{NoHost: true})
	reader := s.reader
	if err != nil {
		reader = s.host
		if ours, err = readOurs(file, "", read.Options{}); err != nil {
			s.gccToo(t, file, err)
			return
		}
	}
	theirs, err := reader.Read(file, "")
	if err != nil {
		s.refused++
		first, _, _ := strings.Cut(err.Error(), "\n")
		s.explain(t, file, secondreader.Difference{Fact: "unit", Attribute: "read", Ours: "taken", Theirs: "refused: " + first})
		return
	}
	s.units++
	differences, common := secondreader.Compare(ours.facts, theirs.Facts())
	s.declarations += common
	for _, d := range differences {
		if d.Attribute == "bytes" && gccHas(t, file, d) {
			s.bytes++
			continue
		}
		s.explain(t, file, d)
	}
	for _, d := range compareItems(ours.items, theirs.Items()) {
		s.explain(t, file, d)
	}
	for _, it := range ours.items {
		s.items++
		s.spans += len(it.Spans)
	}
}

// gccToo complains about a unit that we refuse unless gcc does so.
func (s *second) gccToo(t *testing.T, file string, err error) {
	t.Helper()
	b, readErr := os.ReadFile(file)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if gcc(t, string(b), "-fsyntax-only", "-I", filepath.Dir(file)) != "" {
		s.both++
		return
	}
	s.explain(t, file, secondreader.Difference{Fact: "unit", Attribute: "read", Ours: "refused: " + err.Error(), Theirs: "taken by gcc"})
}

// compareItems compares the tokens of what stands at file scope, and those that the nodes within stand for.
func compareItems(ours, theirs []*secondreader.Item) (out []secondreader.Difference) {
	say := func(at secondreader.Place, what, a, b string) {
		out = append(out, secondreader.Difference{Fact: "item", At: at, Attribute: what, Ours: a, Theirs: b})
	}
	if len(ours) != len(theirs) {
		say(secondreader.Place{}, "number", strconv.Itoa(len(ours)), strconv.Itoa(len(theirs)))
		return out
	}
	for i, a := range ours {
		b := theirs[i]
		if a.At != b.At {
			say(a.At, "begin", a.At.String(), b.At.String())
		}
		if !slices.Equal(a.Tokens, b.Tokens) {
			k := 0
			for k < len(a.Tokens) && k < len(b.Tokens) && a.Tokens[k] == b.Tokens[k] {
				k++
			}
			say(a.At, "tokens", strings.Join(a.Tokens[k:min(k+10, len(a.Tokens))], " "), strings.Join(b.Tokens[k:min(k+10, len(b.Tokens))], " "))
			continue
		}
		for x := range a.Spans {
			if !b.Spans[x] {
				say(a.At, "node", a.Text(x), "none")
			}
		}
		for x := range b.Spans {
			if !a.Spans[x] {
				say(a.At, "node", "none", a.Text(x))
			}
		}
	}
	return out
}

// gccHas tells whether gcc has the bytes of an object as we do, as far as we know them.
func gccHas(t *testing.T, file string, d secondreader.Difference) bool {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o, err := compileData(t, string(b))
	if err != nil || len(o.data[d.Name])*2 != len(d.Ours) {
		return false
	}
	for i, c := range fmt.Appendf(nil, "%x", o.data[d.Name]) {
		if d.Ours[i] != '?' && d.Ours[i] != c {
			return false
		}
	}
	return true
}

// explain looks a difference up in the table.
func (s *second) explain(t *testing.T, file string, d secondreader.Difference) {
	t.Helper()
	for i := range knownDifferences {
		if k := &knownDifferences[i]; k.is.MatchString(d.String()) && k.explains(file, d) {
			s.happened[k]++
			return
		}
	}
	t.Errorf("%s: %s", file, d)
}

// explains looks at the source, and at what both say.
func (k *known) explains(file string, d secondreader.Difference) bool {
	if k.but != nil && k.but.ReplaceAllString(d.Ours, "") != k.but.ReplaceAllString(d.Theirs, "") {
		return false
	}
	if k.line == nil {
		return true
	}
	text, _ := os.ReadFile(file)
	lines := strings.Split(string(text), "\n")
	return d.At.Line > 0 && d.At.Line <= len(lines) && k.line.MatchString(lines[d.At.Line-1])
}

// files compares the units of all tests; in short runs, one of ten.
func (s *second) files(t *testing.T) {
	t.Helper()
	n := 0
	for _, glob := range unitFolders {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Errorf("nothing is in %s", glob)
		}
		for _, f := range files {
			if n++; long.Turn(n, 10) {
				s.unit(t, f)
			}
		}
	}
}

// TestSecondReader reads the units of all tests and random programs with our front end and with cc, and compares what they make of them, declaration by
// declaration and node by node.
func TestSecondReader(t *testing.T) {
	s := newSecond(t)
	if *secondSeed == 1 { // who asks for other random programs has read these
		s.files(t)
	}
	t.Logf("files: %s", s)
	for i := range uint64(long.N(*secondPrograms, min(*secondPrograms, 2))) {
		seed := *secondSeed + i
		s.random(t, fmt.Sprintf("randc%d.c", seed), forCC(randc.Program(seed, randc.All|randc.Complex|randc.Nested|randc.Vectors)))
		s.random(t, fmt.Sprintf("randapp%d.c", seed), randapp.New(seed, randapp.Options{}).Text)
	}
	t.Logf("with random programs: %s", s)
	for i := range knownDifferences {
		k := &knownDifferences[i]
		t.Logf("%d times: %s", s.happened[k], k.why)
		if s.happened[k] == 0 && !testing.Short() && *secondPrograms >= 20 && *secondSeed == 1 {
			t.Errorf("a difference that does not happen any more: %s (%v)", k.why, k.is)
		}
	}
}

// random compares a random program.
func (s *second) random(t *testing.T, name, text string) {
	t.Helper()
	dir := s.keep
	if dir == "" {
		dir = t.TempDir()
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s.unit(t, file)
}

var oneToOne = regexp.MustCompile(`\[(\d+) \.\.\. (\d+)\]`)

// forCC takes from a random program two things that most of them have and cc refuses: constants of several characters, and ranges of one element.
func forCC(text string) string {
	text = strings.NewReplacer(`'ab'`, "24930", `'\17a'`, "3937").Replace(text)
	return oneToOne.ReplaceAllStringFunc(text, func(s string) string {
		if m := oneToOne.FindStringSubmatch(s); m[1] == m[2] {
			return "[" + m[1] + "]"
		}
		return s
	})
}

func (s *second) String() string {
	return fmt.Sprintf("%d units, %d that cc refuses, %d that we and gcc refuse, %d declarations, %d items of file scope, %d spans; gcc has the bytes of %d objects as we have, and not as cc",
		s.units, s.refused, s.both, s.declarations, s.items, s.spans, s.bytes)
}

// TestSecondReaderByGCC asks gcc who is right about each known difference.
func TestSecondReaderByGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	for _, k := range knownDifferences {
		if k.gcc == "" {
			continue
		}
		if msg := gcc(t, k.gcc, "-fsyntax-only"); msg != "" {
			t.Errorf("%s: gcc does not say so: %v", k.why, msg)
		}
	}
}
