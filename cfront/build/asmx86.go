package build

import (
	"strconv"
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// A few instructions of x86 are known, so that the atomic operations that programs write in assembly, and the
// loops of old headers that clear memory, are exact: mov, lock add, sub, and, or, xor, inc, dec, xadd, cmpxchg,
// xchg, setz, and rep stos of zeros. An asm statement of other instructions is approximated.

// asmInstr is an instruction of an asm text: its name without a suffix of size, and what it is applied to.
type asmInstr struct {
	name string
	bits int // of the suffix; 0: those of the operands
	args []int
}

// asmOp is an operand of an asm statement: a place in memory, or a value in a register.
type asmOp struct {
	mem    bool
	t      *types.Type
	letter byte // of a fixed register: a, b, c, d, S, D
	slot   int  // of a register
	expr   tree.Expr
}

// asmMachine is an asm statement that is known.
type asmMachine struct {
	f      *fn
	s      *tree.Asm
	ops    []asmOp
	instrs []asmInstr
	slots  []cir.Value // what registers hold
	places []lval      // of operands in memory
	zero   cir.Value   // the flag that setz reads
}

// knownAsm builds an asm statement exactly, if all its instructions are known.
func (f *fn) knownAsm(s *tree.Asm) bool {
	if len(s.Labels) > 0 {
		return false
	}
	m := &asmMachine{f: f, s: s}
	if !m.operands() || !m.parse() || !m.check() {
		return false
	}
	m.load()
	for _, i := range m.instrs {
		m.run(i)
	}
	m.store()
	return true
}

// operands sorts the operands into registers and memory.
func (m *asmMachine) operands() bool {
	letters := map[byte]int{}
	slots := 0
	add := func(o tree.AsmOperand, output bool) bool {
		c := strings.TrimLeft(o.Constraint, "=+&%")
		op := asmOp{t: o.X.Type(), expr: o.X, slot: -1}
		if inMemory(op.t) || op.t.Kind == types.Float {
			return false
		}
		n, err := strconv.Atoi(c)
		switch {
		case err == nil && !output && n < len(m.s.Outputs) && !m.ops[n].mem:
			op.slot = m.ops[n].slot
		case err == nil:
			return false
		case inMemoryOnly(c) && o.X.Lvalue():
			op.mem = true
		case len(c) == 1 && strings.Contains("abcdSD", c):
			op.letter = c[0]
			if k, ok := letters[c[0]]; ok {
				op.slot = k
				break
			}
			letters[c[0]] = slots
			op.slot = slots
			slots++
		default:
			op.slot = slots
			slots++
		}
		m.ops = append(m.ops, op)
		return true
	}
	for _, o := range m.s.Outputs {
		if !add(o, true) {
			return false
		}
	}
	for _, o := range m.s.Inputs {
		if !add(o, false) {
			return false
		}
	}
	m.slots = make([]cir.Value, slots)
	return true
}

// parse splits the text into instructions.
func (m *asmMachine) parse() bool {
	lines := strings.FieldsFunc(m.s.Text, func(r rune) bool { return r == ';' || r == '\n' })
	prefix := ""
	for _, line := range lines {
		words := strings.Fields(strings.NewReplacer(",", " , ", "\t", " ").Replace(line))
		for len(words) > 0 && (words[0] == "lock" || words[0] == "rep" || words[0] == "cld") {
			if words[0] != "cld" {
				prefix = words[0]
			}
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		i, ok := m.instr(prefix, words)
		if !ok {
			return false
		}
		prefix = ""
		m.instrs = append(m.instrs, i)
	}
	return len(m.instrs) > 0
}

// asmNames are the instructions that are known, and the numbers of their operands.
var asmNames = map[string]int{
	"mov": 2, "xchg": 2, "lock xadd": 2, "lock cmpxchg": 2, "lock add": 2, "lock sub": 2, "lock and": 2, "lock or": 2, "lock xor": 2,
	"lock inc": 1, "lock dec": 1, "sete": 1, "setz": 1, "rep stos": 0,
}

// instr reads an instruction.
func (m *asmMachine) instr(prefix string, words []string) (asmInstr, bool) {
	i := asmInstr{name: words[0]}
	if prefix != "" {
		i.name = prefix + " " + words[0]
	}
	if _, ok := asmNames[i.name]; !ok {
		n := len(i.name) - 1
		bits, ok := map[byte]int{'b': 8, 'w': 16, 'l': 32, 'q': 64}[i.name[n]]
		if !ok {
			return i, false
		}
		i.name, i.bits = i.name[:n], bits
	}
	count, ok := asmNames[i.name]
	if !ok {
		return i, false
	}
	for _, w := range words[1:] {
		if w == "," {
			continue
		}
		n, ok := m.operand(w)
		if !ok {
			return i, false
		}
		i.args = append(i.args, n)
	}
	return i, len(i.args) == count
}

// operand finds the operand that %1, %b1 or %[name] is.
func (m *asmMachine) operand(w string) (int, bool) {
	w, ok := strings.CutPrefix(w, "%")
	if !ok {
		return 0, false
	}
	if len(w) > 1 && strings.Contains("bwkqz", w[:1]) {
		w = w[1:]
	}
	if name, ok := strings.CutPrefix(w, "["); ok {
		name = strings.TrimSuffix(name, "]")
		for n, o := range append(append([]tree.AsmOperand{}, m.s.Outputs...), m.s.Inputs...) {
			if o.Name == name {
				return n, true
			}
		}
		return 0, false
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n < len(m.ops)
}

// letter finds the slot of a fixed register.
func (m *asmMachine) letter(c byte) int {
	for _, o := range m.ops {
		if o.letter == c {
			return o.slot
		}
	}
	return -1
}

// check tells whether the operands of all instructions are of the kinds and sizes that are known.
func (m *asmMachine) check() bool {
	for k := range m.instrs {
		i := &m.instrs[k]
		for _, a := range i.args {
			size := int(m.ops[a].t.Size) * 8
			if i.bits == 0 && i.name[0] != 's' {
				i.bits = size
			}
			if size != i.bits && i.name != "sete" && i.name != "setz" {
				return false
			}
		}
		switch i.name {
		case "sete", "setz":
			if m.ops[i.args[0]].mem || m.ops[i.args[0]].t.Size != 1 {
				return false
			}
		case "mov":
			if m.ops[i.args[0]].mem && m.ops[i.args[1]].mem {
				return false
			}
		case "lock inc", "lock dec":
			if !m.ops[i.args[0]].mem {
				return false
			}
		case "rep stos":
			v, ok := m.constant('a')
			if !ok || v != 0 || i.bits == 0 || m.letter('D') < 0 || m.letter('c') < 0 {
				return false
			}
		case "lock cmpxchg":
			if m.letter('a') < 0 || !m.ops[i.args[1]].mem || m.ops[i.args[0]].mem {
				return false
			}
		default:
			if m.ops[i.args[0]].mem || !m.ops[i.args[1]].mem {
				return false
			}
		}
	}
	return true
}

// constant returns the constant that an input puts into a fixed register.
func (m *asmMachine) constant(letter byte) (uint64, bool) {
	for _, o := range m.ops[len(m.s.Outputs):] {
		if o.letter != letter {
			continue
		}
		e := o.expr
		for {
			c, ok := e.(*tree.Convert)
			if !ok {
				break
			}
			e = c.V
		}
		if c, ok := e.(*tree.IntConst); ok {
			return c.V.Uint64(), true
		}
	}
	return 0, false
}

// load evaluates the operands.
func (m *asmMachine) load() {
	m.places = make([]lval, len(m.ops))
	for k, o := range m.ops {
		output := k < len(m.s.Outputs)
		switch {
		case o.mem || output:
			l := m.f.lvalue(o.expr)
			l = lval{base: m.f.address(l), align: l.align, t: l.t}
			m.places[k] = l
			if output && !o.mem && strings.HasPrefix(m.s.Outputs[k].Constraint, "+") {
				m.slots[o.slot] = m.f.load(l).v
			}
		default:
			m.slots[o.slot] = m.f.scalarOf(o.expr)
		}
	}
	for k, v := range m.slots {
		if v == nil {
			m.slots[k] = cir.Int{Type: cir.U64} // a register that is only written
		}
	}
}

// store gives the outputs in registers their values.
func (m *asmMachine) store() {
	for k := range m.s.Outputs {
		if o := m.ops[k]; !o.mem {
			l := m.places[k]
			m.f.store(l, val{v: m.f.convert(m.slots[o.slot], m.f.u.scalar(l.t))})
		}
	}
}

// place is an operand in memory as an object of an integer type.
func (m *asmMachine) place(k, bits int) lval {
	l := m.places[k]
	if l.t.Kind == types.Pointer || l.t.Kind == types.Int && l.t.Quals&types.Atomic == 0 {
		return l
	}
	l.t = &types.Type{Kind: types.Int, Bits: bits, Size: int64(bits / 8), Align: 1}
	return l
}

// run emits an instruction.
func (m *asmMachine) run(i asmInstr) {
	f := m.f
	get := func(a int, l lval) cir.Value { return f.convert(m.slots[m.ops[a].slot], f.u.scalar(l.t)) }
	switch i.name {
	case "mov":
		from, to := i.args[0], i.args[1]
		switch {
		case m.ops[from].mem:
			m.slots[m.ops[to].slot] = f.loadAtomic(m.place(from, i.bits), cir.Acquire)
		case m.ops[to].mem:
			l := m.place(to, i.bits)
			f.storeAtomic(l, get(from, l), cir.Release)
		default:
			m.slots[m.ops[to].slot] = m.slots[m.ops[from].slot]
		}
	case "xchg", "lock xadd":
		l := m.place(i.args[1], i.bits)
		op := cir.Xchg
		if i.name != "xchg" {
			op = cir.RMWAdd
		}
		m.slots[m.ops[i.args[0]].slot] = f.rmw(op, l, get(i.args[0], l), cir.SeqCst)
	case "lock cmpxchg":
		l := m.place(i.args[1], i.bits)
		a := m.letter('a')
		expected := f.convert(m.slots[a], f.u.scalar(l.t))
		old, ok := f.cmpXchg(l, expected, get(i.args[0], l), false, cir.SeqCst, cir.SeqCst)
		m.slots[a], m.zero = old, ok
	case "sete", "setz":
		v := m.zero
		if v == nil {
			v = f.anyBool(approxAsm)
		}
		m.slots[m.ops[i.args[0]].slot] = f.convert(v, cir.U8)
	case "rep stos":
		d, c := m.letter('D'), m.letter('c')
		size := f.binary(cir.Mul, f.convert(m.slots[c], f.u.model.Size()), f.sizeConst(int64(i.bits/8)))
		p := f.convert(m.slots[d], f.u.model.Pointer())
		f.emit(&cir.Fill{Dst: p, Byte: cir.Int{Type: cir.U8}, Size: size})
		end := f.reg(f.u.model.Pointer())
		f.emit(&cir.Offset{Dst: end, P: p, Index: size, Scale: 1})
		m.slots[d], m.slots[c] = end, cir.Int{Type: cir.U64}
	default:
		m.lockOp(i, get)
	}
}

// lockOp emits lock add and the like.
func (m *asmMachine) lockOp(i asmInstr, get func(int, lval) cir.Value) {
	f := m.f
	l := m.place(i.args[len(i.args)-1], i.bits)
	st := f.u.scalar(l.t)
	if st.IsPointer() {
		st = f.u.model.Diff()
	}
	x := cir.Value(cir.IntOf(st, 1))
	if len(i.args) == 2 {
		x = f.convert(get(i.args[0], l), st)
	}
	op := map[string]cir.RMWOp{"inc": cir.RMWAdd, "dec": cir.RMWSub, "add": cir.RMWAdd, "sub": cir.RMWSub,
		"and": cir.RMWAnd, "or": cir.RMWOr, "xor": cir.RMWXor}[strings.TrimPrefix(i.name, "lock ")]
	old := f.rmw(op, l, x, cir.SeqCst)
	if !f.typeOf(old).IsPointer() {
		m.zero = f.compare(cir.Eq, f.updated(op, old, x), cir.Int{Type: st})
	}
}
