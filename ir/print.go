package ir

import (
	"fmt"
	"io"
	"strings"

	"comus/logic"
)

// String returns the whole program in a readable notation: the variables with
// their types and initial values, then each thread's locations and the edges
// that leave them. It is for people and for tests, not meant to be read back.
func (p *Program) String() string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

// Fprint writes [Program.String] to w.
func (p *Program) Fprint(w io.Writer) error {
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *Program) write(b *strings.Builder) {
	fmt.Fprintf(b, "program %s\n", p.File)
	for _, a := range p.Assumptions {
		fmt.Fprintf(b, "assumption: %s\n", a)
	}
	for _, r := range p.Bounded {
		fmt.Fprintf(b, "bounded: %s\n", r)
	}
	if len(p.Vars) > 0 {
		b.WriteByte('\n')
	}
	for _, v := range p.Vars {
		b.WriteString(p.describeVar(v))
		b.WriteByte('\n')
	}
	for _, t := range p.Threads {
		b.WriteByte('\n')
		t.write(b)
	}
}

// describeVar returns one line: owner, type, name, initial value and source.
func (p *Program) describeVar(v *Var) string {
	owner := "shared"
	if v.Thread != Shared {
		owner = fmt.Sprintf("thread %d", v.Thread)
	}
	init := "any"
	if v.Init != nil {
		init = v.Init.String()
	}
	s := fmt.Sprintf("%s %s %s = %s", owner, v.Type, v.Name, init)
	switch v.Source {
	case v.Name:
	case "":
		s += "  // temporary"
	default:
		s += "  // " + v.Source
	}
	return s
}

func (t *Thread) write(b *strings.Builder) {
	fmt.Fprintf(b, "thread %d %s", t.Index, t.Name)
	if t.Created != nil {
		b.WriteString(" created=" + t.Created.Name)
	}
	if t.Ended != nil {
		b.WriteString(" ended=" + t.Ended.Name)
	}
	b.WriteByte('\n')
	for _, l := range t.Locs {
		b.WriteString("  " + l.describe(l == t.Entry) + "\n")
		for _, e := range l.Out {
			b.WriteString("    " + e.String() + "\n")
		}
	}
}

// describe returns the location's name, marks and place.
func (l *Loc) describe(entry bool) string {
	s := l.String()
	if entry {
		s += " entry"
	}
	if l.Atomic {
		s += " atomic"
	}
	if l.Error {
		s += " error"
		if l.Check != "" {
			s += " " + l.Check + ":"
		}
		if l.Text != "" {
			s += " " + l.Text
		}
	}
	s += ":"
	if len(l.Out) == 0 && !l.Error {
		s += " end"
	}
	if l.Pos != (Pos{}) {
		s += "  // " + l.Pos.String()
	}
	return s
}

// String returns the location's name within its thread, "L3".
func (l *Loc) String() string { return fmt.Sprintf("L%d", l.Index) }

// String returns the edge in one line, "L1 -> L2: x = 1;  // f.c:3:1 x = 1".
func (e *Edge) String() string {
	s := fmt.Sprintf("%s -> %s:", e.From, e.To)
	if e.Kind != Plain {
		s += " [" + e.Kind.String()
		switch {
		case e.Mutex != nil:
			s += " " + e.Mutex.Name
		case e.Kind == Create || e.Kind == Join:
			s += fmt.Sprintf(" %d", e.Thread)
		}
		s += "]"
	}
	if e.Approx != "" {
		s += " [approximates " + e.Approx + "]"
	}
	for _, c := range e.Cmds {
		s += " " + c.String() + ";"
	}
	var remark []string
	if e.Pos != (Pos{}) {
		remark = append(remark, e.Pos.String())
	}
	if e.Text != "" {
		remark = append(remark, e.Text)
	}
	if len(remark) > 0 {
		s += "  // " + strings.Join(remark, " ")
	}
	return s
}

// String returns the command as C text without the semicolon.
func (c Cmd) String() string {
	switch c.Kind {
	case Assume:
		return "assume(" + cText(c.Cond) + ")"
	case Assign:
		return c.Var.name() + " = " + cText(c.Expr)
	}
	if c.Of != nil {
		return c.Var.name() + " = " + c.Of.name() + " at " + cText(c.At)
	}
	input := "*"
	if c.Input != "" {
		input = c.Input + "()"
	}
	return c.Var.name() + " = " + input
}

// cText and name also print the broken programs that Check complains about.
func cText(t *logic.Term) string {
	if t == nil {
		return "<nil>"
	}
	return t.C(logic.CStyle{})
}

func (v *Var) name() string {
	if v == nil {
		return "<nil>"
	}
	return v.Name
}

// String returns the kind's name in lower case.
func (k EdgeKind) String() string {
	names := [...]string{"plain", "create", "join", "lock", "unlock", "start", "end", "fence", "joined"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("EdgeKind(%d)", k)
}

// String returns "flag", or "int" or "uint" with the number of bits.
func (t Type) String() string {
	switch {
	case t == Flag:
		return "flag"
	case t.Signed:
		return fmt.Sprintf("int%d", t.Bits)
	}
	return fmt.Sprintf("uint%d", t.Bits)
}

// String returns "file:line:col", without the parts that are not known; "?" for
// no place.
func (p Pos) String() string {
	if p == (Pos{}) {
		return "?"
	}
	s := p.File
	for _, n := range []int{p.Line, p.Col} {
		if n == 0 {
			break
		}
		if s != "" {
			s += ":"
		}
		s += fmt.Sprint(n)
	}
	return s
}
