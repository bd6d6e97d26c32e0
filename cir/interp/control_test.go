package interp

import (
	"testing"

	"comus/cir"
)

// in begins a function, and returns what goes back to the one before.
func (b *builder) in(name string, result cir.Type, params ...cir.Type) (regs []*cir.Reg, f *cir.Func, back func()) {
	g, k := b.f, b.b
	regs = b.fn(name, result, params...)
	return regs, b.f, func() { b.f, b.b = g, k }
}

// TestVariable reads variable arguments: scalars and a struct, twice, in another function, in both models.
func TestVariable(t *testing.T) {
	for _, bits := range []int{64, 32} {
		b := newProgram()
		b.p.Model.PointerBits = bits
		ptr := b.p.Model.Pointer()
		pair := &cir.Shape{Size: 8, Name: "struct pair"}
		va := func(t cir.Type, ap cir.Value) *cir.Reg {
			r := b.reg(t)
			b.add(&cir.VaArg{Dst: r, Ap: ap})
			return r
		}
		regs, sum, back := b.in("sum", cir.I32, ptr)
		buf := b.local("buf", 8)
		x := va(cir.I32, regs[0])
		b.add(&cir.VaArg{Ap: regs[0], To: buf, Shape: pair})
		y := b.conv(cir.I32, va(cir.I64, regs[0]))
		z := b.conv(cir.I32, va(cir.F64, regs[0]))
		s := b.bin(cir.Add, cir.I32, b.bin(cir.Add, cir.I32, x, b.load(cir.I32, buf)), b.bin(cir.Add, cir.I32, y, z))
		b.ret(b.bin(cir.Add, cir.I32, s, b.load(cir.I32, b.off(buf, nil, 0, 4, 0))))
		back()
		_, f, back := b.in("f", cir.I32, cir.I32)
		f.Variadic = true
		ap, aq := b.local("ap", 24), b.local("aq", 24)
		b.add(&cir.VaStart{Ap: ap})
		b.add(&cir.VaCopy{Dst: aq, Src: ap})
		first := b.call(cir.I32, sum, ap)
		second := b.call(cir.I32, sum, aq)
		b.add(&cir.VaEnd{Ap: ap})
		b.ret(b.bin(cir.Add, cir.I32, b.bin(cir.Mul, cir.I32, first, i32(2)), second))
		back()
		st := b.global("s", 8, "\x03\x00\x00\x00\x04")
		r := b.call(cir.I32, f, i32(0), i32(1), st, cir.IntOf(cir.I64, 20), cir.Float{Type: cir.F64, Lo: 0x4024 << 48})
		c := b.b.Instrs[len(b.b.Instrs)-1].(*cir.Call)
		c.Args[2].ByVal, c.Fixed = pair, 1
		b.ret(r)
		if r := b.run(t, Options{}); r.Exit != 3*38 {
			t.Errorf("%d bits: %v", bits, r)
		}
		c.Args = c.Args[:3]
		if r := b.run(t, Options{}); r.Outcome != Undefined || r.Check != CheckCall {
			t.Errorf("%d bits: %v", bits, r)
		}
	}
}

// TestSetjmp jumps out of a function, and into one that has returned.
func TestSetjmp(t *testing.T) {
	b := newProgram()
	buf := b.global("buf", 200, "")
	regs, f, back := b.in("f", cir.Void, cir.I32)
	b.do(cir.Longjmp, cir.Void, buf, regs[0])
	b.b.Term = &cir.Unreachable{Why: "longjmp"}
	back()
	_, g, back := b.in("g", cir.Void)
	b.do(cir.Setjmp, cir.I32, buf)
	b.ret(nil)
	back()
	n := b.local("n", 4)
	b.store(cir.I32, n, i32(0))
	j := b.do(cir.Setjmp, cir.I32, buf)
	again, end := b.block(), b.block()
	b.store(cir.I32, n, b.bin(cir.Add, cir.I32, b.load(cir.I32, n), i32(1)))
	b.branch(b.cmp(cir.Lt, j, i32(7)), again, end)
	b.b = again
	b.call(cir.Void, f, b.bin(cir.Add, cir.I32, j, i32(3)))
	b.ret(i32(0))
	b.b = end
	b.ret(b.bin(cir.Add, cir.I32, b.bin(cir.Mul, cir.I32, b.load(cir.I32, n), i32(10)), j))
	if r := b.run(t, Options{}); r.Exit != 49 { // 0, 3, 6, 9
		t.Error(r)
	}
	b.b = end
	b.call(cir.Void, g)
	b.call(cir.Void, f, i32(1))
	if r := b.run(t, Options{}); r.Outcome != Undefined || r.Check != CheckCall {
		t.Error(r)
	}
}

// TestEnd has constructors, a model of exit and destructors.
func TestEnd(t *testing.T) {
	for _, model := range []bool{false, true} {
		b := newProgram()
		say := func(name string, what byte) *cir.Func {
			_, f, back := b.in(name, cir.Void)
			b.write(b.global(name, 1, string(what)), 1)
			b.ret(nil)
			back()
			return f
		}
		b.p.Constructors = []*cir.Func{say("a", 'a'), say("b", 'b')}
		b.p.Destructors = []*cir.Func{say("y", 'y'), say("z", 'z')}
		want := "abmyz"
		if model {
			regs, _, back := b.in("exit", cir.Void, cir.I32)
			b.call(cir.Void, say("x", 'x'))
			b.do(cir.Stop, cir.Void, regs[0])
			b.b.Term = &cir.Unreachable{}
			back()
			want = "abmxyz"
		}
		b.call(cir.Void, say("m", 'm'))
		b.ret(i32(258))
		if r := b.run(t, Options{}); r.Outcome != Exited || r.Exit != 2 || string(r.Stdout) != want {
			t.Errorf("%v %q instead of %q", r, r.Stdout, want)
		}
	}
}

// TestGoto jumps to a label whose address is in static data, and to none.
func TestGoto(t *testing.T) {
	b := newProgram()
	one, two := b.block(), b.block()
	g := b.global("table", 16, "")
	g.Relocs = []cir.Reloc{{Offset: 0, Target: one}, {Offset: 8, Target: two}}
	i := &cir.IndirectJump{X: b.load(ptr, b.off(g, i32(1), 8, 0, 0)), Targets: []*cir.Block{one, two}}
	b.b.Term = i
	b.b = one
	b.ret(i32(1))
	b.b = two
	b.ret(i32(2))
	if r := b.run(t, Options{}); r.Exit != 2 {
		t.Error(r)
	}
	i.Targets = i.Targets[:1]
	if r := b.run(t, Options{}); r.Outcome != Undefined {
		t.Error(r)
	}
}
