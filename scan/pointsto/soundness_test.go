package pointsto

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/internal/randc"
)

// probed is an access that a run tells of.
type probed struct {
	fn   *cir.Func
	in   cir.Instr
	addr cir.Value
}

// probe puts a call of an external function before each access of a program, which gets the access's
// number and its address.
func probe(p *cir.Program) []probed {
	f := &cir.Func{Name: "__probe", Source: "__probe"}
	var list []probed
	for _, fn := range p.Funcs {
		for _, b := range fn.Blocks {
			var out []cir.Instr
			for _, in := range b.Instrs {
				if _, call := in.(*cir.Call); !call {
					for _, v := range addresses(in) {
						if v == nil || !p.Model.TypeOf(v).IsPointer() {
							continue
						}
						out = append(out, &cir.Call{Info: cir.Info{Site: in.Meta().Site}, Callee: f, Fixed: 2, Returns: true,
							Args: []cir.Arg{{X: cir.IntOf(cir.I64, int64(len(list)))}, {X: v}}})
						list = append(list, probed{fn, in, v})
					}
				}
				out = append(out, in)
			}
			b.Instrs = out
		}
	}
	p.Funcs = append(p.Funcs, f)
	return list
}

// aim is the access, for [Result.Aimed].
func (at probed) aim(m cir.Model) Aim {
	switch in := at.in.(type) {
	case *cir.Load:
		if in.Bits == nil {
			return Aim{Size: m.SizeOf(in.Type)}
		}
	case *cir.Store:
		if in.Bits == nil {
			return Aim{Size: m.SizeOf(in.Type)}
		}
	case *cir.Intrinsic:
		return Aim{Frees: in.Op == cir.Free || in.Op == cir.Resize}
	}
	return Aim{}
}

// named reports whether an object of the analysis may be what the interpreter calls by this name.
func named(o *Object, name string) bool {
	switch {
	case o.External:
		return true
	case o.Global != nil:
		return o.Global.Source == name || o.Global.Name == name || o.Global.Literal && name == "string literal" || o.Global.Source == ""
	case o.Local != nil:
		return o.Local.Name == name || o.Local.Name == "" || name == "argument"
	case o.Site != nil:
		return name == "heap object" || name == "alloca" || !strings.HasPrefix(o.String(), "heap@malloc")
	}
	return false
}

// missed says what is wrong if an access at an offset of an object is none of the targets.
func missed(r *Result, at probed, name string, off int64) string {
	if r.a.open && at.fn.Library { // of which some code is of no interest
		return ""
	}
	name = strings.Trim(name, "'")
	var all []string
	reached := false
	for _, x := range r.a.order {
		if x.fn != at.fn {
			continue
		}
		reached = true
		for _, l := range r.Aimed(at.fn, x.ctx, at.addr, at.aim(r.Model())) {
			if named(l.Obj, name) && (l.Off == Any || l.Obj.External || l.Obj.Reduce(off) == l.Off || l.Obj.Reduce(off) == Any) {
				return ""
			}
			all = append(all, fmt.Sprint(l.Obj, "+", l.Off))
		}
	}
	if !reached {
		return fmt.Sprintf("%s is not reached", at.fn.Name)
	}
	return fmt.Sprintf("%s: %v: %v accesses %s+%d, only expected %v", at.fn.Name, at.in.Meta().Site, at.in, name, off, all)
}

// checkRun runs a program and returns the accesses that are none of the targets.
func checkRun(t *testing.T, name, src string) (wrong []string, seen int) {
	t.Helper()
	for _, analyse := range []func(context.Context, *cir.Program) (*Result, error){Analyse, AnalyseOpen} {
		w, n := checkRunOf(t, name, src, analyse)
		wrong, seen = append(wrong, w...), seen+n
	}
	return wrong, seen
}

func checkRunOf(t *testing.T, name, src string, analyse func(context.Context, *cir.Program) (*Result, error)) (wrong []string, seen int) {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: name}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := analyse(ctx, p.Program)
	if err != nil {
		t.Fatal(name, err)
	}
	probes := probe(p.Program)
	done := map[string]bool{}
	res, err := interp.Run(ctx, p.Program, interp.Options{GoOn: true, MaxSteps: 3_000_000,
		External: func(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
			if name != "__probe" {
				return interp.Value{}, false, nil
			}
			if len(args) < 2 || args[1].Obj == nil {
				return interp.Value{}, true, nil
			}
			key := fmt.Sprint(args[0].Lo, args[1].Obj.Name(), args[1].Lo)
			if !done[key] {
				done[key] = true
				if m := missed(r, probes[args[0].Lo], args[1].Obj.Name(), int64(args[1].Lo)); m != "" {
					wrong = append(wrong, m)
				}
			}
			return interp.Value{}, true, nil
		}})
	if err != nil {
		t.Fatal(name, err)
	}
	t.Log(name, res, len(done), "accesses")
	return wrong, len(done)
}

// TestSound runs random programs and checks that each access is one that the analysis expects.
func TestSound(t *testing.T) {
	features := randc.Core | randc.Varargs | randc.Sorting | randc.FlexArrays | randc.VLAs
	n := 12
	if testing.Short() {
		n = 4
	}
	total := 0
	for seed := range n {
		wrong, seen := checkRun(t, fmt.Sprintf("seed%d.c", seed), randc.Program(uint64(seed+1), features))
		total += seen
		for i, w := range wrong {
			if i < 3 {
				t.Errorf("seed %d: %s", seed+1, w)
			}
		}
	}
	if total < 1000 {
		t.Errorf("only %d accesses were seen", total)
	}
}
