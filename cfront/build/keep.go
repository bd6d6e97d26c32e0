package build

import (
	"comus/cir"
	"comus/internal/graph"
)

// kept are the types that interfaces in a unit may hold.
var kept = graph.Of(&cir.Unary{}, &cir.Binary{}, &cir.Overflow{}, &cir.Compare{}, &cir.Convert{}, &cir.Bitcast{}, &cir.Select{}, &cir.Offset{}, &cir.Distance{},
	&cir.Load{}, &cir.Store{}, &cir.Copy{}, &cir.Fill{}, &cir.RMW{}, &cir.CmpXchg{}, &cir.Fence{}, &cir.Call{}, &cir.VaStart{}, &cir.VaArg{}, &cir.VaCopy{}, &cir.VaEnd{},
	&cir.LifeStart{}, &cir.LifeEnd{}, &cir.Alloca{}, &cir.StackSave{}, &cir.StackRestore{}, &cir.Assumption{}, &cir.Intrinsic{},
	&cir.Jump{}, &cir.Branch{}, &cir.Switch{}, &cir.IndirectJump{}, &cir.Return{}, &cir.Unreachable{},
	&cir.Reg{}, cir.Int{}, cir.Float{}, cir.Null{}, cir.Undef{}, &cir.Global{}, &cir.Func{}, &cir.Local{}, &cir.Block{})

// Bytes returns the unit as bytes, without the types of symbols.
func (u *Unit) Bytes() ([]byte, error) {
	v := *u
	v.Symbols = nil
	for _, s := range u.Symbols {
		c := *s
		c.Type = nil
		v.Symbols = append(v.Symbols, &c)
	}
	return kept.Write(&v)
}

// FromBytes makes a unit of what [Unit.Bytes] of the same executable returned.
func FromBytes(data []byte) (*Unit, error) {
	u := &Unit{}
	if err := kept.Read(data, u); err != nil {
		return nil, err
	}
	return u, nil
}
