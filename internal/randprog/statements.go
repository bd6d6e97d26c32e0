package randprog

import (
	"fmt"
	"slices"
)

// scope is the place in a function where statements are being made.
type scope struct {
	*generator
	locals []string // int variables of the function
	used   map[string]bool
	budget int // statements that may still be made
	depth  int // of nesting

	held   []string // mutexes held
	alone  bool     // before other threads exist: waiting would be for ever
	atomic bool     // in an atomic section: nothing may block
	steady bool     // in a loop without bound: values must not grow
	loops  int      // loop counters in use
	inner  bool     // in a function that several places call, or several threads run
}

func (g *generator) scope(budget int, locals ...string) *scope {
	return &scope{generator: g, locals: locals, used: map[string]bool{}, budget: budget}
}

// declarations returns the declarations of the locals that are used.
func (s *scope) declarations() []string {
	var out []string
	for _, l := range s.locals {
		if s.used[l] {
			out = append(out, "int "+l+" = 0;")
		}
	}
	return out
}

// statements makes statements until rest are left of the budget.
func (s *scope) statements(rest int) []*node {
	var out []*node
	for s.budget > max(rest, 0) {
		out = append(out, s.statement())
	}
	return out
}

// body makes one to n statements for a nested block, at least one.
func (s *scope) body(n int) []*node {
	s.depth++
	defer func() { s.depth-- }()
	s.budget = max(s.budget, 1)
	return s.statements(s.budget - 1 - s.r.IntN(n))
}

// rule is a kind of statement: how often it is chosen, where it is possible,
// and how to make it.
type rule struct {
	weight int
	ok     func(s *scope) bool
	make   func(s *scope) *node
}

func always(*scope) bool { return true }

// rules are all kinds of statements.
var rules []rule

func init() {
	nested := func(f Feature) func(s *scope) bool {
		return func(s *scope) bool { return s.has(f) && s.depth < 2 && !s.atomic && s.budget > 0 }
	}
	rules = []rule{
		{30, always, (*scope).assignInt},
		{10, always, (*scope).assignLocal},
		{12, func(s *scope) bool { return len(s.flags) > 0 }, (*scope).assignFlag},
		{8, func(s *scope) bool { return !s.steady }, (*scope).increment},
		{12, func(s *scope) bool { return s.depth < 2 && s.budget > 0 }, (*scope).ifElse},
		{6, nested(Loops), (*scope).boundedLoop},
		{6, func(s *scope) bool { return s.has(Awaits) && !s.atomic && !s.alone }, (*scope).await},
		{14, func(s *scope) bool { return nested(Locks)(s) && len(s.held) < len(s.mutexes) }, (*scope).lock},
		{6, nested(Atomics), (*scope).atomicSection},
		{3, func(s *scope) bool { return s.has(Assumes) }, func(s *scope) *node { return line("__VERIFIER_assume(%s);", s.cond()) }},
		{5, func(s *scope) bool { return !s.atomic }, (*scope).assertion},
		{6, nested(Servers), (*scope).server},
		{12, func(s *scope) bool { return len(s.bytes) > 0 && !s.steady }, (*scope).wrap},
		{12, func(s *scope) bool { return s.array != "" }, (*scope).arrayAccess},
		{8, func(s *scope) bool { return len(s.calls) > 0 && !s.atomic && !s.steady && len(s.held) == 0 },
			func(s *scope) *node { return line("%s", pick(s.generator, s.calls)) }},
		{8, func(s *scope) bool { return s.has(Builtins) && !s.steady }, (*scope).builtin},
	}
	rules = append(rules, moreRules(nested)...)
}

// statement makes a random statement that is possible here.
func (s *scope) statement() *node {
	s.budget--
	total := 0
	rules := rules
	for _, e := range s.active {
		rules = append(slices.Clip(rules), ruleOf(e))
	}
	for _, r := range rules {
		if r.ok(s) {
			total += r.weight
		}
	}
	n := s.r.IntN(total)
	for _, r := range rules {
		if !r.ok(s) {
			continue
		}
		if n -= r.weight; n < 0 {
			return r.make(s)
		}
	}
	panic("randprog: weights do not add up")
}

