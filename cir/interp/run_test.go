package interp

import (
	"context"
	"strings"
	"testing"

	"comus/cir"
)

var ptr = cir.Type{Kind: cir.PointerKind, Bits: 64}

// TestUndefined has programs whose end is undefined, and what is said of it.
func TestUndefined(t *testing.T) {
	for _, c := range []struct {
		check, why string
		build      func(b *builder)
	}{
		{CheckMemory, "null pointer", func(b *builder) { b.load(cir.I32, cir.Null{}) }},
		{CheckMemory, "0x10 points to no object", func(b *builder) { b.load(cir.I32, cir.Null{Addr: 16}) }},
		{CheckMemory, "4 bytes at offset 6 of 'x', which has 8", func(b *builder) { b.load(cir.I32, b.off(b.local("x", 8), nil, 0, 6, 0)) }},
		{CheckMemory, "offset -1", func(b *builder) { b.store(cir.I8, b.off(b.global("g", 8, ""), i32(-1), 1, 0, 0), cir.IntOf(cir.I8, 1)) }},
		{CheckBounds, "subscript 5 of an array of 4", func(b *builder) { b.off(b.local("x", 16), i32(5), 4, 0, 4) }},
		{CheckBounds, "subscript 2 of an array of 2", func(b *builder) { b.store(cir.I32, b.off(b.local("x", 16), i32(2), 4, 0, 2), i32(1)) }},
		{CheckMemory, "after the end of its life", func(b *builder) {
			l := b.local("x", 4)
			l.Scoped = true
			b.add(&cir.LifeStart{Local: l})
			b.store(cir.I32, l, i32(1))
			b.add(&cir.LifeEnd{Local: l})
			b.load(cir.I32, l)
		}},
		{CheckMemory, "'heap object' after the end of its life", func(b *builder) {
			p := b.do(cir.Alloc, ptr, cir.IntOf(cir.U64, 8))
			b.do(cir.Free, cir.Void, p)
			b.load(cir.I32, p)
		}},
		{CheckMemory, "free of an object that is free", func(b *builder) {
			p := b.do(cir.Alloc, ptr, cir.IntOf(cir.U64, 8))
			b.do(cir.Free, cir.Void, p)
			b.do(cir.Free, cir.Void, p)
		}},
		{CheckMemory, "none of malloc's", func(b *builder) { b.do(cir.Free, cir.Void, b.local("x", 4)) }},
		{CheckConst, "'g' is constant", func(b *builder) {
			g := b.global("g", 4, "")
			g.Const = true
			b.store(cir.I32, g, i32(1))
		}},
		{CheckUninit, "decides", func(b *builder) {
			x := b.load(cir.I32, b.local("x", 4))
			k := b.block()
			b.branch(b.cmp(cir.Eq, x, i32(0)), k, k)
			b.b = k
		}},
		{CheckUninit, "decides", func(b *builder) { b.load(cir.I32, b.load(ptr, b.local("p", 8))) }},
		{CheckUninit, "library", func(b *builder) { b.write(b.local("x", 4), 4) }},
		{CheckOverflow, "overflow", func(b *builder) { b.bin(cir.Add, cir.I32, i32(1<<31-1), i32(1)) }},
		{CheckOverflow, "overflow", func(b *builder) { b.bin(cir.Mul, cir.I64, cir.IntOf(cir.I64, 1<<62), cir.IntOf(cir.I64, 2)) }},
		{CheckOverflow, "overflow", func(b *builder) { b.bin(cir.Div, cir.I32, i32(-1<<31), i32(-1)) }},
		{CheckOverflow, "overflow", func(b *builder) {
			b.add(&cir.Unary{Dst: b.reg(cir.I32), Op: cir.Neg, X: i32(-1 << 31)})
		}},
		{CheckDivision, "division by zero", func(b *builder) { b.bin(cir.Rem, cir.U8, cir.IntOf(cir.U8, 1), cir.IntOf(cir.U8, 0)) }},
		{CheckShift, "by 32", func(b *builder) { b.bin(cir.Shl, cir.U32, cir.IntOf(cir.U32, 1), i32(32)) }},
		{CheckShift, "by -1", func(b *builder) { b.bin(cir.Shr, cir.I32, i32(1), i32(-1)) }},
		{CheckShift, "overflows", func(b *builder) { b.bin(cir.Shl, cir.I32, i32(3), i32(30)) }},
		{CheckConversion, "cannot hold", func(b *builder) { b.conv(cir.I32, b.conv(cir.F64, cir.IntOf(cir.I64, 1<<31))) }},
		{CheckCall, "takes 1", func(b *builder) {
			m, k := b.f, b.b
			b.fn("f", cir.Void, cir.I32)
			b.ret(nil)
			f := b.f
			b.f, b.b = m, k
			b.call(cir.Void, f)
		}},
		{CheckCall, "no function", func(b *builder) { b.call(cir.Void, b.off(b.global("g", 4, ""), nil, 0, 0, 0)) }},
		{CheckMemory, "null", func(b *builder) { b.call(cir.Void, b.off(cir.Null{}, nil, 0, 0, 0)) }},
		{CheckMemory, "bytes of a function", func(b *builder) { b.load(cir.I8, b.f) }},
		{"locks", "does not hold", func(b *builder) { b.do(cir.Unlock, cir.Void, b.global("g", 4, "")) }},
		{CheckMemory, "which has 4", func(b *builder) {
			b.add(&cir.Copy{Dst: b.local("x", 8), Src: b.global("y", 4, ""), Size: cir.IntOf(cir.U64, 8), Align: 1})
		}},
	} {
		b := newProgram()
		c.build(b)
		b.ret(i32(0))
		r := b.run(t, Options{})
		if r.Outcome != Undefined || r.Check != c.check || !strings.Contains(r.Why, c.why) || r.Site == nil {
			t.Errorf("%v instead of %s: %s", r, c.check, c.why)
		}
	}
}

