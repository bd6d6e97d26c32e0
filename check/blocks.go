package check

import (
	"errors"
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// block is a path of a thread from a node to the next node, or to an error
// location.
type block struct {
	thread   int
	from, to *ir.Loc
	*effect
	copies []instance // of the program's cells, one for each that is read
}

// maxBlocks bounds the blocks of a thread, maxWalk the edges passed to find them.
// They keep a certificate with too few nodes from keeping the checker busy
// forever.
const (
	maxBlocks = 100_000
	maxWalk   = 5_000_000
)

// readThreads takes over what the certificate says about the threads' locations.
// It verifies everything except that the cut-points are enough.
func (pr *program) readThreads(c *Certificate) error {
	if err := pr.readNodes(c); err != nil {
		return err
	}
	return pr.findAllBlocks()
}

// findAllBlocks finds the blocks of every thread, whose nodes have been read.
func (pr *program) findAllBlocks() error {
	for _, t := range pr.threads {
		if err := pr.findBlocks(t); err != nil {
			return fmt.Errorf("thread %d: %w", t.Index, err)
		}
	}
	return nil
}

// readNodes is readThreads without what is between the locations.
func (pr *program) readNodes(c *Certificate) error {
	if len(c.Threads) != len(pr.threads) {
		return fmt.Errorf("the certificate describes %d threads, the program has %d", len(c.Threads), len(pr.threads))
	}
	for _, ct := range c.Threads {
		if ct.Thread < 0 || ct.Thread >= len(pr.threads) {
			return fmt.Errorf("the program has no thread %d", ct.Thread)
		}
		t := pr.threads[ct.Thread]
		if t.node != nil {
			return fmt.Errorf("thread %d is described twice", ct.Thread)
		}
		if err := t.read(ct); err != nil {
			return fmt.Errorf("thread %d: %w", ct.Thread, err)
		}
	}
	return nil
}

func (t *thread) read(ct Thread) error {
	var err error
	if t.node, err = t.members("node", ct.Nodes); err != nil {
		return err
	}
	if t.cut, err = t.members("cut-point", ct.Cuts); err != nil {
		return err
	}
	for i, l := range t.Locs {
		switch {
		case !t.cut[i]:
		case !t.node[i]:
			return fmt.Errorf("the cut-point %d is no node", i)
		case l.Atomic:
			return fmt.Errorf("the cut-point %d is inside an atomic section", i)
		case l.Error:
			return fmt.Errorf("the cut-point %d is an error location", i)
		}
		if t.node[i] && !l.Error {
			t.nodes = append(t.nodes, i)
		}
	}
	if !t.cut[t.Entry.Index] {
		return fmt.Errorf("the entry, location %d, is no cut-point", t.Entry.Index)
	}
	return nil
}

// members turns a list of location indexes into a set.
func (t *thread) members(what string, list []int) ([]bool, error) {
	set := make([]bool, len(t.Locs))
	for _, n := range list {
		if n < 0 || n >= len(set) {
			return nil, fmt.Errorf("the %s %d does not exist", what, n)
		}
		if set[n] {
			return nil, fmt.Errorf("the %s %d is given twice", what, n)
		}
		set[n] = true
	}
	return set, nil
}

// findBlocks enumerates the paths from each node to the next ones. A path that
// ends at a location without edges is none: the last steps of a thread are right
// movers then (see the package comment).
func (pr *program) findBlocks(t *thread) error {
	t.out = make([][]*block, len(t.Locs))
	w := &walker{pr: pr, t: t, onPath: make([]bool, len(t.Locs))}
	for _, n := range t.nodes {
		w.from = t.Locs[n]
		if err := w.walk(w.from); err != nil {
			return err
		}
	}
	return nil
}

// walker enumerates paths.
type walker struct {
	pr     *program
	t      *thread
	from   *ir.Loc
	path   []*ir.Edge
	onPath []bool
	blocks int
	edges  int
}

// walk follows all edges out of l.
func (w *walker) walk(l *ir.Loc) error {
	for _, e := range l.Out {
		if w.edges++; w.edges > maxWalk {
			return errors.New("there are too many paths between nodes")
		}
		w.path = append(w.path, e)
		if !w.pr.noValues {
			w.noteAssignments()
		}
		to := e.To.Index
		switch {
		case w.t.node[to] || e.To.Error:
			if w.blocks++; w.blocks > maxBlocks {
				return fmt.Errorf("there are more than %d paths between nodes", maxBlocks)
			}
			w.pr.addBlock(w.t, w.from, e.To, w.path)
		case w.onPath[to]:
			return fmt.Errorf("there is a cycle without a node at location %d", to)
		default:
			w.onPath[to] = true
			if err := w.walk(e.To); err != nil {
				return err
			}
			w.onPath[to] = false
		}
		w.path = w.path[:len(w.path)-1]
	}
	return nil
}

// assigned is a value that an edge assigns on a path from a node, if it is not
// obviously of the variable's type. Those on the way to an error location and on a
// thread's last steps count too.
type assigned struct {
	from   int // the node
	v      *ir.Var
	cond   *logic.Term // under which the path gets there
	val    *logic.Term
	inputs []input
}

// noteAssignments notes the assignments of the path's last edge.
func (w *walker) noteAssignments() {
	pr, last := w.pr, len(w.path)-1
	for i, c := range w.path[last].Cmds {
		if c.Kind != ir.Assign || inside(pr, c.Expr, c.Var.Type, nil) {
			continue
		}
		var before []ir.Cmd
		for _, e := range w.path[:last] {
			before = slices.Concat(before, e.Cmds)
		}
		x := pr.exec(nil, slices.Concat(before, w.path[last].Cmds[:i]), nil)
		val := pr.l.Subst(c.Expr, x.env)
		if !inside(pr, val, c.Var.Type, x.inputs) && !x.cond.IsFalse() {
			w.t.assigned = append(w.t.assigned, assigned{w.from.Index, c.Var, x.cond, val, x.inputs})
		}
	}
}

// addBlock adds the block along path unless it can never be run.
func (pr *program) addBlock(t *thread, from, to *ir.Loc, path []*ir.Edge) {
	var cmds []ir.Cmd
	for _, e := range path {
		cmds = slices.Concat(cmds, e.Cmds)
	}
	b := &block{thread: t.Index, from: from, to: to, effect: pr.exec(nil, cmds, nil)}
	b.copies = pr.instantiate(b.effect)
	if !b.cond.IsFalse() {
		t.out[from.Index] = append(t.out[from.Index], b)
		for sym := range b.env {
			if !to.Error {
				t.changes[pr.varOf[sym]] = true
			}
		}
	}
}