func (s *scope) local() string {
	l := pick(s.generator, s.locals)
	s.used[l] = true
	return l
}

// operand returns a constant, or a local other than not.
func (s *scope) operand(not string) string {
	if s.chance(60) {
		return fmt.Sprint(s.r.IntN(3))
	}
	if l := s.local(); l != not {
		return l
	}
	return "1"
}

// source returns a shared or local variable to read.
func (s *scope) source() string {
	if s.chance(75) {
		return pick(s.generator, s.ints)
	}
	return s.local()
}

// intExpr returns an expression with at most one shared variable in it. Outside
// of unbounded loops its value may exceed all others by one or two, which keeps
// values small.
func (s *scope) intExpr() string {
	kinds := 7
	if s.steady {
		kinds = 4
	}
	switch s.r.IntN(kinds) {
	case 0:
		return fmt.Sprintf("(%s + %s) %% 3", s.source(), s.operand(""))
	case 1:
		return s.source()
	case 2:
		return s.local()
	case 3:
		return fmt.Sprintf("%s ? %s : %s", s.compare(), s.operand(""), s.operand(""))
	case 4:
		return "1 - " + s.source()
	default:
		return s.source() + " + 1"
	}
}

// constant returns a small constant for v, often the same one.
func (s *scope) constant(v string) int {
	if k, ok := s.hot[v]; ok && s.chance(55) {
		return k
	}
	return s.r.IntN(3)
}

// assignInt writes a shared variable, mostly a constant.
func (s *scope) assignInt() *node {
	v := pick(s.generator, s.ints)
	if s.chance(55) {
		return line("%s = %d;", v, s.constant(v))
	}
	return line("%s = %s;", v, s.intExpr())
}

func (s *scope) assignLocal() *node {
	v := s.local()
	if s.chance(70) {
		return line("%s = %s;", v, pick(s.generator, s.ints))
	}
	return line("%s = %s;", v, s.intExpr())
}

func (s *scope) assignFlag() *node {
	v := pick(s.generator, s.flags)
	if s.chance(60) {
		return line("%s = %d;", v, s.r.IntN(5)/2%2)
	}
	if s.has(Inputs) && s.chance(50) {
		return line("%s = __VERIFIER_nondet_bool();", v)
	}
	return line("%s = %s;", v, s.cond())
}

func (s *scope) increment() *node {
	v := s.source()
	return line("%s", pick(s.generator, []string{v + "++;", v + "--;", v + " += 1;", "++" + v + ";"}))
}

// compare returns a comparison with at most one shared variable.
func (s *scope) compare() string {
	v := s.source()
	return fmt.Sprintf("%s %s %s", v, pick(s.generator, []string{"==", "==", "!=", "<", ">=", ">"}), s.operand(v))
}

// cond returns a condition; && and || are sequenced, so each side may read a
// shared variable.
func (s *scope) cond() string {
	switch n := s.r.IntN(10); {
	case n < 3 && len(s.flags) > 0:
		return pick(s.generator, []string{"", "!"}) + pick(s.generator, s.flags)
	case n == 3 && s.has(Inputs):
		return "__VERIFIER_nondet_bool()"
	case n == 4:
		return s.compare() + " && " + s.compare()
	case n == 5:
		return s.compare() + " || " + s.compare()
	}
	return s.compare()
}

func (s *scope) ifElse() *node {
	n := block("if ("+s.cond()+")", s.body(2))
	if s.chance(35) && s.budget > 0 {
		n.orElse = s.body(2)
	}
	return n
}

