package cache

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/digest"
	"comus/internal/randedit"
	"comus/report/survey"
	"comus/scan"
	"comus/scan/gist"
)

// reading is a program that was read for a scan.
type reading struct {
	g   *gist.Gist
	sum digest.Sum
	at  Where
}

// read reads a source as a scan does it; nil if it is no program.
func read(t *testing.T, file, source string) *reading {
	t.Helper()
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		return nil
	}
	r := &reading{g: gist.Of(p.Program)}
	sum, places, err := digest.Of(p.Program)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Program.Check(); err != nil {
		t.Fatal(err)
	}
	r.sum, r.at = sum, Where{Places: places, Sites: r.g.Sites}
	return r
}

// scan analyses it.
func (r *reading) scan(t *testing.T) *survey.Program {
	t.Helper()
	res, err := scan.Analyse(context.Background(), r.g.Program, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.g.Restore()
	p := survey.Of("p", nil, res, nil)
	p.Phases = nil
	return p
}

// kept returns a result without what is not kept.
func kept(p *survey.Program) *survey.Program {
	q := *p
	q.Findings = nil
	for _, f := range p.Findings {
		g := *f
		g.Suspects = nil
		q.Findings = append(q.Findings, &g)
	}
	return &q
}

// edits makes random edits of a program, and compares what is kept of it with what a scan from scratch finds, wherever the
// cache has it. It returns how many there were of each kind, and how many of them the cache had.
func edits(t *testing.T, file, source string, random *rand.Rand, n int, verify bool) (all, hits map[string]int) {
	t.Helper()
	all, hits = map[string]int{}, map[string]int{}
	first := read(t, file, source)
	if first == nil {
		t.Fatal("the program cannot be read")
	}
	var data []byte
	if verify {
		var err error
		if data, err = encode("key", first.scan(t), first.at); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < n; i++ {
		kind := randedit.Kinds[random.IntN(len(randedit.Kinds))]
		edited, ok := randedit.Edit(random, kind, source)
		if !ok {
			continue
		}
		now := read(t, file, edited)
		if now == nil {
			continue
		}
		all[kind]++
		if now.sum != first.sum {
			if to := os.Getenv("COMUS_WHY"); to != "" { // what is different
				os.WriteFile(filepath.Join(to, strconv.Itoa(i)+"-"+kind+".c"), []byte(edited), 0o666)
				os.WriteFile(filepath.Join(to, strconv.Itoa(i)+"-"+kind+".cir"), []byte(now.g.Program.String()), 0o666)
				os.WriteFile(filepath.Join(to, "0.cir"), []byte(first.g.Program.String()), 0o666)
			}
			continue
		}
		if !verify {
			hits[kind]++
			continue
		}
		now.g.Restore()
		got, err := decode("key", data, now.at)
		if err != nil {
			continue
		}
		hits[kind]++
		now.g.Strip()
		if want := kept(now.scan(t)); !reflect.DeepEqual(got, want) {
			wrong := filepath.Join(os.TempDir(), "wrong-edit.c")
			os.WriteFile(wrong, []byte(edited), 0o666)
			t.Fatalf("%s: the cache has %d locations and %d findings, there are %d and %d, see %s", kind, len(got.Locations), len(got.Findings), len(want.Locations), len(want.Findings), wrong)
		}
	}
	return all, hits
}

// TestEditsOfFiles makes edits of the files that COMUS_EDIT names, COMUS_EDITS of each (200); with COMUS_VERIFY it compares results, too.
func TestEditsOfFiles(t *testing.T) {
	if os.Getenv("COMUS_EDIT") == "" {
		t.Skip("COMUS_EDIT names no files")
	}
	files, err := filepath.Glob(os.Getenv("COMUS_EDIT"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(os.Getenv("COMUS_EDITS"))
	if err != nil {
		n = 200
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seed := sha256.Sum256([]byte(file + os.Getenv("COMUS_SEED")))
		all, hits := edits(t, filepath.Join(t.TempDir(), "p.c"), string(text), rand.New(rand.NewChaCha8(seed)), n, os.Getenv("COMUS_VERIFY") != "")
		sum, found := 0, 0
		for _, k := range randedit.Kinds {
			sum, found = sum+all[k], found+hits[k]
			t.Logf("%-10s %3d of %3d", k, hits[k], all[k])
		}
		t.Logf("%s: the cache has %d of %d", filepath.Base(file), found, sum)
	}
}
