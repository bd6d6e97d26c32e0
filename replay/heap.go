package replay

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"

	"modernc.org/cc/v4"
)

// block is an object on the heap of the execution. What the k-th call of an allocator
// at a line by a thread returns is guessed: of the blocks that the execution touches
// the one that the front end made k-th. If that is not so, or the type of the memory is
// another one, the program is out of step.
type block struct {
	thread, line int
	where        string // the calls of functions up to it
	visit        int    // of that place
	instance     int    // in a loop that is not unrolled, otherwise -1
	touched      bool
	cells        []blockCell
}

// visited matches the part of a name that tells the visits of a place apart.
var visited = regexp.MustCompile(`visit(\d+)\.$`)

// blockCell is a scalar of a block.
type blockCell struct {
	path    string // "[2].next"
	index   int    // of the cell, -1 if no turn is about it
	bits    int
	initial logic.Value
}

// heapName matches the source names of cells on the heap.
var heapName = regexp.MustCompile(`^heap(\d+)(_\d+)?([.\[].*)$`)

// findBlocks collects the blocks of the program, in the order in which they are made.
func (s *schedule) findBlocks(p *ir.Program, tr interp.Trace) {
	at, touched := map[string]int{}, mentioned(tr)
	for _, v := range p.Vars {
		m := heapName.FindStringSubmatch(v.Source)
		i := strings.Index(v.Name, v.Source)
		t := localName.FindStringSubmatch(v.Name)
		if m == nil || i < 0 || t == nil {
			continue
		}
		rest := v.Name[i+len(v.Source):]
		if rest != "" && !numbered.MatchString(rest) {
			continue
		}
		key := v.Name[:i] + "heap" + m[1] + m[2] + " " + rest
		k, ok := at[key]
		if !ok {
			k = len(s.blocks)
			at[key] = k
			thread, _ := strconv.Atoi(t[1])
			line, _ := strconv.Atoi(m[1])
			s.blocks = append(s.blocks, newBlock(thread, line, v.Name[:i], m[2]))
		}
		index := -1
		if x, ok := s.index[v]; ok {
			index = x
		}
		s.blocks[k].touched = s.blocks[k].touched || index >= 0 || v.Thread != ir.Shared && touched[v.Sym]
		s.blocks[k].cells = append(s.blocks[k].cells, blockCell{m[3], index, v.Type.Bits, tr.Initial.Value(v)})
	}
}

// mentioned returns the terms of what the steps read and write.
func mentioned(tr interp.Trace) map[*logic.Term]bool {
	seen := map[*logic.Term]bool{}
	var walk func(t *logic.Term)
	walk = func(t *logic.Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args() {
			walk(a)
		}
	}
	for _, st := range tr.Steps {
		for _, c := range st.Edge.Cmds {
			walk(c.Cond)
			walk(c.Expr)
		}
		for _, c := range st.Changes {
			walk(c.Var.Sym)
		}
	}
	return seen
}

// newBlock returns a block with what its name tells.
func newBlock(thread, line int, where, instance string) block {
	o := block{thread: thread, line: line, where: where, instance: -1}
	if m := visited.FindStringSubmatch(where); m != nil {
		o.where = strings.TrimSuffix(where, m[0])
		o.visit, _ = strconv.Atoi(m[1])
	}
	if instance != "" {
		o.instance, _ = strconv.Atoi(instance[1:])
	}
	return o
}

// blocksAt returns the blocks that a thread allocates at a line, in their order; those
// that it does not allocate are nil.
func (s *schedule) blocksAt(thread, line int) []*block {
	var out []*block
	alike := true // all are instances of one place
	for i := range s.blocks {
		if o := &s.blocks[i]; o.thread == thread && o.line == line {
			alike = alike && o.instance >= 0 && (len(out) == 0 || o.where == out[0].where && o.visit == out[0].visit)
			out = append(out, o)
		}
	}
	if !slices.ContainsFunc(out, func(o *block) bool { return o.where != out[0].where }) {
		slices.SortStableFunc(out, func(a, b *block) int { return cmp.Or(a.visit-b.visit, a.instance-b.instance) })
	}
	if !alike || len(out) == 0 {
		out = slices.DeleteFunc(out, func(o *block) bool { return !o.touched })
		return out
	}
	places := make([]*block, out[len(out)-1].instance+1)
	for _, o := range out {
		places[o.instance] = o
	}
	return places
}

