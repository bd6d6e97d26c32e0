package replay

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"

	"modernc.org/cc/v4"
)

// errno is a variable of its own in what is woven, so that the library of the host
// does not change it. What a call leaves there is an input.

// setsErrno is what the text of a step ends with in which a call sets errno.
const setsErrno = " sets errno"

// errnoKey names the errno that a call sets, destroyed a pthread_mutex_destroy whose
// result is used.
func errnoKey(line, col int) string  { return fmt.Sprintf("errno %d:%d", line, col) }
func destroyed(line, col int) string { return fmt.Sprintf("destroy %d:%d", line, col) }

func destroyKey(n cc.Node) string {
	p := n.Position()
	return destroyed(p.Line, p.Column)
}

// has reports whether the execution gets an input of this name.
func (s *schedule) has(key string) bool {
	_, ok := s.sites[key]
	return ok
}

// errnoInputs returns the numbers of the steps that give errno any value, which the
// next step of the thread stores: they are no input of the call.
func errnoInputs(tr interp.Trace) map[int]bool {
	out, prev := map[int]bool{}, map[*ir.Thread]int{}
	for i, st := range tr.Steps {
		if p, ok := prev[st.Thread]; ok && strings.HasSuffix(st.Text, setsErrno) && tr.Steps[p].Pos == st.Pos {
			out[p] = true
		}
		prev[st.Thread] = i
	}
	return out
}

// withoutInputs returns an edge that takes none.
func withoutInputs(e *ir.Edge) *ir.Edge {
	c := *e
	c.Cmds = nil
	for _, cmd := range e.Cmds {
		if cmd.Kind != ir.Havoc {
			c.Cmds = append(c.Cmds, cmd)
		}
	}
	return &c
}

// noteErrno notes what a step leaves in errno.
func (s *schedule) noteErrno(st interp.TraceStep, after map[*ir.Var]logic.Value) {
	if !strings.HasSuffix(st.Text, setsErrno) {
		return
	}
	for v, x := range after {
		if v.Source == "errno" {
			s.note(errnoKey(st.Pos.Line, st.Pos.Col), st.Thread, x)
		}
	}
}

// settingErrno adds to a call of the library that it sets errno: those of semaphores
// if they fail.
func (w *weaver) settingErrno(x *cc.PostfixExpression, name, call string) string {
	p := x.Position()
	site, ok := w.sched.sites[errnoKey(p.Line, p.Column)]
	if !ok {
		return call
	}
	if x.Type().Kind() == cc.Void {
		return fmt.Sprintf("({ %s; errno = comus_nondet(%d); })", call, site)
	}
	failed := "1"
	t := w.temp()
	if strings.HasPrefix(name, "sem_") {
		failed = t + " == -1"
	}
	return fmt.Sprintf("({ __auto_type %[1]s = %[2]s; if (%[3]s) errno = comus_nondet(%[4]d); %[1]s; })", t, call, failed, site)
}

// spellStrings gives string literals a spelling in which no escape sequence can take
// in what follows it: the parser joins literals, and "\x04" "1" is no "\x041".
func (w *weaver) spellStrings(ast *cc.AST) {
	var walk func(n cc.Node)
	walk = func(n cc.Node) {
		if isNil(n) {
			return
		}
		if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionString {
			if v, ok := x.Value().(cc.StringValue); ok && strings.Contains(x.Token.SrcStr(), `\`) {
				w.renamed[x.Token.Seq()] = quoted(strings.TrimSuffix(string(v), "\x00"))
			}
		}
		each(n, walk)
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		walk(l.ExternalDeclaration)
	}
}

// quoted returns a string literal of C.
func quoted(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c < ' ' || c >= 127 || c == '?':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}
