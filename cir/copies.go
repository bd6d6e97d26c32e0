package cir

// Idle returns the loads of a function by which nobody comes to know what was there: the value is not used, or it is a
// character that is only stored again, as a copy does it byte by byte.
func Idle(f *Func) map[*Load]bool {
	u := &uses{by: map[*Reg][]use{}}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			Operands(in, func(v Value) { u.add(v, use{b, in}) })
		}
		TermOperands(b.Term, func(v Value) { u.add(v, use{b, nil}) })
	}
	idle := map[*Load]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if l, ok := in.(*Load); ok && (len(u.by[l.Dst]) == 0 && !l.Volatile || isCharacter(l.Access) && u.onlyStored(l.Dst, b)) {
				idle[l] = true
			}
		}
	}
	return idle
}

// use is an instruction that uses a register, nil for the terminator of its block.
type use struct {
	in *Block
	by Instr
}

type uses struct{ by map[*Reg][]use }

func (u *uses) add(v Value, x use) {
	if r, ok := v.(*Reg); ok {
		u.by[r] = append(u.by[r], x)
	}
}

// onlyStored reports whether a register is stored as a character in its block, and nothing else.
func (u *uses) onlyStored(r *Reg, b *Block) bool {
	for _, x := range u.by[r] {
		if x.in != b {
			return false
		}
		switch i := x.by.(type) {
		case *Store:
			if i.Addr == Value(r) || !isCharacter(i.Access) {
				return false
			}
		case *Convert:
			if !i.Dst.Type.IsInt() || i.Dst.Type.Bits != 8 || !u.onlyStored(i.Dst, b) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isCharacter reports whether an access is one of a character type.
func isCharacter(a Access) bool {
	return a.Type.IsInt() && a.Type.Bits == 8 && a.Bits == nil
}