// boundedLoop runs a body two or three times.
func (s *scope) boundedLoop() *node {
	i := string(rune('i' + s.loops))
	s.loops++
	defer func() { s.loops-- }()
	return block(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", i, i, 2+s.r.IntN(2), i), s.body(2))
}

// await waits until a shared variable has a value that some thread gives it.
func (s *scope) await() *node {
	cond := ""
	if len(s.flags) > 0 && s.chance(50) {
		cond = "!" + pick(s.generator, s.flags)
	} else {
		v := pick(s.generator, s.ints)
		cond = fmt.Sprintf("%s %s %d", v, pick(s.generator, []string{"!=", "!=", "<"}), s.hot[v])
	}
	if s.chance(15) {
		cond += " && " + s.compare()
	}
	return &node{head: "while (" + cond + ")", tail: "    ;"}
}

func (s *scope) lock() *node {
	var free []string
	for _, m := range s.mutexes {
		if !slices.Contains(s.held, m) {
			free = append(free, m)
		}
	}
	m := pick(s.generator, free)
	s.held = append(s.held, m)
	body := s.body(3)
	s.held = s.held[:len(s.held)-1]
	return bracket("pthread_mutex_lock(&"+m+");", "pthread_mutex_unlock(&"+m+");", body)
}

func (s *scope) atomicSection() *node {
	s.atomic = true
	body := s.body(3)
	s.atomic = false
	return bracket("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", body)
}

// server is a loop that another thread may end, or nobody.
func (s *scope) server() *node {
	was := s.steady
	s.steady = true
	defer func() { s.steady = was }()
	cond := "1"
	if s.chance(80) {
		cond = s.cond()
	}
	return block("while ("+cond+")", s.body(3))
}

// assertion asserts something that has a fair chance to hold always: a value
// that is not taken, or two that are not taken together.
func (s *scope) assertion() *node {
	s.asserts++
	v := pick(s.generator, s.ints)
	not := func(v string) string {
		if s.chance(50) {
			return fmt.Sprintf("%s != %d", v, s.hot[v])
		}
		return fmt.Sprintf("%s != %d", v, s.constant(v))
	}
	switch n := s.r.IntN(10); {
	case n < 2 && len(s.flags) > 0:
		return line("assert(!%s || %s);", pick(s.generator, s.flags), not(v))
	case n < 3 && len(s.bytes) > 0:
		return line("assert(u < %d);", 250+s.r.IntN(6))
	case n < 5 && len(s.ints) > 1:
		w := s.ints[(slices.Index(s.ints, v)+1)%len(s.ints)]
		return line("assert(%s || %s);", not(v), not(w))
	case n < 6:
		if other := s.assertObject(); other != nil {
			return other
		}
		return line("assert(%s <= %d);", v, s.r.IntN(3))
	case n < 7:
		return line("assert(%s == %d || %s == %d);", v, s.r.IntN(2), v, s.hot[v])
	}
	return line("assert(%s);", not(v))
}

func (s *scope) wrap() *node {
	return line("%s", pick(s.generator, []string{"u++;", "u--;", "u = u + 3;", "u = u - 2;", "u = u * 2;", "u += u;", "u = u ^ 1;"}))
}

// arrayAccess reads or writes an element, the index a constant or a flag.
func (s *scope) arrayAccess() *node {
	cell := fmt.Sprintf("%s[%s]", s.array, pick(s.generator, append([]string{"0", "1"}, s.flags...)))
	if s.chance(50) {
		return line("%s = %s;", cell, s.operand(""))
	}
	return line("%s = %s;", s.local(), cell)
}

func (s *scope) builtin() *node {
	v := pick(s.generator, s.ints)
	switch s.r.IntN(3) {
	case 0:
		return line("__sync_fetch_and_add(&%s, 1);", v)
	case 1:
		return line("%s = __sync_val_compare_and_swap(&%s, %d, %d);", s.local(), v, s.r.IntN(2), s.r.IntN(3))
	}
	return block(fmt.Sprintf("if (__sync_bool_compare_and_swap(&%s, %d, %d))", v, s.r.IntN(2), s.r.IntN(3)), s.body(1))
}
