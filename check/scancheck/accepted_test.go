package scancheck_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/certificate"
)

// A certificate that was changed is accepted where the claim is true that it has instead, or where nothing rests on it. The judges here are plainer than the checker, and
// share no code with it.

// wrongIn says why a change of a program's certificate that was accepted is wrong, "" if it is not.
func wrongIn(t *testing.T, s *scanned, kind string, c *certificate.Certificate) string {
	t.Helper()
	old := s.res.Certificate
	switch kind {
	case "another reason":
		return wrongReason(old, c)
	case "a call does not return":
		return wrongEnd(s, old, c)
	case "a local holds another value":
		return wrongCell(t, s, old, c)
	}
	return "that is never true"
}

// wrongReason looks at the pair of groups whose reason was changed: the groups, of which nothing was changed, have to be such that there is the other reason, too.
// That two accesses are ordered the analysis would have seen first.
func wrongReason(old, c *certificate.Certificate) string {
	for i := range c.Locations {
		l, n := &c.Locations[i], 0
		for j := range l.Groups {
			for k := j; k < len(l.Groups); k++ {
				g, h, why := &l.Groups[j], &l.Groups[k], l.Pairs[n]
				if n++; why == old.Locations[i].Pairs[n-1] {
					continue
				}
				ok := false
				switch why {
				case certificate.ReadOnly:
					ok = !g.Write && !h.Write
				case certificate.Atomic:
					ok = g.Atomic && h.Atomic
				case certificate.Own:
					ok = g.Own || h.Own
				case certificate.Locked:
					ok = share(g, h)
				}
				if !ok {
					return fmt.Sprintf("groups %d and %d of %s are not %s", j, k, l.Name, why)
				}
			}
		}
	}
	return ""
}

// share reports whether two groups have a lock of one name, not both for reading.
func share(g, h *certificate.Group) bool {
	for _, l := range g.Locks {
		for _, m := range h.Locks {
			if !(l.Reading && m.Reading) && slices.ContainsFunc(l.Keys, func(k certificate.Key) bool { return slices.Contains(m.Keys, k) }) {
				return true
			}
		}
	}
	return false
}

// wrongEnd looks at the functions that are claimed not to return: there must be no way to their ends.
func wrongEnd(s *scanned, old, c *certificate.Certificate) string {
	returning := returnsOf(s)
	for i := range c.Threads {
		for k, n := range c.Threads[i].Nodes {
			f := s.pts.Copies()[n.Copy].Func
			if n.Sum.Never && !old.Threads[i].Nodes[k].Sum.Never && returning[f] {
				return f.Name + " may return"
			}
		}
	}
	return ""
}

// returnsOf returns the functions that have a way to a return on which all that is called may return.
func returnsOf(s *scanned) map[*cir.Func]bool {
	may := map[*cir.Func]bool{}
	for changed := true; changed; {
		changed = false
		for _, c := range s.pts.Copies() {
			through := func(b *cir.Block) bool {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *cir.Intrinsic:
						if in.Op == cir.ThreadExit || in.Op == cir.Stop {
							return false
						}
					case *cir.Call:
						fs := s.pts.Callees(c.Func, c.Ctx, in)
						if len(fs) > 0 && !slices.ContainsFunc(fs, func(f *cir.Func) bool { return len(f.Blocks) == 0 || may[f] }) {
							return false
						}
					}
				}
				return true
			}
			seen := map[*cir.Block]bool{}
			var visit func(b *cir.Block) bool
			visit = func(b *cir.Block) bool {
				if seen[b] {
					return false
				}
				seen[b] = true
				if !through(b) {
					return false
				}
				if _, end := b.Term.(*cir.Return); end {
					return true
				}
				found := false
				cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { found = found || visit(to) })
				return found
			}
			if !may[c.Func] && visit(c.Func.Blocks[0]) {
				may[c.Func], changed = true, true
			}
		}
	}
	return may
}

// wrongCell looks at the local of which another value was claimed: nothing is believed of those whose address is used as a value. Then it is the same
// without the claim.
func wrongCell(t *testing.T, s *scanned, old, c *certificate.Certificate) string {
	t.Helper()
	without := clone(t, c)
	for i := range c.Activations {
		f := s.pts.Copies()[c.Activations[i].Copy].Func
		for k, b := range c.Activations[i].Blocks {
			for n, cell := range b.Cells {
				if cell == old.Activations[i].Blocks[k].Cells[n] {
					continue
				}
				if !escapes(f, cell.Local) {
					return "local " + strconv.Itoa(cell.Local) + " of " + f.Name + " is followed"
				}
				cells := without.Activations[i].Blocks[k].Cells
				without.Activations[i].Blocks[k].Cells = slices.DeleteFunc(cells, func(x certificate.Cell) bool { return x.Local == cell.Local })
			}
		}
	}
	with, err := scancheck.Check(context.Background(), s.prog, s.pts, c)
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := scancheck.Check(context.Background(), s.prog, s.pts, without); err != nil || rep.Count() != with.Count() {
		return fmt.Sprint("something rests on it: ", err)
	}
	return ""
}

// escapes reports whether the address of a local is used for anything but to load or to store what it holds.
func escapes(f *cir.Func, local int) (shown bool) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, func(v cir.Value) {
				l, ok := v.(*cir.Local)
				if !ok || l.Index != local {
					return
				}
				switch in := in.(type) {
				case *cir.Load:
				case *cir.Store:
					shown = shown || in.X == v
				default:
					shown = true
				}
			})
		}
	}
	return shown
}
