package accesses

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// findWrites finds all changes of memory that the program's own code makes, or has made by the library.
func (p *program) findWrites() {
	p.each(func(at place) {
		switch in := at.in.(type) {
		case *cir.Store:
			p.writesScalar(at, in.Addr, in.X, in.Access)
		case *cir.RMW:
			if in.Op == cir.Xchg {
				p.writesScalar(at, in.Addr, in.X, in.Access)
			} else {
				p.writesBytes(at, in.Addr, sizeOf(in.Type), writesAny, nil)
			}
		case *cir.CmpXchg:
			p.writesScalar(at, in.Addr, in.New, in.Access)
		case *cir.Copy:
			p.writesBytes(at, in.Dst, constant(in.Size), writesCopy, p.places(at.copy, in.Src))
		case *cir.Fill:
			p.writesBytes(at, in.Dst, constant(in.Size), fillKind(in.Byte), nil)
		case *cir.Call:
			p.callWrites(at, in)
		case *cir.Intrinsic, *cir.VaStart, *cir.VaArg, *cir.VaCopy:
			for _, v := range pointsto.Writes(at.in.(cir.Instr)) {
				p.writesBytes(at, v, -1, writesAny, nil)
			}
		}
	})
}

// writesScalar is a store.
func (p *program) writesScalar(at place, addr, x cir.Value, a cir.Access) {
	if a.Type.IsPointer() && a.Bits == nil {
		p.add(at, addr, write{size: p.word, kind: writesPointer, by: at, x: x})
		return
	}
	if a.Type.IsInt() && a.Bits == nil {
		p.add(at, addr, write{size: sizeOf(a.Type), kind: writesNumber, by: at, x: x})
		return
	}
	p.writesBytes(at, addr, sizeOf(a.Type), writesAny, nil)
}

func (p *program) writesBytes(at place, addr cir.Value, size int64, kind writeKind, from []pointsto.Location) {
	p.add(at, addr, write{size: size, kind: kind, by: at, from: from})
}

func (p *program) add(at place, addr cir.Value, w write) {
	for _, l := range p.places(at.copy, addr) {
		w.at = l
		p.outsideWritten = p.outsideWritten || l.Obj.External
		p.writes[l.Obj] = append(p.writes[l.Obj], w)
	}
}

// callWrites is what a call of a function of the library changes.
func (p *program) callWrites(at place, in *cir.Call) {
	if in.To != nil { // a struct that is returned
		p.writesBytes(at, in.To, in.Result.Shape.Size, writesAny, nil)
	}
	f := library(in)
	if f == nil {
		return
	}
	arg := func(i int) cir.Value {
		if i < len(in.Args) {
			return in.Args[i].X
		}
		return cir.Null{}
	}
	switch f.Source {
	case "memset":
		p.writesBytes(at, arg(0), constant(arg(2)), fillKind(arg(1)), nil)
		return
	case "memcpy", "memmove":
		p.writesBytes(at, arg(0), constant(arg(2)), writesCopy, p.places(at.copy, arg(1)))
		return
	}
	for i, k := range contracts[f.Source] {
		if k.writes && f.Source == "snprintf" {
			p.writesBytes(at, arg(i), constant(arg(1)), writesText, nil)
		} else if k.writes {
			size := k.size
			if k.by > 0 {
				size = constant(arg(k.by - 1))
			}
			p.writesBytes(at, arg(i), size, writesAny, nil)
		}
	}
}

// constant returns the number that a size is, -1 if it is not known.
func constant(v cir.Value) int64 {
	if c, ok := v.(cir.Int); ok {
		if n, ok := c.Int64(); ok && n >= 0 && n < unlimited {
			return n
		}
	}
	return -1
}

func fillKind(v cir.Value) writeKind {
	if c, ok := v.(cir.Int); ok && c.Lo == 0 && c.Hi == 0 {
		return writesZeros
	}
	return writesAny
}
