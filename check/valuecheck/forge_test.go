package valuecheck_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"comus/scan/certificate"
)

// forge makes a certificate claim more, or another thing. It says what; "" if it has found nothing to change.
func forge(r *rand.Rand, c *certificate.Values) string {
	for range 20 {
		if what := forgeOnce(r, c); what != "" {
			if r.IntN(3) == 0 { // two changes may support each other
				if more := forgeOnce(r, c); more != "" {
					what += "; " + more
				}
			}
			return what
		}
	}
	return ""
}

func forgeOnce(r *rand.Rand, c *certificate.Values) string {
	if len(c.Relations) > 0 && r.IntN(2) == 0 {
		return forgeRelation(r, c)
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		return forgeState(r, c)
	case 3:
		return forgeNever(r, c)
	case 4:
		return forgeCell(r, c)
	case 5: // a function changes less
		if l := pick(r, c.Changes); l != nil && len(*l) > 0 {
			i := r.IntN(len(*l))
			x := (*l)[i]
			*l = slices.Delete(slices.Clone(*l), i, i+1)
			return fmt.Sprintf("cell %d is not changed", x)
		}
	case 6: // a cell is guarded
		if x := pick(r, c.Cells); x != nil && len(c.Locks) > 0 {
			x.Guard = append(slices.Clone(x.Guard), r.IntN(len(c.Locks)))
			return fmt.Sprintf("cell of object %d+%d is guarded", x.Object, x.Off)
		}
	case 7: // a cell as a lock
		if x := pick(r, c.Cells); x != nil {
			c.Locks = append(c.Locks, certificate.At{Object: x.Object, Off: x.Off})
			if y := pick(r, c.Cells); y != nil {
				y.Guard = []int{len(c.Locks) - 1}
			}
			return "a cell is a lock"
		}
	case 8: // a cell of a size or at a place that it has not
		if x := pick(r, c.Cells); x != nil {
			switch r.IntN(3) {
			case 0:
				x.Off += int64(r.IntN(9)) - 4
			case 1:
				x.Size, x.Bits = x.Size*2, x.Bits*2
			default:
				x.Kind = map[string]string{"int": "uint", "uint": "int", "ptr": "uint"}[x.Kind]
			}
			return "a cell is elsewhere"
		}
	}
	return ""
}

func pick[T any](r *rand.Rand, list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[r.IntN(len(list))]
}

// number is text for a random set.
func number(r *rand.Rand) string {
	n := r.IntN(12) - 3
	switch r.IntN(4) {
	case 0:
		return "none"
	case 1:
		return fmt.Sprintf("%d..%d", n, n+r.IntN(40))
	case 2:
		return fmt.Sprintf("%d..%d/2", n, n+50)
	}
	return fmt.Sprint(n)
}

func stateOf(r *rand.Rand, c *certificate.Values) *certificate.ValueState {
	a := pick(r, c.Activations)
	if a == nil {
		return nil
	}
	f := a.Alone
	if f == nil || r.IntN(2) == 0 && a.Among != nil {
		f = a.Among
	}
	if f == nil {
		return nil
	}
	if r.IntN(5) == 0 {
		return f.Exit
	}
	return f.Blocks[r.IntN(len(f.Blocks))]
}

func forgeState(r *rand.Rand, c *certificate.Values) string {
	s := stateOf(r, c)
	if s == nil {
		return ""
	}
	change := func(list []certificate.ValueOf) string {
		x := pick(r, list)
		if x == nil {
			return ""
		}
		old := x.Is
		x.Is = number(r)
		return fmt.Sprintf("%d is %s, not %s", x.Of, x.Is, old)
	}
	add := func(list *[]certificate.ValueOf, most int) string {
		n := r.IntN(most + 1)
		i, had := slices.BinarySearchFunc(*list, n, func(x certificate.ValueOf, n int) int { return x.Of - n })
		if had {
			return ""
		}
		x := certificate.ValueOf{Of: n, Is: number(r)}
		*list = slices.Insert(*list, i, x)
		return fmt.Sprintf("%d is %s", n, x.Is)
	}
	switch r.IntN(9) {
	case 0:
		return "register " + change(s.Regs)
	case 1:
		return "cell " + change(s.Cells)
	case 2:
		return "guarded " + change(s.Held)
	case 3:
		return "new register " + add(&s.Regs, 20)
	case 4:
		return "new cell " + add(&s.Cells, len(c.Cells))
	case 5:
		return "new guarded " + add(&s.Held, len(c.Cells))
	case 6:
		if len(c.Locks) > 0 {
			s.Locks = append(slices.Clone(s.Locks), r.IntN(len(c.Locks)))
			return "a lock is held"
		}
	case 7:
		s.Depth = []string{"0", "1", "none"}[r.IntN(3)]
		return "the depth is " + s.Depth
	case 8:
		s.Result = number(r)
		return "the result is " + s.Result
	}
	return ""
}

