package memory

import (
	"fmt"

	"comus/cir"
)

// Check reports what is wrong with a graph that no execution can have, whatever the memory model. The other methods are for graphs without such faults.
func (g *Graph) Check() error {
	if len(g.RF) != len(g.Events) {
		return fmt.Errorf("%d events, but rf has %d", len(g.Events), len(g.RF))
	}
	last := map[int]int{} // of each thread, 1 and its last event
	for i := range g.Events {
		e, p := &g.Events[i], -1
		if e.Thread >= 0 {
			p = last[e.Thread] - 1
			last[e.Thread] = i + 1
		}
		if err := g.checkEvent(i); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		pending := p >= 0 && g.Events[p].Exclusive && g.Events[p].Kind == Read
		second := e.Exclusive && e.Kind == Write
		if pending != second || second && g.Events[p].Loc != e.Loc {
			return fmt.Errorf("event %d: the halves of a read-modify-write have to follow one another and have the same location", i)
		}
	}
	for _, s := range g.Sync {
		if min(s[0], s[1]) < 0 || max(s[0], s[1]) >= len(g.Events) || s[0] == s[1] || g.Events[s[0]].Thread < 0 || g.Events[s[1]].Thread < 0 {
			return fmt.Errorf("synchronises-with %d, %d is not between events of threads", s[0], s[1])
		}
		if g.Events[s[0]].Kind != Other && g.Events[s[1]].Kind != Other {
			return fmt.Errorf("synchronises-with %d, %d: one of them has to be an event that only orders", s[0], s[1])
		}
	}
	return g.checkMO()
}

// checkEvent looks at one event.
func (g *Graph) checkEvent(i int) error {
	e, from := &g.Events[i], g.RF[i]
	switch {
	case e.Kind > Other || e.Order > cir.SeqCst || e.Thread < -1:
		return fmt.Errorf("no such kind, order or thread")
	case e.Exclusive && !e.access():
		return fmt.Errorf("a %v is no half of a read-modify-write", e.Kind)
	case e.Thread < 0 && (e.Kind != Write || e.Order != cir.Plain):
		return fmt.Errorf("only plain writes are initial")
	case e.Kind != Read && from != -1:
		return fmt.Errorf("a %v reads from %d", e.Kind, from)
	case from < -1 || from >= len(g.Events):
		return fmt.Errorf("there is no event %d to read from", from)
	case from >= 0 && (g.Events[from].Kind != Write || g.Events[from].Loc != e.Loc):
		return fmt.Errorf("event %d, which it reads from, is no write to its location", from)
	}
	return nil
}

// checkMO looks at the modification orders.
func (g *Graph) checkMO() error {
	seen := make([]bool, len(g.Events))
	for loc, writes := range g.MO {
		for p, i := range writes {
			switch {
			case i < 0 || i >= len(g.Events) || g.Events[i].Kind != Write || g.Events[i].Loc != loc:
				return fmt.Errorf("mo of location %d: event %d is no write to it", loc, i)
			case seen[i]:
				return fmt.Errorf("mo of location %d: event %d is there twice", loc, i)
			case p > 0 && g.Events[i].Thread < 0:
				return fmt.Errorf("mo of location %d: event %d is initial, but not the first one", loc, i)
			}
			seen[i] = true
		}
	}
	for i := range g.Events {
		if g.Events[i].Kind == Write && !seen[i] {
			return fmt.Errorf("mo of location %d: event %d is missing", g.Events[i].Loc, i)
		}
	}
	return nil
}
