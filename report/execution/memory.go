package execution

import (
	"fmt"
	"slices"

	"comus/check"
	"comus/memory"
)

// mostForbidding is how many changes are told of that would have prevented an execution.
const mostForbidding = 3

// MemoryOrders says, in sentences, what of the execution of a certificate is not sequentially consistent; see [Memory]. None of one without a graph.
func MemoryOrders(c *check.Certificate) []string {
	model, weak := c.Weak()
	if !weak {
		return nil
	}
	return Memory(c.Execution.Graph, model)
}

// Memory says, in sentences, what of an execution is not sequentially consistent: which reads read an older write than the last one to their location, where writes of several threads have another order than it may
// seem, and which single change of a memory order, or which fence, would prevent that. None if it is sequentially consistent.
func Memory(g *memory.Graph, m memory.Model) (lines []string) {
	if g == nil || g.Consistent(memory.SC) {
		return nil
	}
	for _, old := range g.Stale() {
		lines = append(lines, staleRead(g, old))
	}
	if n := len(lines) - mostOld; n > 0 { // the last ones are nearest to what is wrong
		lines = append([]string{fmt.Sprintf("... (%d more reads)", n)}, lines[n:]...)
	}
	for _, loc := range locations(g) {
		if line := order(g, g.MO[loc]); line != "" && len(g.MO[loc]) <= mostOld {
			lines = append(lines, line)
		}
	}
	changes := g.Forbidding(m)
	for i, c := range changes[:min(len(changes), mostForbidding)] {
		lines = append(lines, map[bool]string{true: "it cannot happen if ", false: "or if "}[i == 0]+changed(g, c))
	}
	if len(changes) == 0 {
		if pair := g.ForbiddingPair(m); pair != nil {
			lines = append(lines, "it cannot happen if "+changed(g, pair[0])+", and "+changed(g, pair[1]))
		}
	}
	return lines
}

// changed says what a change makes of a program.
func changed(g *memory.Graph, c memory.Change) string {
	e := &g.Events[c.Event]
	switch {
	case c.Fence:
		return fmt.Sprintf("there is a fence of order %s before %s", c.Order, placeOf(e))
	case e.Kind == memory.Fence:
		return fmt.Sprintf("the fence at %s is %s", placeOf(e), c.Order)
	case e.Exclusive:
		return fmt.Sprintf("the update of %s at %s is %s", nameOf(e), placeOf(e), c.Order)
	}
	if e.Volatile {
		return fmt.Sprintf("%s of %s at %s is an atomic one, %s", e.Kind, nameOf(e), placeOf(e), c.Order)
	}
	return fmt.Sprintf("%s of %s at %s is %s", e.Kind, nameOf(e), placeOf(e), c.Order)
}

// orderOf says which order an access has.
func orderOf(e *memory.Event) string {
	if e.Volatile {
		return "volatile"
	}
	return e.Order.String()
}

// mostOld is how many reads of older writes are told of.
const mostOld = 8

// locations returns those that several writes are to, in the order of their first events.
func locations(g *memory.Graph) (list []uint64) {
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind == memory.Write && len(g.MO[e.Loc]) > 2 && !slices.Contains(list, e.Loc) {
			list = append(list, e.Loc)
		}
	}
	return list
}

// staleRead tells of a read of an older write.
func staleRead(g *memory.Graph, old memory.StaleRead) string {
	e, from, next := &g.Events[old.Read], &g.Events[g.RF[old.Read]], &g.Events[old.Next]
	written := "which it has held since the beginning"
	if from.Thread >= 0 {
		written = fmt.Sprintf("written by thread %d at %s", from.Thread, placeOf(from))
	}
	return fmt.Sprintf("%s: thread %d reads %d from %s (%s), %s; it does not see %d of thread %d at %s", placeOf(e), e.Thread, e.Value, nameOf(e), orderOf(e), written,
		next.Value, next.Thread, placeOf(next))
}

// order tells in which order writes of several threads come.
func order(g *memory.Graph, list []int) string {
	text, threads := "", map[int]bool{}
	for _, w := range list {
		e := &g.Events[w]
		if e.Thread < 0 {
			continue
		}
		if threads[e.Thread] = true; text != "" {
			text += ", then "
		}
		text += fmt.Sprintf("%d (thread %d, %s)", e.Value, e.Thread, placeOf(e))
	}
	if len(threads) < 2 {
		return ""
	}
	return fmt.Sprintf("%s becomes %s", nameOf(&g.Events[list[0]]), text)
}

func nameOf(e *memory.Event) string {
	if e.Object == "" {
		return "an object"
	}
	return e.Object
}

func placeOf(e *memory.Event) string {
	if e.At == "" {
		return "a place that is not known"
	}
	return e.At
}
