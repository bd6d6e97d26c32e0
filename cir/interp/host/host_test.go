package host_test

import (
	"context"
	"testing"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/host"
)

// TestCall runs a program that sorts three ints with qsort and prints them.
func TestCall(t *testing.T) {
	ptr := cir.Model{PointerBits: 64}.Pointer()
	reg := func(f *cir.Func, ty cir.Type) *cir.Reg {
		f.NumRegs++
		return &cir.Reg{Index: f.NumRegs - 1, Type: ty}
	}
	external := func(name string) *cir.Func { return &cir.Func{Name: name, Source: name, Variadic: true} }
	data := &cir.Global{Name: "a", Size: 12, Align: 4, Data: []byte{3, 0, 0, 0, 1, 0, 0, 0, 2}}
	format := &cir.Global{Name: "f", Size: 12, Align: 1, Data: []byte("%d %d %d %s\n"), Literal: true}
	format.Size = 13
	less := &cir.Func{Name: "less", Result: cir.Result{Type: cir.I32}}
	x, y := reg(less, ptr), reg(less, ptr)
	less.Params = []cir.Param{{Reg: x}, {Reg: y}}
	acc := cir.Access{Type: cir.I32, Align: 4}
	l, r, d := reg(less, cir.I32), reg(less, cir.I32), reg(less, cir.I32)
	less.Blocks = []*cir.Block{{Instrs: []cir.Instr{&cir.Load{Dst: l, Addr: x, Access: acc}, &cir.Load{Dst: r, Addr: y, Access: acc},
		&cir.Binary{Dst: d, Op: cir.Sub, X: l, Y: r}}, Term: &cir.Return{X: d}}}
	main := &cir.Func{Name: "main", Result: cir.Result{Type: cir.I32}}
	size := func(n int64) cir.Int { return cir.IntOf(cir.U64, n) }
	k := &cir.Block{}
	main.Blocks = []*cir.Block{k}
	k.Instrs = append(k.Instrs, &cir.Call{Callee: external("qsort"), Args: []cir.Arg{{X: data}, {X: size(3)}, {X: size(4)}, {X: less}}, Fixed: 4, Returns: true})
	call := &cir.Call{Dst: reg(main, cir.I32), Callee: external("printf"), Args: []cir.Arg{{X: format}}, Result: cir.Result{Type: cir.I32}, Fixed: 1, Returns: true}
	for i := range int64(3) {
		p, v := reg(main, ptr), reg(main, cir.I32)
		k.Instrs = append(k.Instrs, &cir.Offset{Dst: p, P: data, Disp: 4 * i}, &cir.Load{Dst: v, Addr: p, Access: acc})
		call.Args = append(call.Args, cir.Arg{X: v})
	}
	call.Args = append(call.Args, cir.Arg{X: &cir.Global{Name: "s", Size: 3, Data: []byte("ok")}})
	k.Instrs = append(k.Instrs, call)
	k.Term = &cir.Return{X: call.Dst}
	p := &cir.Program{Model: cir.Model{PointerBits: 64}, Entry: main, Funcs: []*cir.Func{main, less}}
	res, err := interp.Run(context.Background(), p, interp.Options{External: host.Call})
	if err != nil {
		t.Fatal(err)
	}
	if res.Outcome != interp.Exited || res.Exit != 9 || string(res.Stdout) != "1 2 3 ok\n" {
		t.Errorf("%v %q", res, res.Stdout)
	}
}
