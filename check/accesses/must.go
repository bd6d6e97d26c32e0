package accesses

import (
	"maps"

	"comus/cir"
)

// atEntries returns what holds in any case where each block of a function begins (a forward must-analysis, with the intersection where ways meet; Nielson, Nielson, Hankin 1999): nil where
// control does not come. first is what holds at the beginning of the function, and is kept. follow follows a block with what holds there, which it may change, and calls next for what comes after it.
func atEntries[F comparable, S ~map[F]bool](blocks []*cir.Block, first S, follow func(b *cir.Block, s S, next func(*cir.Block, S))) []S {
	at := make([]S, len(blocks))
	if len(blocks) == 0 {
		return at
	}
	at[0] = first
	for work := []int{0}; len(work) > 0; {
		b := blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		follow(b, maps.Clone(at[b.Index]), func(to *cir.Block, s S) {
			old := at[to.Index]
			if old == nil {
				at[to.Index] = maps.Clone(s)
				work = append(work, to.Index)
				return
			}
			n := len(old)
			if maps.DeleteFunc(old, func(k F, _ bool) bool { return !s[k] }); len(old) < n {
				work = append(work, to.Index)
			}
		})
	}
	return at
}
