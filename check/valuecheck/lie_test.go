package valuecheck_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/check/valuecheck"
	"comus/scan/certificate"
)

// without takes a number out of a set.
func without(text string, n int) string {
	if strings.Contains(text, "..") || text == "" {
		return text
	}
	parts := slices.DeleteFunc(strings.Split(text, ","), func(s string) bool { return s == strconv.Itoa(n) })
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ",")
}

// lie takes a number out of some kinds of claims everywhere, so that they agree with each other.
func lie(c *certificate.Values, n int, kinds uint) {
	has := func(k uint) bool { return kinds&(1<<k) != 0 }
	for i := range c.Cells {
		x := &c.Cells[i]
		if has(0) {
			x.Met = without(x.Met, n)
		}
		if has(1) {
			x.Ever = without(x.Ever, n)
		}
		if has(6) && len(c.Locks) > 0 && len(x.Guard) == 0 {
			x.Guard = []int{0}
		}
	}
	if has(7) {
		clear(c.Changes)
	}
	for i := range c.Activations {
		for _, f := range []*certificate.ValueFlow{c.Activations[i].Alone, c.Activations[i].Among} {
			if f == nil {
				continue
			}
			for _, s := range append(slices.Clone(f.Blocks), f.Exit) {
				if s == nil {
					continue
				}
				for k, list := range [][]certificate.ValueOf{s.Regs, s.Cells, s.Held} {
					for j := range list {
						if has(uint(2 + k)) {
							list[j].Is = without(list[j].Is, n)
						}
					}
				}
				if has(5) {
					s.Result = without(s.Result, n)
				}
			}
		}
	}
}

// TestLies has claims of programs with assertions that fail agree with each other that these do not: none is confirmed.
func TestLies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	asked := 0
	for _, p := range slices.Concat(pairs, stringPairs) {
		if p.name == "jumps" {
			continue
		}
		s, err := analysed(t.Context(), decls+p.open)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			n, kinds := []int{0, 1, 2, 3, 4, 5, 7, 9}[r.IntN(8)], uint(r.IntN(256))
			c := s.found.Claims()
			lie(c, n, kinds)
			rep, err := valuecheck.Check(t.Context(), s.prog, s.pts, c, valuecheck.Options{})
			if err != nil {
				continue
			}
			asked++
			all := true
			for _, a := range s.found.Assertions() {
				all = all && rep.Confirmed[a.Instr]
			}
			if all {
				t.Errorf("%s: confirmed without %d in %b", p.name, n, kinds)
				break
			}
		}
	}
	t.Log(asked, "certificates")
}
