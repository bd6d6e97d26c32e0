package scancheck_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/scancheck"
	"comus/cir"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// scanned is a program with what the scan says of it.
type scanned struct {
	prog *cir.Program
	pts  *pointsto.Result
	res  *scan.Result
}

func load(t testing.TB, file string) *scanned {
	t.Helper()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &scanned{prog: p.Program}
	if s.pts, err = pointsto.AnalyseOpen(context.Background(), s.prog); err != nil {
		t.Fatal(err)
	}
	if s.res, err = scan.Analyse(context.Background(), s.prog, s.pts, scan.Options{Certificate: true, Whole: true}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scanned) check(t testing.TB, c *certificate.Certificate) *scancheck.Report {
	t.Helper()
	r, err := scancheck.Check(context.Background(), s.prog, s.pts, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// races are the programs of which it is known whether they have a race.
func races(t testing.TB) (files []string, wants map[string]string) {
	t.Helper()
	all, err := filepath.Glob("../../cfront/testdata/race/*.c")
	if err != nil || len(all) == 0 {
		t.Fatal("no programs", err)
	}
	wants = map[string]string{}
	for _, file := range all {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(src), "\n")
		want, checks, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
		if strings.Contains(checks, "race") {
			files = append(files, file)
			wants[file] = want
		}
	}
	return files, wants
}

// TestAccepted checks the certificates of programs: what the scan calls free is certified, but for what is too clever, and nothing else.
func TestAccepted(t *testing.T) {
	files, wants := races(t)
	free, certified, safe, whole := 0, 0, 0, 0
	for i, file := range files {
		if i%12 > 1 && os.Getenv("COMUS_ALL") == "" {
			continue // a safe one and an unsafe one of six of each
		}
		s := load(t, file)
		r := s.check(t, s.res.Certificate)
		all := true
		for i, l := range s.res.Locations {
			all = all && r.Certified(i)
			switch {
			case l.Why == scan.Suspected && r.Certified(i):
				t.Errorf("%s: %s is certified, but has suspects", file, l.Name)
			case l.Why != scan.Suspected:
				free++
				if r.Certified(i) {
					certified++
				} else {
					t.Logf("%s: %s (%v): %s; %v", filepath.Base(file), l.Name, l.Why, r.Wrong[i], r.Refused)
				}
			}
		}
		switch err := r.RaceFree(); {
		case err == nil && wants[file] != "SAFE":
			t.Errorf("%s has a race, and the program is certified", file)
		case err == nil && !all:
			t.Errorf("%s is certified, but not all of its locations are", file)
		case wants[file] == "SAFE":
			safe++
			if err == nil {
				whole++
				continue
			}
			t.Logf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("of %d programs without a race %d are certified", safe, whole)
	t.Logf("of %d locations that are race-free %d are certified", free, certified)
	if certified < free*3/4 {
		t.Errorf("of %d locations that are race-free only %d are certified", free, certified)
	}
}

// TestText writes certificates and reads them again.
func TestText(t *testing.T) {
	s := load(t, "../../cfront/testdata/race/lock_in_struct_safe.c")
	again := load(t, "../../cfront/testdata/race/lock_in_struct_safe.c")
	var a, b bytes.Buffer
	if s.res.Certificate.Write(&a) != nil || again.res.Certificate.Write(&b) != nil {
		t.Fatal("not written")
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two certificates of a program differ")
	}
	c, err := certificate.Read(&a)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.check(t, c); r.Count() == 0 {
		t.Errorf("what was written is not certified: %v %v", r.Wrong, r.Refused)
	}
	for _, bad := range []string{"", "{}", `{"version":1,"more":2}`, "[]"} {
		if _, err := certificate.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
