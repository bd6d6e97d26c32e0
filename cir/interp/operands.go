package interp

import "comus/cir"

// results returns the registers that an instruction assigns; some may be nil.
func results(in cir.Instr) []*cir.Reg {
	switch in := in.(type) {
	case *cir.Unary:
		return []*cir.Reg{in.Dst}
	case *cir.Binary:
		return []*cir.Reg{in.Dst}
	case *cir.Overflow:
		return []*cir.Reg{in.Dst, in.Over}
	case *cir.Compare:
		return []*cir.Reg{in.Dst}
	case *cir.Convert:
		return []*cir.Reg{in.Dst}
	case *cir.Bitcast:
		return []*cir.Reg{in.Dst}
	case *cir.Select:
		return []*cir.Reg{in.Dst}
	case *cir.Offset:
		return []*cir.Reg{in.Dst}
	case *cir.Distance:
		return []*cir.Reg{in.Dst}
	case *cir.Load:
		return []*cir.Reg{in.Dst}
	case *cir.RMW:
		return []*cir.Reg{in.Dst}
	case *cir.CmpXchg:
		return []*cir.Reg{in.Old, in.OK}
	case *cir.Call:
		return []*cir.Reg{in.Dst}
	case *cir.VaArg:
		return []*cir.Reg{in.Dst}
	case *cir.Alloca:
		return []*cir.Reg{in.Dst}
	case *cir.StackSave:
		return []*cir.Reg{in.Dst}
	case *cir.Intrinsic:
		return []*cir.Reg{in.Dst}
	}
	return nil
}

// kept returns the operands of an instruction whose value may be stored, passed on or looked at: all but
// addresses that are only accessed.
func kept(in cir.Instr) []cir.Value {
	switch in := in.(type) {
	case *cir.Load, *cir.LifeStart, *cir.LifeEnd, *cir.Copy, *cir.Fill, *cir.VaStart, *cir.VaArg, *cir.VaCopy, *cir.VaEnd:
		return nil
	case *cir.Store:
		return []cir.Value{in.X}
	case *cir.RMW:
		return []cir.Value{in.X}
	case *cir.CmpXchg:
		return []cir.Value{in.Expected, in.New}
	case *cir.Unary:
		return []cir.Value{in.X}
	case *cir.Binary:
		return []cir.Value{in.X, in.Y}
	case *cir.Overflow:
		return []cir.Value{in.X, in.Y}
	case *cir.Compare:
		return []cir.Value{in.X, in.Y}
	case *cir.Convert:
		return []cir.Value{in.X}
	case *cir.Bitcast:
		return []cir.Value{in.X}
	case *cir.Select:
		return []cir.Value{in.Cond, in.X, in.Y}
	case *cir.Distance:
		return []cir.Value{in.X, in.Y}
	case *cir.Call:
		vs := []cir.Value{in.Callee}
		for _, a := range in.Args {
			if a.ByVal == nil {
				vs = append(vs, a.X)
			}
		}
		return vs
	case *cir.Intrinsic:
		return in.Args
	}
	return nil
}

// keptTerm is kept for a terminator.
func keptTerm(in cir.Term) []cir.Value {
	switch in := in.(type) {
	case *cir.Jump:
		return in.Args
	case *cir.Branch:
		return append(append([]cir.Value{in.Cond}, in.ThenArgs...), in.ElseArgs...)
	case *cir.Return:
		return []cir.Value{in.X}
	}
	return nil
}