func forgeNever(r *rand.Rand, c *certificate.Values) string {
	a := pick(r, c.Activations)
	if a == nil {
		return ""
	}
	f := a.Alone
	if f == nil || r.IntN(2) == 0 && a.Among != nil {
		f = a.Among
	}
	switch {
	case f == nil:
		return ""
	case r.IntN(3) == 0:
		f.Exit = nil
		return "it never ends"
	case r.IntN(3) == 0:
		a.Alone, a.Among = a.Among, a.Alone
		return "alone and among"
	}
	f.Blocks[r.IntN(len(f.Blocks))] = nil
	return "a block is not reached"
}

func forgeCell(r *rand.Rand, c *certificate.Values) string {
	x := pick(r, c.Cells)
	if x == nil {
		return ""
	}
	if r.IntN(2) == 0 {
		x.Ever = number(r)
		return "ever " + x.Ever
	}
	x.Met = number(r)
	return "met " + x.Met
}

// forgeRelation changes what is claimed of several cells.
func forgeRelation(r *rand.Rand, c *certificate.Values) string {
	n := r.IntN(len(c.Relations))
	x := &c.Relations[n]
	k := pick(r, x.Cases)
	switch r.IntN(10) {
	case 0, 1, 2: // a number
		if k == nil {
			return ""
		}
		list := k.Most
		if len(list) == 0 || len(k.Equal) > 0 && r.IntN(2) == 0 {
			list = k.Equal
		}
		row := pick(r, list)
		i := len(*row) - 1
		if r.IntN(3) == 0 {
			i = r.IntN(len(*row))
		}
		*row = slices.Clone(*row)
		(*row)[i] += int64(r.IntN(5)) - 2
		return fmt.Sprintf("relation %d: %d of %v", n, i, *row)
	case 3: // equal, not at most
		if k == nil || len(k.Most) == 0 {
			return ""
		}
		k.Equal = append(k.Equal, k.Most[r.IntN(len(k.Most))])
		return fmt.Sprintf("relation %d: one more is 0", n)
	case 4: // a case less
		i := r.IntN(len(x.Cases))
		x.Cases = slices.Delete(slices.Clone(x.Cases), i, i+1)
		return fmt.Sprintf("relation %d: a case less", n)
	case 5: // another relation, or the same one, at some place
		s := stateOf(r, c)
		if s == nil {
			return ""
		}
		s.Related = append(slices.Clone(s.Related), n)
		return fmt.Sprintf("relation %d somewhere", n)
	case 6: // of a free lock
		c.Free = append(c.Free, certificate.FreeRelation{Lock: r.IntN(len(c.Locks)+1) - 1, Is: n})
		return fmt.Sprintf("relation %d of a free lock", n)
	case 7: // of another lock
		f := pick(r, c.Free)
		if f == nil {
			return ""
		}
		f.Lock = r.IntN(len(c.Locks)+1) - 1
		return "of another lock"
	case 8:
		y := pick(r, c.Cells)
		y.Sections = !y.Sections
		return "sections of a cell"
	}
	y := pick(r, c.Cells) // guarded, or not changed
	if r.IntN(2) == 0 && len(c.Locks) > 0 {
		y.Guard = []int{r.IntN(len(c.Locks))}
		return "another guard"
	}
	cell := x.Cells[r.IntN(len(x.Cells))]
	for i, l := range c.Changes {
		c.Changes[i] = slices.DeleteFunc(slices.Clone(l), func(m int) bool { return m == cell })
	}
	return fmt.Sprintf("nobody changes cell %d", cell)
}
