package randc

// rare returns an expression of a kind that only some programs have.
func (g *gen) rare(x expr) expr { return x }
