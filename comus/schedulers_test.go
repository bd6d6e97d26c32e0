package comus

import (
	"bufio"
	"cmp"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cir/interp/sample"
	"comus/comus/confirm"
	"comus/scan/directed"
	"comus/specialise"
)

var (
	schedulersIndex = flag.String("schedulers.index", "", "compare the schedulers on the unsafe programs of an INDEX.tsv with the columns program, property, verdict")
	schedulersTime  = flag.Duration("schedulers.time", time.Second, "the time of each program and scheduler")
)

// unsafeProgram is a program that violates a property.
type unsafeProgram struct{ file, property string }

// unsafePrograms returns those of an index, or of the folder of the tests of races and memory.
func unsafePrograms(t *testing.T) (list []unsafeProgram) {
	t.Helper()
	if *schedulersIndex == "" {
		for _, m := range mistakes {
			file := filepath.Join(t.TempDir(), "workers.c")
			if err := os.WriteFile(file, []byte(programWith(m.part, m.by)), 0o600); err != nil {
				t.Fatal(err)
			}
			list = append(list, unsafeProgram{file, m.property})
		}
		return list
	}
	f, err := os.Open(*schedulersIndex)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if c := strings.Split(lines.Text(), "\t"); len(c) > 2 && c[2] == "unsafe" && slices.Contains(specialise.CheckNames, c[1]) {
			list = append(list, unsafeProgram{filepath.Join(filepath.Dir(*schedulersIndex), c[0]), c[1]})
		}
	}
	return list
}

// TestSchedulers compares schedulers: how many programs fail in runs within some time, and after how many runs. Whatever the scheduler is, most programs with one mistake fail.
func TestSchedulers(t *testing.T) {
	list := unsafePrograms(t)
	names := slices.Sorted(maps.Keys(sample.Schedulers))
	const byDefault = "these, along races, reads-from, all"
	more := map[string]directed.Options{ // besides the schedulers of a run
		"these, along races":             {Races: true},
		"these, reads-from":              {Feedback: 1},
		"these, along races, reads-from": {Races: true, Feedback: 8},
		"these, along races, all":        {Races: true, All: func(*directed.All) {}},
		byDefault:                        {Races: true, Feedback: 8, All: func(*directed.All) {}},
	}
	for _, name := range append(names, slices.Sorted(maps.Keys(more))...) {
		if *schedulersIndex == "" && name != byDefault {
			continue // it is a measurement
		}
		var runs []int
		var took []time.Duration
		for _, p := range list {
			s, err := Open(t.Context(), File(p.file), cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			opts := more[name]
			opts.Grow, opts.Directed, opts.Time, opts.Stats, opts.Schedule = true, -1, *schedulersTime*4/3, &directed.Stats{}, sample.Schedulers[name]
			begun := time.Now()
			found, err := directed.For(t.Context(), s.prog.Program, []directed.Target{confirm.TargetOf(p.property, false)}, opts)
			if err != nil {
				t.Fatal(p.file, err)
			}
			if found[0].Execution != nil {
				runs, took = append(runs, opts.Stats.Runs), append(took, time.Since(begun))
			}
		}
		t.Logf("%-36s %3d of %d, median %4d runs, %7.1f ms; nine of ten within %5d runs", name, len(runs), len(list), quantile(runs, 50), float64(quantile(took, 50).Microseconds())/1e3, quantile(runs, 90))
		if len(runs)*4 < len(list)*3 {
			t.Errorf("%s: %d of %d programs fail", name, len(runs), len(list))
		}
	}
}

// quantile returns the value that so many of a hundred are at most; 0 of none.
func quantile[T cmp.Ordered](all []T, percent int) (x T) {
	if len(all) == 0 {
		return x
	}
	return slices.Sorted(slices.Values(all))[min(len(all)*percent/100, len(all)-1)]
}
