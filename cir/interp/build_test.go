package interp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"comus/cir"
)

// builder makes a program of the function main, and more.
type builder struct {
	p *cir.Program
	f *cir.Func
	b *cir.Block
}

func newProgram() *builder {
	b := &builder{p: &cir.Program{Model: cir.Model{PointerBits: 64}}}
	b.fn("main", cir.I32)
	b.p.Entry = b.f
	return b
}

// fn begins a function and returns its parameters.
func (b *builder) fn(name string, result cir.Type, params ...cir.Type) []*cir.Reg {
	b.f = &cir.Func{Name: name, Source: name, Result: cir.Result{Type: result}}
	b.p.Funcs = append(b.p.Funcs, b.f)
	var regs []*cir.Reg
	for _, t := range params {
		r := b.reg(t)
		b.f.Params = append(b.f.Params, cir.Param{Reg: r})
		regs = append(regs, r)
	}
	b.b = b.block()
	return regs
}

func (b *builder) reg(t cir.Type) *cir.Reg {
	r := &cir.Reg{Index: b.f.NumRegs, Type: t}
	b.f.NumRegs++
	return r
}

// block adds a block, with parameters.
func (b *builder) block(params ...cir.Type) *cir.Block {
	k := &cir.Block{Index: len(b.f.Blocks)}
	for _, t := range params {
		k.Params = append(k.Params, b.reg(t))
	}
	b.f.Blocks = append(b.f.Blocks, k)
	return k
}

func (b *builder) local(name string, size int64) *cir.Local {
	l := &cir.Local{Index: len(b.f.Locals), Name: name, Size: size, Align: 8}
	b.f.Locals = append(b.f.Locals, l)
	return l
}

func (b *builder) global(name string, size int64, data string) *cir.Global {
	g := &cir.Global{Name: name, Source: name, Size: size, Align: 16, Data: []byte(data)}
	b.p.Globals = append(b.p.Globals, g)
	return g
}

func (b *builder) add(in cir.Instr) {
	in.Meta().Site = &cir.Site{Pos: cir.Pos{File: "t.c", Line: len(b.b.Instrs), Col: b.b.Index}}
	b.b.Instrs = append(b.b.Instrs, in)
}

func (b *builder) bin(op cir.Op, t cir.Type, x, y cir.Value) *cir.Reg {
	r := b.reg(t)
	b.add(&cir.Binary{Dst: r, Op: op, X: x, Y: y})
	return r
}

func (b *builder) wrap(op cir.Op, t cir.Type, x, y cir.Value) *cir.Reg {
	r := b.reg(t)
	b.add(&cir.Binary{Dst: r, Op: op, X: x, Y: y, Wrap: true})
	return r
}

func (b *builder) cmp(p cir.Pred, x, y cir.Value) *cir.Reg {
	r := b.reg(cir.Bool)
	b.add(&cir.Compare{Dst: r, Pred: p, X: x, Y: y})
	return r
}

func (b *builder) conv(t cir.Type, x cir.Value) *cir.Reg {
	r := b.reg(t)
	b.add(&cir.Convert{Dst: r, X: x})
	return r
}

func (b *builder) load(t cir.Type, p cir.Value) *cir.Reg {
	r := b.reg(t)
	b.add(&cir.Load{Dst: r, Addr: p, Access: cir.Access{Type: t, Align: 1}})
	return r
}

func (b *builder) store(t cir.Type, p, x cir.Value) {
	b.add(&cir.Store{Addr: p, X: x, Access: cir.Access{Type: t, Align: 1}})
}

func (b *builder) off(p, i cir.Value, scale, disp, n int64) *cir.Reg {
	r := b.reg(b.p.Model.Pointer())
	b.add(&cir.Offset{Dst: r, P: p, Index: i, Scale: scale, Disp: disp, Len: n})
	return r
}

func (b *builder) call(t cir.Type, f cir.Value, args ...cir.Value) *cir.Reg {
	c := &cir.Call{Callee: f, Fixed: len(args), Result: cir.Result{Type: t}, Returns: true}
	for _, a := range args {
		c.Args = append(c.Args, cir.Arg{X: a})
	}
	if t != cir.Void {
		c.Dst = b.reg(t)
	}
	b.add(c)
	return c.Dst
}

func (b *builder) do(op cir.IntrinsicOp, t cir.Type, args ...cir.Value) *cir.Reg {
	in := &cir.Intrinsic{Op: op, Args: args}
	if t != cir.Void {
		in.Dst = b.reg(t)
	}
	b.add(in)
	return in.Dst
}

func (b *builder) ret(x cir.Value)                       { b.b.Term = &cir.Return{X: x} }
func (b *builder) jump(to *cir.Block, args ...cir.Value) { b.b.Term = &cir.Jump{To: to, Args: args} }
func (b *builder) branch(c cir.Value, then, els *cir.Block) {
	b.b.Term = &cir.Branch{Info: cir.Info{Site: &cir.Site{}}, Cond: c, Then: then, Else: els}
}
func (b *builder) write(p cir.Value, n int64) {
	b.do(cir.WriteOut, cir.Void, i32(1), p, cir.IntOf(cir.U64, n))
}
func (b *builder) run(t *testing.T, opt Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), b.p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func i32(n int64) cir.Int { return cir.IntOf(cir.I32, n) }

// gcc compiles and runs C, and returns its output.
func gcc(t *testing.T, src string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	c, exe := filepath.Join(dir, "t.c"), filepath.Join(dir, "t")
	if err := os.WriteFile(c, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-w", "-O0", "-o", exe, c}, flags...)
	if out, err := exec.Command("gcc", append(args, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatalf("the compiled program: %v", err)
	}
	return string(out)
}