// TestIndeterminate copies indeterminate bytes and uses determinate bits beside them.
func TestIndeterminate(t *testing.T) {
	b := newProgram()
	x, y := b.local("x", 16), b.local("y", 16)
	b.add(&cir.Copy{Dst: y, Src: x, Size: cir.IntOf(cir.U64, 16), Align: 8})
	b.store(cir.I64, y, b.load(cir.I64, x))
	bits := func(off, n int) cir.Access {
		return cir.Access{Type: cir.U32, Align: 4, Bits: &cir.Bits{Offset: off, Width: n}}
	}
	b.add(&cir.Store{Addr: y, X: cir.IntOf(cir.U32, 5), Access: bits(3, 4)})
	r := b.reg(cir.U32)
	b.add(&cir.Load{Dst: r, Addr: y, Access: bits(3, 4)})
	all := b.load(cir.U32, y)
	masked := b.bin(cir.And, cir.U32, b.bin(cir.Shr, cir.U32, all, i32(3)), cir.IntOf(cir.U32, 15))
	sum := b.bin(cir.Add, cir.U32, r, masked)
	then, els := b.block(), b.block()
	b.branch(b.cmp(cir.Eq, sum, cir.IntOf(cir.U32, 10)), then, els)
	b.b = els
	b.ret(i32(1))
	b.b = then
	b.ret(i32(0))
	if r := b.run(t, Options{}); r.Outcome != Exited || r.Exit != 0 {
		t.Error(r)
	}
}

