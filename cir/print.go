package cir

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
)

// String returns the whole program in a readable notation, for people and for tests:
// --show=cir prints it. It is not meant to be read back.
func (p *Program) String() string {
	var b strings.Builder
	p.Write(&b) // a Builder does not fail
	return b.String()
}

// Write prints the program.
func (p *Program) Write(w io.Writer) error {
	pr := &printer{m: p.Model}
	for _, g := range p.Globals {
		pr.global(g)
	}
	for _, f := range p.Funcs {
		pr.function(f)
	}
	_, err := io.WriteString(w, pr.b.String())
	return err
}

// String returns the function in the notation of [Program.String].
func (f *Func) String() string {
	pr := &printer{}
	pr.function(f)
	return pr.b.String()
}

type printer struct {
	m Model
	b strings.Builder
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *printer) global(g *Global) {
	var words []string
	for _, w := range []struct {
		is   bool
		word string
	}{{g.External, "external"}, {g.Weak, "weak"}, {g.ThreadLocal, "thread_local"}, {g.Const, "const"}, {g.Literal, "literal"}} {
		if w.is {
			words = append(words, w.word)
		}
	}
	p.printf("%s\n", strings.Join(append(words, fmt.Sprintf("global %s: %d bytes align %d%s", g.Name, g.Size, g.Align, typeName(g.Shape))), " "))
	if len(g.Data) > 0 {
		p.printf("  data %s\n", dataText(g.Data))
	}
	for _, r := range g.Relocs {
		p.printf("  at %d: &%s%+d\n", r.Offset, r.Target.SymbolName(), r.Addend)
	}
}

func typeName(s *Shape) string {
	if s == nil || s.Name == "" {
		return ""
	}
	return " \"" + s.Name + "\""
}

// dataText shows the first bytes of an object.
func dataText(data []byte) string {
	const most = 64
	if len(data) > most {
		return fmt.Sprintf("%q and %d bytes more", data[:most], len(data)-most)
	}
	return fmt.Sprintf("%q", data)
}

func (p *printer) function(f *Func) {
	var ps []string
	for _, x := range f.Params {
		s := regText(x.Reg) + " " + x.Reg.Type.String()
		if x.ByVal != nil {
			s += fmt.Sprintf(" byval %d", x.ByVal.Size)
		}
		if x.Name != "" {
			s += " " + x.Name
		}
		ps = append(ps, s)
	}
	if f.Variadic {
		ps = append(ps, "...")
	}
	head := fmt.Sprintf("func %s(%s) %s", f.Name, strings.Join(ps, ", "), resultText(f.Result))
	for _, w := range []struct {
		is   bool
		word string
	}{{f.NoReturn, " noreturn"}, {f.Atomic, " atomic"}, {f.Library, " library"}} {
		if w.is {
			head += w.word
		}
	}
	if len(f.Blocks) == 0 {
		p.printf("external %s\n", head)
		return
	}
	p.printf("%s {\n", head)
	for _, l := range f.Locals {
		scoped := ""
		if l.Scoped {
			scoped = " scoped"
		}
		p.printf("  local %s: %d bytes align %d%s%s\n", localText(l), l.Size, l.Align, scoped, typeName(l.Shape))
	}
	for _, b := range f.Blocks {
		p.block(b)
	}
	p.printf("}\n")
}

func resultText(r Result) string {
	if r.Shape != nil {
		return fmt.Sprintf("struct %d", r.Shape.Size)
	}
	return r.Type.String()
}

func (p *printer) block(b *Block) {
	var ps []string
	for _, r := range b.Params {
		ps = append(ps, regText(r)+" "+r.Type.String())
	}
	args := ""
	if len(ps) > 0 {
		args = "(" + strings.Join(ps, ", ") + ")"
	}
	label := ""
	if b.Label != "" {
		label = " // " + b.Label
	}
	p.printf("b%d%s:%s\n", b.Index, args, label)
	for _, i := range b.Instrs {
		p.line(InstrText(i), i.Meta())
	}
	if b.Term != nil {
		p.line(TermText(b.Term), b.Term.Meta())
	}
}

// line prints an instruction with its place.
func (p *printer) line(text string, info *Info) {
	p.printf("  %s", text)
	if info.Approx != "" {
		p.printf(" approx(%s)", info.Approx)
	}
	if s := info.Site; s != nil && s.Pos.Line > 0 {
		p.printf("  ; %d:%d", s.Pos.Line, s.Pos.Col)
		if s.Text != "" {
			p.printf(" %s", s.Text)
		}
	}
	p.printf("\n")
}

func regText(r *Reg) string {
	if r == nil {
		return "_"
	}
	return fmt.Sprintf("%%%d", r.Index)
}

func localText(l *Local) string {
	if l.Name == "" {
		return fmt.Sprintf("$%d", l.Index)
	}
	return fmt.Sprintf("$%d.%s", l.Index, l.Name)
}

// ValueText returns an operand in the printer's notation.
func ValueText(v Value) string {
	switch v := v.(type) {
	case nil:
		return "_"
	case *Reg:
		return regText(v)
	case Int:
		return v.Big().String() + ":" + v.Type.String()
	case Float:
		return v.text()
	case Null:
		if v.Addr == 0 {
			return "null"
		}
		return fmt.Sprintf("ptr(%#x)", v.Addr)
	case Undef:
		return "undef:" + v.Type.String()
	case *Global:
		return "@" + v.Name
	case *Func:
		return "@" + v.Name
	case *Local:
		return localText(v)
	case *Block:
		return fmt.Sprintf("&b%d", v.Index)
	}
	return fmt.Sprintf("?%T", v)
}

// Big returns the constant's value.
func (c Int) Big() *big.Int {
	n := new(big.Int).SetUint64(c.Hi)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c.Lo))
	if c.Type.Signed && c.Hi>>63 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return n
}

func (f Float) text() string {
	switch f.Type.Bits {
	case 32:
		return fmt.Sprintf("%g:f32", math.Float32frombits(uint32(f.Lo)))
	case 64:
		return fmt.Sprintf("%g:f64", math.Float64frombits(f.Lo))
	}
	return fmt.Sprintf("%#x.%016x:%s", f.Hi, f.Lo, f.Type)
}
