package slice_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/report/scanreport"
	"comus/scan"
	"comus/scan/slice"
)

// read reads a program.
func read(t testing.TB, file string) *cir.Program {
	t.Helper()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// result returns all that is shown of a program.
func result(t testing.TB, p *cir.Program, after func()) *scanreport.Program {
	t.Helper()
	res, err := scan.Analyse(context.Background(), p, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after()
	s := scanreport.Of("p", nil, res, nil)
	s.Phases = nil
	register := regexp.MustCompile(`%\d+`) // in the names of locks; they are numbered anew
	for _, f := range s.Findings {
		f.Suspects = nil
		for _, a := range []*scanreport.Access{&f.A, &f.B} {
			for i := range a.Locks {
				a.Locks[i] = register.ReplaceAllString(a.Locks[i], "%")
			}
		}
	}
	for _, l := range s.Locations {
		for i := range l.Locks {
			l.Locks[i] = register.ReplaceAllString(l.Locks[i], "%")
		}
	}
	return s
}

// TestReal compares results for programs as they are and for their slices.
func TestReal(t *testing.T) {
	files := os.Getenv("COMUS_SLICE")
	if files == "" {
		t.Skip("COMUS_SLICE names no files")
	}
	list, err := filepath.Glob(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		t.Run(filepath.Base(file), func(t *testing.T) {
			whole := result(t, read(t, file), func() {})
			p := read(t, file)
			start := time.Now()
			g := slice.Of(p)
			took := time.Since(start)
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			short := result(t, p, g.Restore)
			compare(t, whole, short)
			t.Logf("reduced in %v", took)
		})
	}
}

// compare tells how what is shown of a slice differs from what is shown of the program.
func compare(t *testing.T, whole, short *scanreport.Program) {
	t.Helper()
	if reflect.DeepEqual(whole, short) {
		return
	}
	t.Errorf("functions %d, of the slice %d; accesses %d, %d; locations %d, %d; findings %d, %d", whole.Funcs, short.Funcs, whole.Accesses, short.Accesses,
		len(whole.Locations), len(short.Locations), len(whole.Findings), len(short.Findings))
	for i := range min(len(whole.Locations), len(short.Locations)) {
		if x, y := whole.Locations[i], short.Locations[i]; !reflect.DeepEqual(x, y) {
			t.Errorf("location %+v\n of the slice %+v", x, y)
			break
		}
	}
	for i := range min(len(whole.Findings), len(short.Findings)) {
		if x, y := whole.Findings[i], short.Findings[i]; !reflect.DeepEqual(x, y) {
			t.Errorf("finding %#v\n of the slice %#v", x, y)
			break
		}
	}
	if !reflect.DeepEqual(whole.Assumptions, short.Assumptions) {
		t.Errorf("assumed %q, of the slice %q", whole.Assumptions, short.Assumptions)
	}
}