// TestPointers moves a pointer byte by byte, through an integer, and out of its object and back.
func TestPointers(t *testing.T) {
	for _, packed := range []int64{0, 3} {
		b := newProgram()
		g, p, q := b.global("g", 4, "\x2a"), b.local("p", 16), b.local("q", 16)
		at, to := b.off(p, nil, 0, packed, 0), b.off(q, nil, 0, packed, 0)
		b.store(ptr, at, b.off(g, nil, 0, 0, 0))
		for i := range int64(8) {
			b.store(cir.U8, b.off(to, nil, 0, i, 0), b.load(cir.U8, b.off(at, nil, 0, i, 0)))
		}
		x := b.load(cir.I32, b.load(ptr, to))
		n := b.conv(cir.U64, b.load(ptr, to))
		y := b.load(cir.I32, b.conv(ptr, b.bin(cir.Xor, cir.U64, b.bin(cir.Xor, cir.U64, n, cir.IntOf(cir.U64, -1)), cir.IntOf(cir.U64, -1))))
		b.store(ptr, p, b.off(g, nil, 0, 1000, 0))
		z := b.load(cir.I32, b.off(b.load(ptr, p), nil, 0, -1000, 0))
		b.ret(b.bin(cir.Add, cir.I32, b.bin(cir.Add, cir.I32, x, y), z))
		if r := b.run(t, Options{}); r.Exit != 126 {
			t.Error(r)
		}
	}
}

// TestLarge has a large object that is hardly touched, static and on the heap.
func TestLarge(t *testing.T) {
	b := newProgram()
	g := b.global("g", 1<<30, "")
	h := b.do(cir.Alloc, ptr, cir.IntOf(cir.U64, 1<<40))
	end := b.off(g, nil, 0, 1<<30-4, 0)
	b.store(cir.I32, end, i32(7))
	b.add(&cir.Copy{Dst: b.off(h, nil, 0, 1<<39-2, 0), Src: end, Size: cir.IntOf(cir.U64, 4), Align: 1})
	b.store(ptr, b.off(h, nil, 0, 1<<20, 0), end)
	b.add(&cir.Copy{Dst: b.off(h, nil, 0, 1<<20+8*10000, 0), Src: b.off(h, nil, 0, 1<<20, 0), Size: cir.IntOf(cir.U64, 8), Align: 1, Overlap: true})
	x := b.load(cir.I32, b.load(ptr, b.off(h, nil, 0, 1<<20+80000, 0)))
	b.add(&cir.Fill{Dst: g, Byte: cir.IntOf(cir.U8, 0), Size: cir.IntOf(cir.U64, 1<<29)})
	b.ret(b.bin(cir.Add, cir.I32, b.bin(cir.Add, cir.I32, b.load(cir.I32, b.off(h, nil, 0, 1<<39-2, 0)), b.load(cir.I32, g)), x))
	if r := b.run(t, Options{MaxMemory: 1 << 20}); r.Exit != 14 {
		t.Error(r)
	}
	b = newProgram()
	b.add(&cir.Fill{Dst: b.global("g", 1<<30, ""), Byte: cir.IntOf(cir.U8, 1), Size: cir.IntOf(cir.U64, 1<<30)})
	b.ret(i32(0))
	if r := b.run(t, Options{MaxMemory: 1 << 24}); r.Outcome != Limit {
		t.Error(r)
	}
}

// TestParallel exchanges two parameters of a block.
func TestParallel(t *testing.T) {
	b := newProgram()
	k, end := b.block(cir.I32, cir.I32, cir.I32), b.block()
	b.jump(k, i32(0), i32(1), i32(2))
	b.b = k
	n := b.bin(cir.Add, cir.I32, k.Params[0], i32(1))
	b.b.Term = &cir.Branch{Cond: b.cmp(cir.Lt, n, i32(4)), Then: k, ThenArgs: []cir.Value{n, k.Params[2], k.Params[1]}, Else: end}
	b.b = end
	b.ret(b.bin(cir.Sub, cir.I32, b.bin(cir.Mul, cir.I32, k.Params[1], i32(10)), k.Params[2]))
	if r := b.run(t, Options{}); r.Exit != 19 {
		t.Error(r)
	}
}

