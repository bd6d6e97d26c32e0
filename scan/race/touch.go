package race

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// span tells how far an access goes.
type span uint8

const (
	bytes  span = iota // size bytes from the pointer on, or an unknown number if size is negative
	object             // all of the object
	listed             // an unknown number of bytes from what the object, a va_list, holds pointers to
	below              // all of the objects that the object holds pointers to
	deep               // all that can be reached
)

// touch is an access by an instruction: of what a pointer points to.
type touch struct {
	ptr    cir.Value
	size   int64
	span   span
	write  bool
	frees  bool // ends the object's life
	atomic bool
	bits   *cir.Bits
	scalar bool      // one access of one scalar
	plain  cir.Type  // its type, where effective types tell where it goes
	format cir.Value // if set, that of a printf, which tells whether anything is accessed
	beyond bool      // by a function that nothing is known of: what it accesses is none of the library's, though that may call it
}

func reads(p cir.Value, size int64) touch  { return touch{ptr: p, size: size} }
func writes(p cir.Value, size int64) touch { return touch{ptr: p, size: size, write: true} }

// aim tells package pointsto what it needs to know of the access. Only a scalar is as large in any case: who reads a line writes as much as there is.
func (t touch) aim() pointsto.Aim {
	x := pointsto.Aim{Frees: t.frees, Plain: t.plain}
	if t.scalar {
		x.Size = t.size
	}
	return x
}

// touches returns what an instruction of a copy itself accesses; of a call, the structs that it is given and returns.
func touches(in cir.Located, c pointsto.Copy) []touch {
	switch in := in.(type) {
	case *cir.Load:
		return []touch{scalar(in.Addr, in.Access, false).as(pointsto.Plain(c.Func, in))}
	case *cir.Store:
		return []touch{scalar(in.Addr, in.Access, true).as(pointsto.Plain(c.Func, in))}
	case *cir.RMW:
		return []touch{scalar(in.Addr, in.Access, true)}
	case *cir.CmpXchg:
		return []touch{scalar(in.Addr, in.Access, true)}
	case *cir.Copy:
		n := c.Given(in.Size)
		return []touch{reads(in.Src, n), writes(in.Dst, n)}
	case *cir.Fill:
		return []touch{writes(in.Dst, c.Given(in.Size))}
	case *cir.VaStart:
		return []touch{{ptr: in.Ap, span: object, write: true}}
	case *cir.VaArg:
		ts := []touch{{ptr: in.Ap, span: object, write: true}}
		if in.To != nil {
			ts = append(ts, writes(in.To, in.Shape.Size))
		}
		return ts
	case *cir.VaCopy:
		return []touch{{ptr: in.Dst, span: object, write: true}, {ptr: in.Src, span: object}}
	case *cir.Call:
		return structs(in)
	case *cir.Return:
		if in.X != nil && c.Func.Result.Shape != nil {
			return []touch{reads(in.X, c.Func.Result.Shape.Size)}
		}
	case *cir.Intrinsic:
		return intrinsic(in, c)
	}
	return nil
}

func scalar(p cir.Value, a cir.Access, write bool) touch {
	return touch{ptr: p, size: int64(a.Type.Bits+7) / 8, write: write, atomic: a.Order != cir.Plain, bits: a.Bits, scalar: a.Bits == nil}
}

// as returns a touch with its type.
func (t touch) as(plain cir.Type) touch {
	t.plain = plain
	return t
}

// structs returns what a call accesses of structs that are given and returned by value.
func structs(in *cir.Call) (ts []touch) {
	for _, a := range in.Args {
		if a.ByVal != nil {
			ts = append(ts, reads(a.X, a.ByVal.Size))
		}
	}
	if in.To != nil && in.Result.Shape != nil {
		ts = append(ts, writes(in.To, in.Result.Shape.Size))
	}
	return ts
}

func intrinsic(in *cir.Intrinsic, c pointsto.Copy) []touch {
	arg := func(i int) cir.Value { return in.Args[i] }
	switch in.Op {
	case cir.Free:
		return []touch{{ptr: arg(0), span: object, write: true, frees: true}}
	case cir.Resize: // what it returns has got its contents
		ts := []touch{{ptr: arg(0), span: object, write: true, frees: true}}
		if in.Dst != nil {
			ts = append(ts, touch{ptr: in.Dst, span: object, write: true})
		}
		return ts
	case cir.Lock, cir.Unlock:
		return []touch{{ptr: arg(0), size: 4, write: true, atomic: true}}
	case cir.HavocBytes, cir.ReadIn, cir.ReadLine:
		return []touch{writes(arg(0), c.Given(arg(1)))}
	case cir.WriteOut:
		return []touch{reads(arg(1), c.Given(arg(2)))}
	case cir.HavocReachable:
		return []touch{{ptr: arg(0), span: deep, write: true}}
	case cir.Print:
		return []touch{reads(arg(1), -1), {ptr: arg(2), span: listed, format: arg(1)}}
	case cir.Format:
		return []touch{writes(arg(0), c.Given(arg(1))), reads(arg(2), -1), {ptr: arg(3), span: listed, format: arg(2)}}
	case cir.Scan:
		return []touch{reads(arg(0), -1), reads(arg(1), -1), {ptr: arg(2), span: listed, write: true}}
	case cir.StrtoD:
		return []touch{reads(arg(0), -1)}
	case cir.Setjmp:
		return []touch{{ptr: arg(0), span: object, write: true}}
	case cir.Longjmp:
		return []touch{{ptr: arg(0), span: object}}
	}
	return nil
}
