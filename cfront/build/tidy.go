package build

import (
	"slices"

	"comus/cir"
)

// tidy drops blocks to which nothing leads, appends a block to its only predecessor
// and skips empty blocks, and numbers what is left.
func (f *fn) tidy() {
	for _, b := range f.out.Blocks {
		skipEmpty(b)
	}
	reached := f.reach()
	preds := map[*cir.Block]int{}
	for b := range reached {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { preds[to]++ })
	}
	gone := map[*cir.Block]bool{}
	for _, b := range f.out.Blocks {
		if reached[b] && !gone[b] {
			mergeInto(b, preds, gone)
		}
	}
	f.out.Blocks = reversePostorder(f.out.Blocks[0])
	for i, b := range f.out.Blocks {
		b.Index = i
	}
}

// reversePostorder lists the blocks that control may reach such that, loops apart, each stands before those it leads to (the
// reverse of the order in which a depth-first search leaves them).
func reversePostorder(entry *cir.Block) []*cir.Block {
	type visit struct {
		block *cir.Block
		succs []*cir.Block
	}
	seen := map[*cir.Block]bool{entry: true}
	enter := func(b *cir.Block) visit {
		v := visit{block: b}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { v.succs = append(v.succs, to) })
		return v
	}
	var order []*cir.Block
	stack := []visit{enter(entry)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := len(top.succs)
		if n == 0 {
			order = append(order, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last one first, so that it stands last.
		to := top.succs[n-1]
		top.succs = top.succs[:n-1]
		if !seen[to] {
			seen[to] = true
			stack = append(stack, enter(to))
		}
	}
	slices.Reverse(order)
	return order
}

// reach returns the blocks that control may reach.
func (f *fn) reach() map[*cir.Block]bool {
	reached := map[*cir.Block]bool{}
	work := []*cir.Block{f.out.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if reached[b] {
			continue
		}
		reached[b] = true
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { work = append(work, to) })
	}
	return reached
}

// skipEmpty makes the ways out of b that lead to empty blocks lead to where these lead.
func skipEmpty(b *cir.Block) {
	final := func(to *cir.Block) *cir.Block {
		for range 100 {
			j, ok := to.Term.(*cir.Jump)
			if !ok || len(to.Instrs) > 0 || len(to.Params) > 0 || len(j.Args) > 0 || len(j.To.Params) > 0 || j.To == to {
				break
			}
			to = j.To
		}
		return to
	}
	switch t := b.Term.(type) {
	case *cir.Jump:
		if len(t.Args) == 0 {
			t.To = final(t.To)
		}
	case *cir.Branch:
		if len(t.ThenArgs) == 0 {
			t.Then = final(t.Then)
		}
		if len(t.ElseArgs) == 0 {
			t.Else = final(t.Else)
		}
	case *cir.Switch:
		for i := range t.Cases {
			t.Cases[i].To = final(t.Cases[i].To)
		}
		t.Default = final(t.Default)
	}
}

// mergeInto appends to b the blocks that only b leads to.
func mergeInto(b *cir.Block, preds map[*cir.Block]int, gone map[*cir.Block]bool) {
	for {
		j, ok := b.Term.(*cir.Jump)
		if !ok || len(j.Args) > 0 || preds[j.To] != 1 || j.To == b || j.To.Index == 0 {
			return
		}
		next := j.To
		b.Instrs = append(b.Instrs, next.Instrs...)
		b.Term = next.Term
		if b.Label == "" && len(b.Instrs) == len(next.Instrs) {
			b.Label = next.Label
		}
		gone[next] = true
	}
}