// counters is a program whose threads add to a counter: load, add, store.
func counters(locked bool) *builder {
	b := newProgram()
	main, k := b.f, b.b
	g, lock := b.global("g", 4, ""), b.global("lock", 4, "")
	b.fn("add", cir.Void, ptr)
	if locked {
		b.do(cir.Lock, cir.Void, lock)
	}
	b.store(cir.I32, g, b.bin(cir.Add, cir.I32, b.load(cir.I32, g), i32(1)))
	if locked {
		b.do(cir.Unlock, cir.Void, lock)
	}
	b.ret(nil)
	add := b.f
	b.f, b.b = main, k
	x := b.do(cir.ThreadCreate, cir.U64, add, cir.Null{}, cir.Null{}, cir.Null{})
	y := b.do(cir.ThreadCreate, cir.U64, add, cir.Null{}, cir.Null{}, cir.Null{})
	for _, id := range []cir.Value{x, y} {
		b.do(cir.AtomicBegin, cir.Void)
		b.do(cir.Await, cir.Void, b.cmp(cir.Ne, b.do(cir.ThreadEnded, cir.I32, id), i32(0)))
		b.do(cir.AtomicEnd, cir.Void)
	}
	b.ret(b.load(cir.I32, g))
	return b
}

// TestThreads runs threads by schedules.
func TestThreads(t *testing.T) {
	for _, c := range []struct {
		locked bool
		s      Scheduler
		exits  []int
	}{
		{false, &List{Threads: []int{0, 0, 1, 1, 2, 2, 2, 2, 1, 1}}, []int{1}},
		{false, &List{Threads: []int{0, 0, 1, 1, 1, 1, 2, 2, 2, 2}}, []int{2}},
		{false, NewRandom(1, 1), []int{1, 2}},
		{false, nil, []int{2}},
		{true, NewRandom(2, 1), []int{2}},
		{true, RoundRobin(1), []int{2}},
	} {
		r := counters(c.locked).run(t, Options{Scheduler: c.s})
		ok := false
		for _, e := range c.exits {
			ok = ok || r.Exit == e
		}
		if r.Outcome != Exited || !ok || r.Threads != 3 {
			t.Errorf("%v instead of %v", r, c.exits)
		}
	}
}

