package cir

import (
	"strings"
	"testing"
)

// count returns a program whose main adds up 0 to 9 in memory.
func count() *Program {
	m := Model{PointerBits: 64}
	reg := func(i int, t Type) *Reg { return &Reg{Index: i, Type: t} }
	sum := &Global{Name: "sum", Size: 4, Align: 4, Shape: &Shape{Size: 4, Scalar: I32, Name: "int"}}
	i, old, next, more, now := reg(0, I32), reg(1, I32), reg(2, I32), reg(3, Bool), reg(4, I32)
	acc := Access{Type: I32, Align: 4}
	entry, head, end := &Block{Index: 0}, &Block{Index: 1, Params: []*Reg{i}}, &Block{Index: 2}
	entry.Term = &Jump{To: head, Args: []Value{IntOf(I32, 0)}}
	site := &Site{Pos: Pos{"a.c", 3, 5}, Text: "sum += i"}
	head.Instrs = []Instr{
		&Load{Info: Info{Site: site}, Dst: old, Addr: sum, Access: acc},
		&Binary{Dst: now, Op: Add, X: old, Y: i},
		&Store{Addr: sum, X: now, Access: acc},
		&Binary{Dst: next, Op: Add, X: i, Y: IntOf(I32, 1)},
		&Compare{Dst: more, Pred: Lt, X: next, Y: IntOf(I32, 10)},
	}
	head.Term = &Branch{Cond: more, Then: head, ThenArgs: []Value{next}, Else: end}
	end.Term = &Return{X: IntOf(I32, 0)}
	main := &Func{Name: "main", Source: "main", Result: Result{Type: I32}, Blocks: []*Block{entry, head, end}, NumRegs: 5}
	return &Program{Model: m, Globals: []*Global{sum}, Funcs: []*Func{main}, Entry: main}
}

func TestPrint(t *testing.T) {
	want := `global sum: 4 bytes align 4 "int"
func main() i32 {
b0:
  jump b1(0:i32)
b1(%0 i32):
  %1 = load @sum, i32 align 4  ; 3:5 sum += i
  %4 = add i32 %1, %0
  store @sum, %4, i32 align 4
  %2 = add i32 %0, 1:i32
  %3 = lt %2, 10:i32
  branch %3 ? b1(%2) : b2
b2:
  return 0:i32
}
`
	if got := count().String(); got != want {
		t.Errorf("printed\n%s", got)
	}
}

// TestCheck breaks a sane program in one way after another.
func TestCheck(t *testing.T) {
	if err := count().Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		change     func(p *Program, b *Block)
	}{
		{"type", "is of type i32 instead of i64", func(_ *Program, b *Block) { b.Instrs[0].(*Load).Type = I64 }},
		{"order", "used before it is assigned", func(_ *Program, b *Block) { b.Instrs[0], b.Instrs[1] = b.Instrs[1], b.Instrs[0] }},
		{"twice", "assigned twice", func(_ *Program, b *Block) { b.Instrs = append(b.Instrs, b.Instrs[1]) }},
		{"dominance", "used where it may not be assigned", func(p *Program, b *Block) {
			p.Entry.Blocks[0].Term.(*Jump).Args[0] = b.Instrs[1].(*Binary).Dst
		}},
		{"arguments", "0 values for the 1 parameters", func(_ *Program, b *Block) { b.Term.(*Branch).ThenArgs = nil }},
		{"foreign", "not in the program", func(p *Program, _ *Block) { p.Globals = nil }},
		{"constant", "not one of its type", func(_ *Program, b *Block) { b.Instrs[3].(*Binary).Y = Int{Type: I32, Lo: 1 << 40} }},
		{"entry", "no function of the program", func(p *Program, _ *Block) { p.Entry = &Func{} }},
		{"result", "result is missing", func(p *Program, _ *Block) { p.Entry.Blocks[2].Term.(*Return).X = nil }},
		{"names", "not unique", func(p *Program, _ *Block) { p.Globals[0].Name = "main" }},
		{"data", "8 bytes of data in 4", func(p *Program, _ *Block) { p.Globals[0].Data = make([]byte, 8) }},
		{"address", "overlaps", func(p *Program, _ *Block) { p.Globals[0].Relocs = []Reloc{{Target: p.Entry}} }},
		{"intrinsic", "assume with 0 arguments", func(_ *Program, b *Block) { b.Instrs[4] = &Intrinsic{Op: Assume} }},
	} {
		p := count()
		c.change(p, p.Entry.Blocks[1])
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestNormal(t *testing.T) {
	for _, c := range []struct {
		t    Type
		v    int64
		want string
	}{
		{I8, 200, "-56"}, {U8, -1, "255"}, {Bool, 3, "1"}, {I64, -5, "-5"}, {U64, -1, "18446744073709551615"},
		{Type{Kind: IntKind, Bits: 128}, -1, "340282366920938463463374607431768211455"}, {Type{Kind: IntKind, Bits: 100, Signed: true}, -7, "-7"},
	} {
		if got := IntOf(c.t, c.v).Big().String(); got != c.want {
			t.Errorf("%d as %s: %s instead of %s", c.v, c.t, got, c.want)
		}
	}
}
