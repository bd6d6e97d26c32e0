package replay

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// block is an object on the heap of the execution. The k-th block of a thread at a
// line is what the thread's k-th call of an allocator there returns. If that is not
// so, or the type of the memory is another one, the program is out of step.
type block struct {
	thread, line int
	name         string // of the object, and the number of the object of this name
	cells        []blockCell
}

// blockCell is a scalar of a block.
type blockCell struct {
	path    string // "[2].next"
	index   int    // of the cell, -1 if no turn is about it
	initial logic.Value
}

// heapName matches the source names of cells on the heap.
var heapName = regexp.MustCompile(`^heap(\d+)(_\d+)?([.\[].*)$`)

// findBlocks collects the blocks of the program, in the order in which they are made.
func (s *schedule) findBlocks(p *ir.Program, initial func(*ir.Var) logic.Value) {
	at := map[string]int{}
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
			s.blocks = append(s.blocks, block{thread: thread, line: line, name: key})
		}
		index := -1
		if x, ok := s.index[v]; ok {
			index = x
		}
		s.blocks[k].cells = append(s.blocks[k].cells, blockCell{m[3], index, initial(v)})
	}
}

// allocate weaves a call of malloc, calloc or realloc: what it returns becomes known to
// the runtime, and holds what the memory holds in the execution.
func (w *weaver) allocate(x *cc.PostfixExpression, name string, args []string) string {
	elem, text := w.allocated(x)
	if elem == nil {
		w.fail(x, "a call of %s that does not tell the type by sizeof", name)
	}
	line := x.Position().Line
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
	count := map[int]int{} // by thread
	for _, o := range w.sched.blocks {
		if o.line != line {
			continue
		}
		fmt.Fprintf(&b, "if (comus_is(%d) && %s == %d) {", o.thread, k, count[o.thread])
		count[o.thread]++
		for _, c := range o.cells {
			root, path := fmt.Sprintf("(*(%s *)%s)", text, p), c.path
			if i := strings.IndexByte(path, ']'); path[0] == '[' {
				root, path = fmt.Sprintf("((%s *)%s)%s", text, p, path[:i+1]), path[i+1:]
			}
			if !has(elem, path) {
				w.fail(x, "a call of %s whose memory has another type than sizeof tells", name)
			}
			at := w.location(cell{lvalue: root + path, root: root}, elem)
			fmt.Fprintf(&b, " comus_holds(%s, %s, %d);", at, literal(c.initial.String()), c.index)
		}
		b.WriteString(" } ")
	}
	if name == "realloc" {
		fmt.Fprintf(&b, "comus_moves(%s, %s); ", p, old)
	}
	return b.String() + p + "; })"
}

// has reports whether a type has a scalar of this path.
func has(t cc.Type, path string) bool {
	for path != "" {
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
	return true
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
