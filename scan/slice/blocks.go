package slice

import (
	"slices"

	"comus/cir"
)

// simplify takes away the blocks of a function that nothing is left of, and makes one of those that follow each other in any case.
func simplify(f *cir.Func) {
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			again = straighten(b) || again
		}
		again = skip(f) || again
		keepReached(f)
	}
	join(f)
}

// straighten makes a jump of a choice between one block and itself.
func straighten(b *cir.Block) bool {
	switch t := b.Term.(type) {
	case *cir.Branch:
		if t.Then == t.Else && slices.Equal(t.ThenArgs, t.ElseArgs) {
			b.Term = &cir.Jump{To: t.Then, Args: t.ThenArgs}
			return true
		}
	case *cir.Switch:
		if !slices.ContainsFunc(t.Cases, func(c cir.Case) bool { return c.To != t.Default }) {
			b.Term = &cir.Jump{To: t.Default}
			return true
		}
	}
	return false
}

// skip leads edges past the blocks that do nothing but jump.
func skip(f *cir.Func) (changed bool) {
	empty := func(b *cir.Block) *cir.Jump {
		if j, ok := b.Term.(*cir.Jump); ok && len(b.Instrs)+len(b.Params) == 0 && b != f.Blocks[0] && j.To != b {
			return j
		}
		return nil
	}
	past := func(to **cir.Block, args *[]cir.Value) {
		at, given := *to, []cir.Value(nil)
		for n := 0; ; n++ {
			j := empty(at)
			if j == nil || args == nil && len(j.To.Params) > 0 {
				break
			}
			if n > len(f.Blocks) { // a cycle of empty blocks
				return
			}
			at, given = j.To, j.Args
		}
		if at == *to {
			return
		}
		if *to, changed = at, true; args != nil {
			*args = slices.Clone(given)
		}
	}
	for _, b := range f.Blocks {
		switch t := b.Term.(type) {
		case *cir.Jump:
			if len(b.Instrs)+len(b.Params) > 0 || b == f.Blocks[0] { // others are skipped themselves
				past(&t.To, &t.Args)
			}
		case *cir.Branch:
			past(&t.Then, &t.ThenArgs)
			past(&t.Else, &t.ElseArgs)
		case *cir.Switch:
			for i := range t.Cases {
				past(&t.Cases[i].To, nil)
			}
			past(&t.Default, nil)
		}
	}
	return changed
}

// keepReached drops the blocks that control does not get to.
func keepReached(f *cir.Func) {
	seen := map[*cir.Block]bool{f.Blocks[0]: true}
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *cir.Block) bool { return !seen[b] })
}

// join makes one block of two where control gets to the second one from the first one only, and always.
func join(f *cir.Func) {
	edges := map[*cir.Block]int{f.Blocks[0]: 1}
	for _, b := range f.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { edges[to]++ })
	}
	is := map[*cir.Reg]cir.Value{} // what parameters of blocks that are gone are
	gone := map[*cir.Block]bool{}
	for _, b := range f.Blocks {
		for !gone[b] {
			j, ok := b.Term.(*cir.Jump)
			if !ok || edges[j.To] != 1 || j.To == b {
				break
			}
			for i, p := range j.To.Params {
				is[p] = j.Args[i]
			}
			gone[j.To] = true
			b.Instrs, b.Term = append(slices.Clip(b.Instrs), j.To.Instrs...), j.To.Term
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *cir.Block) bool { return gone[b] })
	if len(is) == 0 {
		return
	}
	value := func(v cir.Value) cir.Value {
		for {
			reg, ok := v.(*cir.Reg)
			if !ok || is[reg] == nil {
				return v
			}
			v = is[reg]
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Rewrite(in, value)
		}
		cir.RewriteTerm(b.Term, value)
	}
}
