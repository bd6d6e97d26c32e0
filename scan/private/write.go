package private

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// overwrites reports whether an instruction of a node may itself write some bytes, or code outside of the program that it calls.
func (r *Result) overwrites(n *thread.Node, in cir.Instr, to pointsto.Location, size int64) bool {
	wide := int64(-1)
	switch in := in.(type) {
	case *cir.Call:
		if n.Outside(in) && r.pts.MayWrite(n.Copy(), in, to.Obj) {
			return true
		}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Lock, cir.Unlock:
			wide = 4
		case cir.HavocReachable, cir.Scan:
			return r.mayReach(n, in, to.Obj)
		case cir.Print, cir.Format:
			if r.stores(n, in) {
				return r.mayReach(n, in, to.Obj)
			}
			if in.Op == cir.Print {
				return false
			}
			return r.reaches(n, in.Args[0], n.Copy().Given(in.Args[1]), to, size)
		case cir.Free, cir.Resize:
			return false
		}
	case *cir.Store:
		wide = r.model.SizeOf(in.Type)
	case *cir.RMW:
		wide = r.model.SizeOf(in.Type)
	case *cir.CmpXchg:
		wide = r.model.SizeOf(in.Type)
	case *cir.Copy:
		wide = n.Copy().Given(in.Size)
	case *cir.Fill:
		wide = n.Copy().Given(in.Size)
	}
	return slices.ContainsFunc(pointsto.Writes(in), func(v cir.Value) bool { return v != nil && r.reaches(n, v, wide, to, size) })
}

// reaches reports whether some bytes from an address on, any number if that is negative, have some in common with others.
func (r *Result) reaches(n *thread.Node, addr cir.Value, wide int64, to pointsto.Location, size int64) bool {
	return slices.ContainsFunc(r.pts.Places(n.Fn, n.Ctx, addr), func(l pointsto.Location) bool {
		return l.Obj == to.Obj && (wide < 0 || l.Off == pointsto.Any || to.Obj.Stride > 0 && wide > to.Obj.Stride || l.Off < to.Off+size && to.Off < l.Off+wide)
	})
}

// stores reports whether a printf may store a number by one of the pointers that it is given.
func (r *Result) stores(n *thread.Node, in *cir.Intrinsic) bool {
	format := in.Args[1]
	if in.Op == cir.Format {
		format = in.Args[2]
	}
	to := r.pts.Places(n.Fn, n.Ctx, format)
	return len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		g := l.Obj.Global
		return g == nil || !g.Literal && !g.Const || g.External || len(g.Relocs) > 0 || hasN(string(g.Data))
	})
}

// hasN reports whether a format may have a %n: flags, widths and the like are passed over.
func hasN(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("diouxXeEfFgGaAcCp%msS", format[i]) < 0; i++ {
			if format[i] == 'n' {
				return true
			}
		}
	}
	return false
}

// mayReach reports whether an object can be reached from what an instruction is given.
func (r *Result) mayReach(n *thread.Node, in *cir.Intrinsic, o *pointsto.Object) bool {
	seen := map[*pointsto.Object]bool{}
	var all func(ls []pointsto.Location)
	all = func(ls []pointsto.Location) {
		for _, l := range ls {
			if !seen[l.Obj] {
				seen[l.Obj] = true
				all(r.pts.Held(l.Obj))
			}
		}
	}
	for _, v := range in.Args {
		all(r.pts.Places(n.Fn, n.Ctx, v))
	}
	return seen[o]
}
