package locpairs

import "container/heap"

// worklist holds places of a pair; the one whose locations come first is next.
type worklist []locPair

// add adds a place that is not there.
func (w *worklist) add(at locPair) { heap.Push(w, at) }

// next removes the first place.
func (w *worklist) next() locPair { return heap.Pop(w).(locPair) }

// Len, Less, Swap, Push and Pop are for package heap.
func (w worklist) Len() int { return len(w) }

// Less compares by the number of steps taken, roughly.
func (w worklist) Less(i, j int) bool {
	if a, b := w[i].a+w[i].b, w[j].a+w[j].b; a != b {
		return a < b
	}
	return w[i].a < w[j].a
}

// Swap exchanges two places.
func (w worklist) Swap(i, j int) { w[i], w[j] = w[j], w[i] }

// Push appends a place.
func (w *worklist) Push(x any) { *w = append(*w, x.(locPair)) }

// Pop removes the last place.
func (w *worklist) Pop() any {
	n := len(*w) - 1
	x := (*w)[n]
	*w = (*w)[:n]
	return x
}
