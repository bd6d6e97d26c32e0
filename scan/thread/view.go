package thread

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// View is what is known of threads, for who knows them by numbers and code by copies of functions.
type View struct {
	r       *Result
	running map[viewKey]map[cir.Located]Set
}

type viewKey struct {
	t int
	c pointsto.Copy
}

// View returns a view of the threads.
func (r *Result) View() *View { return &View{r, map[viewKey]map[cir.Located]Set{}} }

// Threads is how many identities there are; number 0 is the thread that the program begins with.
func (v *View) Threads() int { return len(v.r.Threads) }

// Many reports whether there may be several threads of an identity at a time.
func (v *View) Many(t int) bool { return v.r.Threads[t].Many }

// Roots are the copies of functions that a thread runs, one after the other.
func (v *View) Roots(t int) []pointsto.Copy { return copiesOf(v.r.Threads[t].Roots()) }

// Calls returns what a call in a copy gets to when a thread makes it.
func (v *View) Calls(t int, c pointsto.Copy, call *cir.Call) []pointsto.Copy {
	n := v.r.NodeOf(c)
	if n == nil {
		return nil
	}
	return copiesOf(v.r.Calls(v.r.Threads[t], n, call))
}

func copiesOf(nodes []*Node) (list []pointsto.Copy) {
	for _, n := range nodes {
		list = append(list, n.Copy())
	}
	return list
}

// Parallel reports whether two instructions may be run by different threads at the same time.
func (v *View) Parallel(t int, c pointsto.Copy, x cir.Located, u int, d pointsto.Copy, y cir.Located) bool {
	s, comes := v.at(t, c)[x]
	also, both := v.at(u, d)[y]
	return !comes || !both || v.r.Parallel(v.r.Threads[t], s, v.r.Threads[u], also)
}

// at returns what may be running at the instructions of a copy in a thread.
func (v *View) at(t int, c pointsto.Copy) map[cir.Located]Set {
	m, known := v.running[viewKey{t, c}]
	if !known {
		m = map[cir.Located]Set{}
		if n := v.r.NodeOf(c); n != nil {
			v.r.Each(v.r.Threads[t], n, func(in cir.Located, running Set) { m[in] = running })
		}
		v.running[viewKey{t, c}] = m
	}
	return m
}

// Known reports whether these are all threads, and none of them interrupts another one, or runs at times of which nothing is known.
func (v *View) Known() bool {
	return !v.r.Unknown && !slices.ContainsFunc(v.r.Threads, func(t *Thread) bool { return t.Signal || t.loose || t.outside })
}
