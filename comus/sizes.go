package comus

import (
	"comus/cutpoints"
	"comus/ir"
)

// Sizes say how large the program is that was verified.
type Sizes struct {
	Threads   int // with main
	Locations int
	Edges     int
	Variables int
	CutPoints int // locations where a context switch is considered
	Blocks    int // paths of edges between them that are taken at once
}

// sizesOf measures a program.
func sizesOf(p *ir.Program, graphs []*cutpoints.Graph) Sizes {
	s := Sizes{Threads: len(p.Threads), Variables: len(p.Vars)}
	for _, t := range p.Threads {
		s.Locations += len(t.Locs)
		t.Edges(func(*ir.Edge) { s.Edges++ })
	}
	for _, g := range graphs {
		s.CutPoints += len(g.Cuts())
		g.Blocks(func(*cutpoints.Block) { s.Blocks++ })
	}
	return s
}
