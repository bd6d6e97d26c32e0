package memory

// Pair is two events of a thread that a model keeps in order: First comes first.
type Pair struct{ First, Second int }

// Reordered returns, of a graph that SC or a machine's model does not allow, which pairs of accesses of a thread come in program order in a cycle that the model forbids: a machine that shows the execution would have to
// perform one of these pairs in the other order. None: it is forbidden for another reason (a thread that goes back to an older value of one location, a read-modify-write that is not atomic).
func (g *Graph) Reordered(m Model) []Pair {
	for _, v := range g.Violations(m) {
		if v.Axiom != "ghb" && v.Axiom != "sc" {
			continue
		}
		var pairs []Pair
		for k, step := range v.Steps {
			a, b := v.Cycle[k], v.Cycle[(k+1)%len(v.Cycle)]
			x, y := &g.Events[a], &g.Events[b]
			if step == "po" && x.access() && y.access() && x.Thread == y.Thread {
				pairs = append(pairs, Pair{a, b})
			}
		}
		return pairs
	}
	return nil
}
