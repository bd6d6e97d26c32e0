package syntax

import "comus/cfront/types"

// Pos returns the place of a token; of the end of input, that of the last one.
func (in *Input) Pos(at int32) types.Pos {
	if int(at) < len(in.Tokens) {
		return in.Tokens[at].Pos
	}
	if n := len(in.Tokens); n > 0 {
		return in.Tokens[n-1].Pos
	}
	return types.Pos{File: in.File}
}

func (p *parser) pos(at int32) types.Pos { return p.in.Pos(at) }