// allocate weaves a call of malloc, calloc or realloc: what it returns becomes known to
// the runtime, and holds what the memory holds in the execution.
func (w *weaver) allocate(x *cc.PostfixExpression, name string, args []string) string {
	line := x.Position().Line
	elem, text := w.allocated(x)
	if elem == nil {
		if text = w.sched.element(line); text == "" {
			w.fail(x, "a call of %s that does not tell the type by sizeof", name)
		}
	}
	p, k := w.temp(), w.temp()
	var b strings.Builder
	old, size := w.temp(), "(unsigned long)"+args[len(args)-1]
	b.WriteString("({ ")
	switch name {
	case "calloc":
		size += " * " + args[0]
	case "realloc":
		fmt.Fprintf(&b, "void *%s = %s; ", old, args[0])
	}
	fmt.Fprintf(&b, "void *%s = comus_alloc(%s); int %s = comus_block(%d); ", p, size, k, line)
	for thread := range w.sched.threads {
		for i, o := range w.sched.blocksAt(thread, line) {
			if o == nil {
				continue
			}
			fmt.Fprintf(&b, "if (comus_is(%d) && %s == %d) {", thread, k, i)
			for _, c := range o.cells {
				w.holds(&b, x, c, elem, text, p)
			}
			b.WriteString(" } ")
		}
	}
	if name == "realloc" {
		fmt.Fprintf(&b, "comus_moves(%s, %s); ", p, old)
	}
	return b.String() + p + "; })"
}

// holds writes the call that tells of a scalar of a block at p, whose elements have the
// type elem, which is spelled text.
func (w *weaver) holds(b *strings.Builder, x *cc.PostfixExpression, c blockCell, elem cc.Type, text, p string) {
	root, path := fmt.Sprintf("(*(%s *)%s)", text, p), c.path
	if i := strings.IndexByte(path, ']'); path[0] == '[' {
		root, path = fmt.Sprintf("((%s *)%s)%s", text, p, path[:i+1]), path[i+1:]
	}
	if !has(elem, path) {
		w.fail(x, "an allocation of memory whose type is not the one that sizeof tells")
	}
	at := w.location(cell{lvalue: root + path, root: root}, elem)
	fmt.Fprintf(b, " comus_holds(%s, %s, %d);", at, literal(c.initial.String()), c.index)
}

// element returns a type of the size of the elements of the blocks of a line, if all are
// arrays of integers that are no pointers.
func (s *schedule) element(line int) string {
	bits := 8
	for _, o := range s.blocks {
		for _, c := range o.cells {
			if o.line == line && (strings.LastIndexAny(c.path, ".[") > 0 || c.path[0] != '[' || bits != 8 && bits != c.bits) {
				return ""
			}
			if o.line == line {
				bits = c.bits
			}
		}
	}
	return map[int]string{8: "char", 16: "short", 32: "int"}[bits]
}

// has reports whether a type has a scalar of this path.
func has(t cc.Type, path string) bool {
	for path != "" && t != nil {
		switch x := t.Undecay().(type) {
		case *cc.ArrayType:
			i := strings.IndexByte(path, ']')
			if i < 0 || path[0] != '[' {
				return false
			}
			t, path = x.Elem(), path[i+1:]
		case fields:
			name := path[1:]
			if i := strings.IndexAny(name, ".["); i >= 0 {
				name = name[:i]
			}
			f := x.FieldByName(name)
			if f == nil || f.IsBitfield() {
				return false
			}
			t, path = f.Type(), path[1+len(name):]
		default:
			return false
		}
	}
	return path == ""
}

// allocated returns the type of the elements that the arguments of an allocator are
// about, and its spelling.
func (w *weaver) allocated(x *cc.PostfixExpression) (t cc.Type, text string) {
	var walk func(n cc.Node)
	walk = func(n cc.Node) {
		if isNil(n) || t != nil {
			return
		}
		if u, ok := n.(*cc.UnaryExpression); ok {
			switch u.Case {
			case cc.UnaryExpressionSizeofType:
				t, text = u.TypeName.Type(), w.spelling(u.TypeName)
				return
			case cc.UnaryExpressionSizeofExpr:
				t, text = u.UnaryExpression.Type().Undecay(), "__typeof__("+w.spelling(u.UnaryExpression)+")"
				return
			}
		}
		each(n, walk)
	}
	walk(x.ArgumentExpressionList)
	return t, text
}
