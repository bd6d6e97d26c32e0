// Package cutpoints finds the locations where a context switch has to be
// considered (CoMuS paper, section 4.1, "interleaving reduction analysis").
//
// The reduction is Lipton's, in its right-mover form. A step is a right mover
// when it can be exchanged with any step of another thread that comes directly
// after it: it touches nothing another thread may touch in conflict at the same
// time, or it acquires a lock, joins a thread, or starts. Given an execution
// that reaches an error, delay every right mover until just before the next
// step of its own thread that is not one, and drop those that no such step
// follows (nobody sees them; the failing thread keeps its own). What remains is
// an execution that switches threads only directly after steps that are not
// right movers. So the cut-points of a thread are its entry and the targets of
// those steps, and never a location inside an atomic section.
//
// "At the same time" is decided by two cheap analyses: which threads are
// surely not yet created or already joined when a thread is at a location, and
// which mutexes a thread surely holds there.
//
// Between cut-points a thread runs alone, so its edges are merged there into
// blocks: [Graph] is the thread's control-flow graph over the cut-points, the
// error locations and what loops or branches need besides.
package cutpoints

import (
	"slices"

	"comus/ir"
)

// Block is a path of a thread's edges taken without a context switch inside.
type Block struct {
	From, To *ir.Loc
	Edges    []*ir.Edge
	cmds     []ir.Cmd // simplified; nil: as the edges have them
}

// Simplify makes the block stand for other commands than its edges have: ones
// that do the same in every reachable state.
func (b *Block) Simplify(cmds []ir.Cmd) { b.cmds = cmds }

// Cmds returns the commands of the block's edges in order, or what they were
// simplified to.
func (b *Block) Cmds() []ir.Cmd {
	if b.cmds != nil {
		return b.cmds
	}
	var cmds []ir.Cmd
	for _, e := range b.Edges {
		cmds = append(cmds, e.Cmds...)
	}
	return cmds
}

// Graph is a thread's control-flow graph after merging.
type Graph struct {
	Thread *ir.Thread
	// Nodes are the locations left: the entry first, then by index.
	Nodes []*ir.Loc
	// Cut tells for each location of the thread, by index, whether it is a
	// cut-point. Every cut-point is a node.
	Cut []bool
	// Out has the blocks that leave a node, In those that enter it.
	Out, In map[*ir.Loc][]*Block
}

// Cuts returns the cut-points in order of their index.
func (g *Graph) Cuts() []*ir.Loc {
	var cuts []*ir.Loc
	for _, l := range g.Thread.Locs {
		if g.Cut[l.Index] {
			cuts = append(cuts, l)
		}
	}
	return cuts
}

// Blocks calls f for every block, in the order of the nodes.
func (g *Graph) Blocks(f func(*Block)) {
	for _, n := range g.Nodes {
		for _, b := range g.Out[n] {
			f(b)
		}
	}
}

// Options change the reduction.
type Options struct {
	// All makes every location outside atomic sections a cut-point: no
	// reduction, for experiments and tests.
	All bool
	// Ends makes the end of each thread a cut-point: there it can be counted.
	Ends bool
}

// Compute returns the graph of each thread of p, by thread index.
func Compute(p *ir.Program, opts Options) []*Graph {
	a := newAnalysis(p)
	graphs := make([]*Graph, len(p.Threads))
	for i, t := range p.Threads {
		g := &Graph{Thread: t, Cut: make([]bool, len(t.Locs))}
		g.Cut[t.Entry.Index] = true
		t.Edges(func(e *ir.Edge) {
			if e.To.Atomic || e.To.Error {
				return
			}
			if opts.All || opts.Ends && e.Kind == ir.End || e.From.Atomic || !a.rightMover(e) {
				g.Cut[e.To.Index] = true
			}
		})
		g.merge()
		graphs[i] = g
	}
	return graphs
}

// maxMergedEdges bounds the length of a block, so that merging cannot grow
// without limit.
const maxMergedEdges = 400

// merge builds the blocks: it starts with one per edge and removes, one after
// another, the nodes that need not be seen and whose removal does not increase
// the number of blocks.
func (g *Graph) merge() {
	g.Out, g.In = map[*ir.Loc][]*Block{}, map[*ir.Loc][]*Block{}
	g.Thread.Edges(func(e *ir.Edge) { g.link(&Block{From: e.From, To: e.To, Edges: []*ir.Edge{e}}) })
	for changed := true; changed; {
		changed = false
		for _, l := range g.Thread.Locs {
			if g.Cut[l.Index] || l.Error || len(g.In[l])+len(g.Out[l]) == 0 {
				continue
			}
			if g.removable(l) {
				g.remove(l)
				changed = true
			}
		}
	}
	g.Nodes = []*ir.Loc{g.Thread.Entry}
	for _, l := range g.Thread.Locs {
		if l != g.Thread.Entry && (g.Cut[l.Index] || len(g.In[l]) > 0) {
			g.Nodes = append(g.Nodes, l)
		}
	}
}

func (g *Graph) link(b *Block) {
	g.Out[b.From] = append(g.Out[b.From], b)
	g.In[b.To] = append(g.In[b.To], b)
}

func (g *Graph) unlink(b *Block) {
	same := func(x *Block) bool { return x == b }
	g.Out[b.From] = slices.DeleteFunc(slices.Clone(g.Out[b.From]), same)
	g.In[b.To] = slices.DeleteFunc(slices.Clone(g.In[b.To]), same)
}

func (g *Graph) removable(l *ir.Loc) bool {
	in, out := g.In[l], g.Out[l]
	longest := 0
	for _, b := range in {
		if b.From == l {
			return false
		}
		longest = max(longest, len(b.Edges))
	}
	for _, b := range out {
		if len(b.Edges)+longest > maxMergedEdges {
			return false
		}
	}
	return len(in)*len(out) <= len(in)+len(out)
}

func (g *Graph) remove(l *ir.Loc) {
	in, out := g.In[l], g.Out[l]
	for _, b := range slices.Concat(in, out) {
		g.unlink(b)
	}
	for _, a := range in {
		for _, b := range out {
			g.link(&Block{From: a.From, To: b.To, Edges: slices.Concat(a.Edges, b.Edges)})
		}
	}
}
