package scan_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/scan"
	"comus/scan/slice"
)

// sameSlice compares what is found of a program and of its slice: all programs of tests are compared.
func sameSlice(t *testing.T, file string) {
	t.Helper()
	var found [2][]string
	for i := range found {
		p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true, Libraries: true})
		if err != nil {
			t.Fatal(err)
		}
		after := func() {}
		if i == 1 {
			after = slice.Of(p.Program).Restore
			if err := p.Program.Check(); err != nil {
				t.Fatalf("the slice is no program: %v", err)
			}
		}
		r := analyse(t, p.Program)
		after()
		found[i] = shown(r)
		slices.Sort(found[i]) // objects come up in another order
	}
	if !slices.Equal(found[0], found[1]) {
		t.Errorf("of the program\n%q\nof its slice\n%q", found[0], found[1])
	}
}

// register is in the names of locks, and numbered anew in a slice.
var register = regexp.MustCompile(`%\d+`)

// shown returns what people would be shown of a result.
func shown(r *scan.Result) (list []string) {
	for _, t := range r.Threads {
		list = append(list, fmt.Sprint(t.Name, t.Many))
	}
	at := func(a *scan.Access) string {
		return fmt.Sprint(a.Site.Pos, a.Site.Text, a.Thread.Name, a.Write, a.Atomic, a.Locks)
	}
	for _, l := range r.Locations {
		list = append(list, fmt.Sprint(l.Name, l.Type, l.Why, l.Locks, l.More, len(l.Accesses)))
		for _, s := range l.Suspects {
			list = append(list, fmt.Sprint(at(s.A), at(s.B), s.Reason, s.Help, s.Rank))
		}
	}
	list = append(list, r.Assumptions...)
	for i := range list {
		list[i] = register.ReplaceAllString(list[i], "%")
	}
	return append(list, fmt.Sprint(r.Funcs, r.Accesses))
}