// TestBlocked has threads that wait forever, and one that waits outside of an atomic section.
func TestBlocked(t *testing.T) {
	b := newProgram()
	l := b.global("lock", 4, "")
	b.do(cir.Lock, cir.Void, l)
	b.do(cir.Lock, cir.Void, l)
	b.ret(i32(0))
	if r := b.run(t, Options{}); r.Outcome != Deadlock {
		t.Error(r)
	}
	b = newProgram()
	main, k := b.f, b.b
	g := b.global("g", 4, "")
	b.fn("set", cir.Void, ptr)
	b.store(cir.I32, g, i32(1))
	b.ret(nil)
	f := b.f
	b.f, b.b = main, k
	b.do(cir.ThreadCreate, cir.U64, f, cir.Null{}, cir.Null{}, cir.Null{})
	// await(g != 0 && g != 2), over blocks
	rest, join := b.block(), b.block(cir.Bool)
	b.b.Term = &cir.Branch{Cond: b.cmp(cir.Ne, b.load(cir.I32, g), i32(0)), Then: rest, Else: join, ElseArgs: []cir.Value{cir.IntOf(cir.Bool, 0)}}
	b.b = rest
	b.jump(join, b.cmp(cir.Ne, b.load(cir.I32, g), i32(2)))
	b.b = join
	b.do(cir.Await, cir.Void, join.Params[0])
	b.ret(i32(3))
	if r := b.run(t, Options{Scheduler: &List{Threads: []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}); r.Exit != 3 {
		t.Error(r)
	}
	f.Blocks[0].Instrs = nil
	if r := b.run(t, Options{}); r.Outcome != Deadlock {
		t.Error(r)
	}
	// A section is done again when it has waited, which it must not be once it changed memory.
	b = newProgram()
	g = b.global("g", 4, "")
	b.do(cir.AtomicBegin, cir.Void)
	b.store(cir.I32, g, b.bin(cir.Add, cir.I32, b.load(cir.I32, g), i32(1)))
	b.do(cir.Await, cir.Void, b.cmp(cir.Eq, b.load(cir.I32, g), i32(2)))
	b.do(cir.AtomicEnd, cir.Void)
	b.ret(i32(0))
	if r, err := Run(context.Background(), b.p, Options{}); err == nil {
		t.Errorf("a section that waits after it wrote is done twice: %v", r)
	}
}

// TestMalformed has programs that are none.
func TestMalformed(t *testing.T) {
	for i, damage := range []func(b *builder){
		func(b *builder) { b.p.Entry = nil },
		func(b *builder) { b.b.Term = nil },
		func(b *builder) { b.b.Instrs = append(b.b.Instrs, nil) },
		func(b *builder) { b.add(&cir.Binary{Dst: b.reg(cir.I32), Op: cir.Add, X: nil, Y: i32(1)}) },
		func(b *builder) { b.add(&cir.Binary{Dst: nil, Op: cir.Add, X: i32(1), Y: i32(1)}) },
		func(b *builder) {
			b.add(&cir.Binary{Dst: &cir.Reg{Index: 99, Type: cir.I32}, Op: cir.Add, X: i32(1), Y: i32(1)})
		},
		func(b *builder) { b.bin(cir.Add, cir.I64, i32(1), i32(1)) },
		func(b *builder) { b.bin(cir.Sqrt, cir.I32, i32(1), i32(1)) },
		func(b *builder) { b.bin(200, cir.I32, i32(1), i32(1)) },
		func(b *builder) { b.load(cir.Type{Kind: cir.IntKind, Bits: 300}, b.local("x", 8)) },
		func(b *builder) { b.load(cir.I32, i32(1)) },
		func(b *builder) { b.load(cir.I32, &cir.Local{}) },
		func(b *builder) { b.b.Term = &cir.Jump{To: &cir.Block{Index: 7}} },
		func(b *builder) { b.b.Term = &cir.Jump{To: b.block(cir.I32)} },
		func(b *builder) { b.do(200, cir.Void) },
		func(b *builder) { b.do(cir.Free, cir.Void) },
		func(b *builder) { b.p.Model.PointerBits = 16 },
		func(b *builder) { b.global("g", 2, "abcd"); b.load(cir.I8, b.p.Globals[0]) },
		func(b *builder) { b.local("x", -1) },
		func(b *builder) { b.call(cir.I32, (*cir.Func)(nil)) },
		func(b *builder) { b.f.NumRegs = -1 },
		func(b *builder) { b.conv(cir.I32, (*cir.Reg)(nil)) },
	} {
		b := newProgram()
		b.ret(i32(0))
		damage(b)
		if r, err := Run(context.Background(), b.p, Options{}); err == nil {
			t.Errorf("program %d runs: %v", i, r)
		} else if strings.Contains(err.Error(), "goroutine") {
			t.Errorf("program %d panics: %v", i, err)
		}
	}
}

// BenchmarkLoop counts simple instructions in a loop over memory.
func BenchmarkLoop(b *testing.B) {
	p := newProgram()
	i, s := p.local("i", 4), p.local("s", 4)
	p.store(cir.I32, i, i32(0))
	p.store(cir.I32, s, i32(0))
	loop, end := p.block(), p.block()
	p.jump(loop)
	p.b = loop
	p.store(cir.I32, s, p.bin(cir.Xor, cir.I32, p.load(cir.I32, s), p.load(cir.I32, i)))
	n := p.bin(cir.Add, cir.I32, p.load(cir.I32, i), i32(1))
	p.store(cir.I32, i, n)
	p.branch(p.cmp(cir.Lt, n, i32(1000000)), loop, end)
	p.b = end
	p.ret(p.load(cir.I32, s))
	var steps int64
	for b.Loop() {
		r, err := Run(context.Background(), p.p, Options{})
		if err != nil {
			b.Fatal(err)
		}
		steps += r.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
}
