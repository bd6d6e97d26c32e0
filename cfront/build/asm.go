package build

import (
	"strings"

	"comus/cfront/tree"
	"comus/cir"
)

// approxAsm names the approximation of an asm statement.
const approxAsm = "inline assembly"

// asm builds an asm statement. One without instructions leaves its operands as they are; of others
// the outputs may have any value and, if they may write memory, everything that
// can be reached from the inputs may change.
func (f *fn) asm(s *tree.Asm) {
	if f.knownAsm(s) {
		return
	}
	inputs := f.asmInputs(s)
	order, fence := fenceOf(s.Text)
	empty := fence || isComment(s.Text)
	memory := false
	for _, c := range s.Clobbers {
		memory = memory || c == "memory"
	}
	if memory {
		f.emit(&cir.Fence{Order: order, Compiler: !fence})
	}
	if memory && !empty {
		for _, v := range inputs {
			if v != nil && f.typeOf(v).IsPointer() {
				f.havoc(v)
			}
		}
	}
	for i, o := range s.Outputs {
		f.asmOutput(s, i, o, inputs, empty)
	}
	f.asmLabels(s)
}

// isComment tells whether an asm text has no instructions but those that wait.
func isComment(text string) bool {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		if line != "" && line != "nop" && line != "pause" && line != "rep" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// fenceOf tells whether an asm text is a memory barrier, and of which order. lfence and sfence do not wait until the thread's own writes are seen by others: later reads may overtake them as without.
func fenceOf(text string) (order cir.Order, fence bool) {
	switch strings.Join(strings.Fields(strings.ToLower(strings.Trim(text, "; \t\n"))), " ") {
	case "mfence", "lock; addl $0,0(%%rsp)", "lock; addl $0,0(%%esp)", "lock; addl $0,(%%rsp)", "lock; orl $0,(%%rsp)":
		return cir.SeqCst, true
	case "lfence":
		return cir.Acquire, true
	case "sfence":
		return cir.Release, true
	}
	return cir.SeqCst, false
}

// asmInputs evaluates the inputs: values, addresses of operands in memory.
func (f *fn) asmInputs(s *tree.Asm) []cir.Value {
	var vs []cir.Value
	for _, in := range s.Inputs {
		if in.X.Lvalue() {
			vs = append(vs, f.address(f.lvalue(in.X)))
			continue
		}
		v := f.expr(in.X)
		if v.v == nil && v.addr != nil {
			v.v = v.addr
		}
		vs = append(vs, v.v)
	}
	return vs
}

// havoc says that everything reachable from a pointer may change.
func (f *fn) havoc(v cir.Value) {
	i := &cir.Intrinsic{Op: cir.HavocReachable, Args: []cir.Value{v}}
	i.Approx = approxAsm
	f.emit(i)
}

// asmOutput gives an output a value: of an asm without instructions, its own or that of the input
// in the same register.
func (f *fn) asmOutput(s *tree.Asm, i int, o tree.AsmOperand, inputs []cir.Value, empty bool) {
	old := f.enter(o.X.At())
	defer func() { f.site = old }()
	l := f.lvalue(o.X)
	if empty && (strings.HasPrefix(o.Constraint, "+") || inMemoryOnly(o.Constraint)) {
		return
	}
	if empty {
		for k, in := range s.Inputs {
			if tiedTo(in.Constraint, i, o.Name) && inputs[k] != nil && !inMemory(l.t) {
				f.store(l, val{v: f.convert(inputs[k], f.u.scalar(l.t))})
				return
			}
		}
	}
	f.store(l, f.anyOf(l.t, approxAsm))
}

// inMemoryOnly tells whether an operand stays where it is.
func inMemoryOnly(constraint string) bool {
	c := strings.TrimLeft(constraint, "=+&%")
	return c != "" && strings.Trim(c, "moVQR") == ""
}

// tiedTo tells whether an input's constraint names the i-th output.
func tiedTo(constraint string, i int, name string) bool {
	return constraint == string(rune('0'+i)) || name != "" && constraint == "["+name+"]"
}

// asmLabels lets an asm goto jump to any of its labels, or go on.
func (f *fn) asmLabels(s *tree.Asm) {
	for _, l := range s.Labels {
		d := f.anyBool(approxAsm)
		next := f.newBlock()
		f.terminate(&cir.Branch{Cond: d, Then: f.edge(l), Else: next})
		f.block = next
	}
}
