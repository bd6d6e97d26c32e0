package torture

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/internal/long"
	"comus/internal/randc"
)

// TestPrograms looks at the list.
func TestPrograms(t *testing.T) {
	ps, err := Programs()
	if err != nil {
		t.Skip(err) // without the module and without a network
	}
	suites, needs := map[string]int{}, map[Need]int{}
	comparable, all := 0, map[string]Program{}
	for _, p := range ps {
		all[p.Name] = p
		suites[p.Name[:strings.LastIndex(p.Name, "/")]]++
		for _, n := range p.Needs {
			needs[n]++
		}
		if p.Reason == "" {
			comparable++
		}
		if src, err := p.Source(); err != nil || src == "" {
			t.Errorf("%s: no source: %v", p.Name, err)
		}
	}
	t.Logf("%d programs, %d with an exit code: %v, needs %v", len(ps), comparable, suites, needs)
	if comparable < 1500 {
		t.Errorf("%d programs have an exit code to compare with, 1500 are wanted", comparable)
	}
	known, err := judged()
	if err != nil {
		t.Error(err)
	}
	for name := range known {
		if _, ok := all[name]; !ok {
			t.Errorf("judged.txt has %s, which is no program", name)
		}
	}
	for _, c := range []struct {
		name  string
		needs []Need
		flags []string
		files int
	}{
		{"gcc/20000112-1.c", nil, nil, 1},
		{"gcc/comp-goto-1.c", []Need{Labels}, nil, 1},
		{"gcc/nestfunc-1.c", []Need{Nested}, nil, 1},
		{"gcc/20001228-1.c", nil, nil, 1},
		{"gcc/builtins/abs-1.c", []Need{Overrides}, []string{"-fno-builtin-abs"}, 3},
		{"gcc/eeprof-1.c", []Need{Instrumented}, []string{"-finstrument-functions"}, 1},
		{"gcc/pr23047.c", nil, []string{"-fwrapv"}, 1},
		{"gcc/simd-1.c", []Need{Vectors}, nil, 1},
	} {
		p, ok := all[c.name]
		if !ok || !slices.Equal(p.Needs, c.needs) || !slices.Equal(p.Flags, c.flags) || len(p.Files) != c.files {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// TestJudge finds out what gcc says: of a part of the programs, or of all if
// TORTURE_ALL is set. With TORTURE_WRITE it writes that to judged.txt.
func TestJudge(t *testing.T) {
	ps, err := Programs()
	if err != nil {
		t.Skip(err)
	}
	write := os.Getenv("TORTURE_WRITE") != ""
	if !write && os.Getenv("TORTURE_ALL") == "" {
		var some []Program
		for i := 0; i < len(ps); i += long.N(23, 230) {
			some = append(some, ps[i])
		}
		ps = some
	}
	dir := t.TempDir()
	lines := make([]string, len(ps))
	var mu sync.Mutex
	randc.InParallel(len(ps), func(i int) {
		p := ps[i]
		r, reason, err := p.Judge(dir)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			t.Errorf("%s: %v", p.Name, err)
		case reason != "":
			lines[i] = fmt.Sprintf("%s\t%s\n", p.Name, reason)
		case r.CPU > 50*time.Millisecond:
			lines[i] = fmt.Sprintf("%s\t%d\tslow\n", p.Name, r.Code)
		case r.Code != 0:
			lines[i] = fmt.Sprintf("%s\t%d\n", p.Name, r.Code)
		}
		if !write && err == nil && ((reason != "") != (p.Reason != "") || reason == "" && r.Code != p.Code) {
			t.Errorf("%s: %d %q, want %d %q", p.Name, r.Code, reason, p.Code, p.Reason)
		}
	})
	if write {
		if err := os.WriteFile("judged.txt", []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Error(err)
		}
	}
}
