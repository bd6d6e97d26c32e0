package valuecheck_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/check/valuecheck"
	"comus/internal/long"
	"comus/scan/certificate"
	"comus/scan/values"
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
	var locks []int
	for i := range c.Locks {
		locks = append(locks, i)
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
				if has(8) {
					s.Locks = locks
				}
				if has(9) {
					s.Depth = "1"
				}
			}
		}
	}
}

// alone are each kind of lies, and each two of them.
var alone = func() (list []uint) {
	for i := range 10 {
		for j := range i + 1 {
			list = append(list, 1<<i|1<<j)
		}
	}
	return list
}()

// TestLies has claims of programs with assertions that fail agree with each other that these do not: none is confirmed.
func TestLies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	asked := 0
	for _, p := range allPairs() {
		if p.name == "jumps" {
			continue
		}
		s, err := analysed(t.Context(), decls+p.open)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 75 {
			if !long.Turn(i+len(p.name), 6) {
				continue
			}
			n, kinds := []int{0, 1, 2, 3, 4, 5, 7, 9}[r.IntN(8)], uint(r.IntN(1024))
			if i < 55 { // each kind by itself, and with each other one
				kinds = alone[i]
			}
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

// TestChanges has one function at a time claim that it changes nothing, though whoever calls it says that it does.
func TestChanges(t *testing.T) {
	for _, p := range pairs {
		if p.name == "jumps" {
			continue
		}
		s, err := analysed(t.Context(), decls+p.open)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.claims.Changes {
			c := s.found.Claims()
			if len(c.Changes[i]) == 0 {
				continue
			}
			c.Changes[i] = nil
			rep, err := valuecheck.Check(t.Context(), s.prog, s.pts, c, valuecheck.Options{})
			if err == nil && !slices.ContainsFunc(s.found.Assertions(), func(a *values.Assertion) bool { return !rep.Confirmed[a.Instr] }) {
				t.Errorf("%s: confirmed where copy %d changes nothing", p.name, i)
			}
		}
	}
}

// TestOverlap claims of a byte of a cell, as if it were another one, that it is never written.
func TestOverlap(t *testing.T) {
	s, err := analysed(t.Context(), decls+"int g; int main(void) { g = 5; assert(*(unsigned char *)&g == 0); }")
	if err != nil {
		t.Fatal(err)
	}
	whole := certificate.ValueCell{Object: -1, Size: 4, Bits: 32, Kind: "int"}
	for i, o := range s.pts.Objects {
		if o.Global != nil && o.Global.Name == "g" {
			whole.Object = i
		}
	}
	part := certificate.ValueCell{Object: whole.Object, Size: 1, Bits: 8, Kind: "uint", Ever: "0"}
	for _, cells := range [][]certificate.ValueCell{{part}, {whole, part}, {part, whole}} {
		c := &certificate.Values{Version: certificate.ValuesVersion, Cells: cells}
		rep, err := valuecheck.Check(t.Context(), s.prog, s.pts, c, valuecheck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Confirmed[s.found.Assertions()[0].Instr] {
			t.Errorf("confirmed with %v", cells)
		}
	}
}
