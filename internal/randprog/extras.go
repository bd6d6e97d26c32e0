package randprog

import "slices"

// An extra is a kind of object with statements about it, which a feature of [More]
// brings. A program has a few of them: the names of each are its own.
type extra struct {
	feature Feature
	declare func(g *generator)   // its variables and functions, what main starts with
	blocks  bool                 // statements may wait, or have others in them
	steady  bool                 // possible in a loop without bound
	make    func(s *scope) *node // one statement
	observe []string             // expressions that tell something at the end of main
	headers []string             // beside the usual ones
	allowed func(s *scope) bool  // where a statement is possible, beside the above; nil: anywhere
}

// extraWeight is how often a statement about an extra is chosen, see rule.
const extraWeight = 60

// extras are all of them.
var extras = []extra{
	{feature: Barriers, declare: declareBarrier, blocks: true, make: (*scope).barrier, observe: []string{"ba1", "ba2", "ba3"}},
	{feature: ReadWrites, declare: declareReadWrite, blocks: true, steady: true, make: (*scope).readWrite, observe: []string{"rx", "ry"}},
	{feature: Onces, declare: declareOnce, blocks: true, make: (*scope).once, observe: []string{"oc"}},
	{feature: Tries, declare: declareTry, blocks: true, make: (*scope).try, observe: []string{"tx"}},
	{feature: MutexKinds, declare: declareKind, blocks: true, make: (*scope).kind, observe: []string{"kx"}},
	{feature: Spawners, declare: declareChild, blocks: true, make: (*scope).spawn, observe: []string{"sx"},
		allowed: func(s *scope) bool { return !s.inner && s.loops == 0 && s.spawned < 2 }},
	{feature: ThreadLocals, declare: declareThreadLocal, make: (*scope).threadLocal, observe: []string{"tl"}},
	{feature: ThreadKeys, declare: declareKey, make: (*scope).key},
	{feature: Copies, declare: declareCopies, steady: true, make: (*scope).copies, observe: []string{"s1.a", "s1.b", "s1.c", "s2.a"}},
	{feature: MemoryBlocks, declare: declareBlocks, steady: true, make: (*scope).blocks, observe: []string{"ar[0]", "ar[1]", "ar[2]", "as[1]"}, headers: []string{"string.h"}},
	{feature: Strings, declare: declareStrings, steady: true, make: (*scope).strings, observe: []string{"tb[0]", "tb[1]", "tc[0]", "tc[1]"}, headers: []string{"string.h"}},
	{feature: Recursions, declare: declareRecursion, make: (*scope).recursion},
	{feature: Switches, declare: func(*generator) {}, make: (*scope).switches,
		allowed: func(s *scope) bool { return s.depth < 2 && s.budget > 0 && !s.atomic }},
	{feature: Arithmetic, declare: declareArithmetic, make: (*scope).arithmetic, observe: []string{"(int)ui", "uc", "sc", "us"}},
	{feature: Choices, declare: declareChoices, steady: true, make: (*scope).choice, observe: []string{"*ps", "ps == &x", "ph"}},
	{feature: Lists, declare: declareList, blocks: true, make: (*scope).list, headers: []string{"stdlib.h"}, observe: []string{"top != 0"}},
	{feature: Handovers, declare: declareHandover, make: (*scope).handover, headers: []string{"stdlib.h"}, observe: []string{"slot != 0"}},
	{feature: FunctionTables, declare: declareTable, make: (*scope).table, observe: []string{"fi"}},
	{feature: Cells, declare: declareCells, blocks: true, make: (*scope).cell, observe: []string{"cells[0].value", "cells[1].value"}},
}

// chooseExtras takes some of the extras whose features the program may have.
func (g *generator) chooseExtras() {
	if !g.has(More) {
		return
	}
	var may []extra
	for _, i := range g.r.Perm(len(extras)) {
		if g.has(extras[i].feature) {
			may = append(may, extras[i])
		}
	}
	g.active = may[:min(len(may), 1+g.r.IntN(4))]
	// The function of Spawners' threads may call those of the others.
	slices.SortStableFunc(g.active, func(a, b extra) int { return int(a.feature&Spawners) - int(b.feature&Spawners) })
	headers := map[string]bool{}
	for _, e := range g.active {
		for _, h := range e.headers {
			if !headers[h] {
				g.p.headers = append(g.p.headers, h)
			}
			headers[h] = true
		}
		e.declare(g)
		g.p.observed = append(g.p.observed, e.observe...)
	}
}

// ruleOf returns the rule for the statements of an extra.
func ruleOf(e extra) rule {
	return rule{extraWeight, func(s *scope) bool {
		switch {
		case e.blocks && !s.free(), s.steady && !e.steady, e.allowed != nil && !e.allowed(s):
			return false
		}
		return true
	}, e.make}
}

// free reports whether the thread may block here, holds nothing, and other statements
// may be inside of one.
func (s *scope) free() bool {
	return !s.atomic && !s.alone && len(s.held) == 0 && s.depth < 2 && s.budget > 0
}

// global declares something outside of functions.
func (g *generator) global(text ...string) { g.p.globals = append(g.p.globals, text...) }

// function adds a function in one line.
func (g *generator) function(header string, body ...*node) {
	g.p.helpers = append(g.p.helpers, &function{header: header, body: body})
}

// start adds a statement that main starts with.
func (g *generator) start(format string, args ...any) {
	g.setup = append(g.setup, line(format, args...))
}

// small returns 0, 1 or 2.
func (g *generator) small() int { return g.r.IntN(3) }

// int returns a shared variable.
func (g *generator) int() string { return pick(g, g.ints) }

// section returns a body inside of a lock and an unlock; no other lock is taken there.
func (s *scope) section(lock, unlock string, body func() []*node) *node {
	s.held = append(s.held, "")
	n := bracket(lock, unlock, body())
	s.held = s.held[:len(s.held)-1]
	return n
}
