package build

import "comus/cfront/tree"

// effects are summaries of what functions of the unit read and write.
type effects struct{ u *unit }

func newEffects(u *unit) *effects { return &effects{u: u} }

// openOrder notes, if the order in which these operands are evaluated can matter, that gcc's is assumed.
func (f *fn) openOrder(es ...tree.Expr) {}
