package ir

import "fmt"

// Approximation is an approximation that a program contains: the name of edges, and where
// they are.
//
// An edge whose Approx is not empty may do more than the program does, never less. So what
// holds for all executions holds for those of the source. A single execution that passes such
// an edge says nothing of the source, with one exception. If the edge has havoc commands, its
// approximation is in the values that they choose, and in nothing else: the program takes this
// step too, with values that nobody knows. So an execution in which no assumption depends on
// these values is one of the source, whatever they really are. The step of an edge without
// havoc commands may be none that the program takes, nor what comes after it.
//
// Who makes edges has to keep the two kinds apart: a step that the program may not take is
// never joined with one that has havoc commands.
type Approximation struct {
	Name string
	Pos  Pos
}

// String returns "call of unknown function g (f.c:7:2)".
func (a Approximation) String() string {
	if a.Pos == (Pos{}) {
		return a.Name
	}
	return fmt.Sprintf("%s (%s)", a.Name, a.Pos)
}

// Approximation returns the approximation that the edge stands for.
func (e *Edge) Approximation() Approximation { return Approximation{e.Approx, e.Pos} }

// Chooses reports whether the edge has havoc commands.
func (e *Edge) Chooses() bool {
	for _, c := range e.Cmds {
		if c.Kind == Havoc {
			return true
		}
	}
	return false
}

// Doubtful reports whether the step may be none that the program takes: an approximation that
// is not about values.
func (e *Edge) Doubtful() bool { return e.Approx != "" && !e.Chooses() }

// Approximations returns the approximations of the program, each once, in the order of its
// edges.
func (p *Program) Approximations() []Approximation {
	var out []Approximation
	seen := map[Approximation]bool{}
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) {
			if a := e.Approximation(); a.Name != "" && !seen[a] {
				seen[a] = true
				out = append(out, a)
			}
		})
	}
	return out
}
