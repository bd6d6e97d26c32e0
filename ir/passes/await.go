package passes

import "comus/ir"

// await removes the back edges of loops that only wait: while (!flag); becomes an
// assumption of flag.
//
// A back edge goes when an iteration that ends with it changes nothing but local
// variables whose values at the loop's head do not matter. The steps of the other
// iterations stay as they are: while (a && b); still reads a and then perhaps b,
// in steps of their own, between which another thread may write.
//
// It is exact. The new program's executions are executions of the old one. In an
// execution of the old one leave out all iterations that end with the back edge:
// the thread is then at the head meanwhile, and no variable that matters has
// another value. Nobody is kept from a step by that, since the thread is inside an
// atomic section at the head only if it was throughout the iteration. The head
// dominates the back edge, so what comes before the edge is an iteration.
func await(d *draft) {
	for again := true; again; {
		again = false
		live := newLiveness(d, nil)
		for _, t := range d.p.Threads {
			for _, l := range loops(t) {
				for _, e := range l.back {
					if waits(l.head, e, live) {
						d.remove(e)
						again = true
					}
				}
			}
		}
		d.tidy()
	}
}

// waits reports whether the iterations that end with a back edge have no effect.
func waits(head *ir.Loc, back *ir.Edge, live *liveness) bool {
	l := &loop{body: bodyOf(head, []*ir.Edge{back})}
	for loc := range l.body {
		if head.Atomic && !loc.Atomic {
			return false
		}
		for _, e := range loc.Out {
			if e.To == head && e != back || !l.has(e) {
				continue
			}
			for _, c := range e.Cmds {
				if c.Kind != ir.Assume && (c.Var.Thread == ir.Shared || live.at(head, c.Var)) {
					return false
				}
			}
		}
	}
	return true
}
