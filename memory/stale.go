package memory

import "slices"

// StaleRead is a read of a write that others follow in modification order.
type StaleRead struct {
	Read, Next int // Next: the write that follows the one that is read
}

// Stale returns the reads of older writes, unless the write that follows surely comes after the read (happens-before), in the order of events.
// Reads of read-modify-writes never are.
func (g *Graph) Stale() (list []StaleRead) {
	hb := g.HappensBefore()
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind != Read || e.Exclusive || g.RF[i] < 0 {
			continue
		}
		writes := g.MO[e.Loc]
		at := slices.Index(writes, g.RF[i])
		if at >= 0 && at < len(writes)-1 && !hb.Has(i, writes[at+1]) {
			list = append(list, StaleRead{i, writes[at+1]})
		}
	}
	return list
}
