package determined

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/cutpoints"
	"comus/ir/passes"
	"comus/specialise"
)

// The environment of a process that translates the programs whose names come in, a line each, and of a test that looks at all programs
// of some folders (with colons between), for minutes.
const (
	translatesEnv = "COMUS_TEST_TRANSLATES"
	foldersEnv    = "COMUS_TEST_DETERMINED"
	checksEnv     = "COMUS_TEST_CHECKS" // some properties only, with commas
)

// limit is how long one program may take for one property; with more there is nothing to compare.
const limit = 10 * time.Second

// late is the text of a translation that did not come to its end.
const late = "late"

// translation is what became of a program for a property.
type translation struct {
	File, Check   string
	Cir, Ir, Less string // of cir, of ir, and of that after the passes, with the cut-points: a hash, or the error; late if there was no time
}

func TestMain(m *testing.M) {
	if os.Getenv(translatesEnv) != "" {
		translateAll()
		return
	}
	os.Exit(m.Run())
}

// translateAll is what a process does that translates.
func translateAll() {
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		s, err := comus.Open(context.Background(), comus.File(in.Text()), cfront.Options{})
		for _, check := range checks() {
			t := translation{File: in.Text(), Check: check}
			if err != nil {
				t.Cir = "error: " + err.Error()
			} else {
				t = translate(s, t)
			}
			if err := out.Encode(t); err != nil {
				panic(err)
			}
		}
	}
}

// checks are the properties that programs are translated for.
func checks() []string {
	if names := os.Getenv(checksEnv); names != "" {
		return strings.Split(names, ",")
	}
	return specialise.CheckNames
}

// translate translates a program as the command line does it by default.
func translate(s *comus.Source, t translation) translation {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	t.Cir = sum(s.Program().String())
	check := t.Check
	about, err := specialise.ChecksNamed([]string{check})
	if check == specialise.Assert { // alone it is what comus asks about by default
		about, err = specialise.Checks{}, nil
	}
	if err != nil {
		panic(err)
	}
	r, err := s.Read(ctx, specialise.Options{Check: about, MaxThreads: 3, MaxAllocs: 3, Unwind: 8, UnrollLimit: 64})
	if err != nil {
		t.Ir = said(ctx, err)
		return t
	}
	r.Program.Renumber()
	t.Ir = sum(r.Program.String())
	less, err := passes.Run(r.Program, passes.Names())
	if err != nil {
		t.Less = said(ctx, err)
		return t
	}
	text := less.Program.String()
	for _, g := range cutpoints.Compute(less.Program, cutpoints.Options{}) {
		for _, l := range g.Nodes {
			text += fmt.Sprintf(" %d", l.Index)
		}
	}
	t.Less = sum(text)
	return t
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

func said(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return late
	}
	return "error: " + err.Error()
}

// inProcess translates programs in a process of their own.
func inProcess(t *testing.T, files []string) []translation {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), translatesEnv+"=1")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []translation
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var x translation
		if err := d.Decode(&x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// sameThrice compares what becomes of programs in three processes.
func sameThrice(t *testing.T, files []string) {
	first := inProcess(t, files)
	if len(first) != len(files)*len(checks()) {
		t.Fatalf("%d translations of %d programs", len(first), len(files))
	}
	compared, other := 0, map[string]bool{}
	for range 2 {
		for i, x := range inProcess(t, files) {
			for _, pair := range []struct{ stage, x, y string }{{"cir", x.Cir, first[i].Cir}, {"ir", x.Ir, first[i].Ir}, {"ir after the passes", x.Less, first[i].Less}} {
				switch {
				case pair.x == late || pair.y == late:
				case pair.x != pair.y:
					other[fmt.Sprintf("%s, %s: %s is not the same in each process: %s, %s", x.File, x.Check, pair.stage, pair.x, pair.y)] = true
				case pair.x != "":
					compared++
				}
				if pair.x == late || pair.y == late || pair.x != pair.y {
					break
				}
			}
		}
	}
	for what := range other { // order does not matter: each is a message of its own
		t.Error(what)
	}
	t.Logf("%d programs, %d texts compared", len(files), compared)
	if compared < len(files) {
		t.Errorf("only %d texts of %d programs were compared", compared, len(files))
	}
}

// TestSame translates a few programs with objects on the heap, strings, copies and locks.
func TestSame(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if testing.Short() {
		files = files[:1+len(files)/8]
	}
	sameThrice(t, files)
}

// TestSameEverywhere translates all programs of some folders.
func TestSameEverywhere(t *testing.T) {
	folders := os.Getenv(foldersEnv)
	if folders == "" {
		t.Skip("set " + foldersEnv + " to folders with programs, with colons between")
	}
	var files []string
	for _, dir := range strings.Split(folders, ":") {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err == nil && !d.IsDir() && (ext == ".c" || ext == ".i") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(files)
	sameThrice(t, files)
}
