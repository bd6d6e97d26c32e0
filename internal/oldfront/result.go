package cfront

import (
	"maps"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// isFixed reports whether a value is a constant without conditions.
func isFixed(v *value) bool {
	_, ok := v.constant()
	return ok && len(v.side) == 0
}

// isAddress reports whether a value is a pointer other than NULL.
func isAddress(v *value) bool {
	return v.kind == vPtr && !v.maybeNull || v.kind == vFunc || v.kind == vStr
}

// bodyResult lets the returns of a body meet and returns its result.
func (b *lowerer) bodyResult(fr *frame) *value {
	vals := fr.vals
	same, ints := true, true
	for _, v := range vals {
		same = same && sameValue(vals[0], v)
		ints = ints && v.kind == vInt
	}
	rets := fr.rets
	onPaths := fr.result.kind == tPtr && fr.ret != nil && ints && !same
	if fr.result.kind == tPtr && fr.ret != nil && !ints && !same {
		vals, onPaths = b.addressesOnPaths(fr)
	} else if onPaths {
		rets = nil
		for i, f := range fr.rets {
			b.cur = f.clone()
			if isFixed(vals[i]) {
				b.emit(fr.call, "", ir.AssignCmd(fr.ret, vals[i].t))
			}
			rets = append(rets, b.cur)
		}
	}
	if onPaths && !ints {
		rets = fr.rets
	}
	b.join(fr.call, rets...)
	switch {
	case b.cur == nil || len(vals) == 0:
		return &value{kind: vUnknown}
	case fr.result.kind == tFloat:
		return &value{kind: vFloat}
	case fr.result.kind == tVoid:
		return &value{kind: vVoid}
	case fr.agg != nil:
		return &value{kind: vAgg, pl: fr.agg.whole(), src: fr.call}
	case fr.result.kind == tInt && fr.ret != nil || onPaths:
		v := b.intValue(fr.ret.Sym, fr.ret.Type)
		if k, ok := b.cur.consts[fr.ret]; ok {
			v.t = b.L.Value(k)
		}
		if ints || onPaths {
			v.to = eitherOf(vals...)
		}
		return v
	case !same && len(vals) > 1:
		return &value{kind: vUnknown}
	}
	return anyOf(vals)
}

// anyOf returns one of values that are the same. If they are integers, what they may
// point to may differ.
func anyOf(vals []*value) *value {
	if vals[0].kind != vInt {
		return vals[0]
	}
	v := *vals[0]
	v.to = eitherOf(vals...)
	return &v
}

// addressesOnPaths lets the flows that return hand over pointers as integers, unless
// some are not known.
func (b *lowerer) addressesOnPaths(fr *frame) ([]*value, bool) {
	var vals []*value
	var rets []*flow
	for i, f := range fr.rets {
		b.cur = f.clone()
		v, ok := b.address(fr.call, fr.vals[i])
		if !ok {
			return fr.vals, false
		}
		v = b.convert(fr.call, v, b.ptrInt)
		if v.t != fr.ret.Sym {
			b.settle(b.pending(v), fr.ret)
			b.emitValue(fr.call, "", v, ir.AssignCmd(fr.ret, v.t))
		}
		vals, rets = append(vals, v), append(rets, b.cur)
	}
	fr.rets = rets
	return vals, true
}

// endThreads ends the thread where its function returns: at one place, unless
// the returns hand over different results.
func (b *lowerer) endThreads(n cc.Node, fr *frame) {
	same := true
	for _, v := range fr.vals {
		same = same && b.sameResult(fr.vals[0], v)
	}
	if same || fr.result.kind != tPtr {
		vals := fr.vals
		v := b.bodyResult(fr)
		if fr.result.kind == tPtr && len(vals) > 0 {
			v = anyOf(vals)
		}
		b.endThread(n, v, b.th.index == 0)
		return
	}
	for i, f := range fr.rets {
		b.cur = f.clone()
		b.endThread(n, fr.vals[i], b.th.index == 0)
	}
}

// sameResult reports whether two values are handed over by the same commands.
func (b *lowerer) sameResult(v, w *value) bool {
	if b.facts.results {
		return sameValue(v, w)
	}
	if v.kind == vInt || w.kind == vInt {
		return sameValue(v, w) && len(v.side) == 0 && len(w.side) == 0
	}
	return isAddress(v) == isAddress(w) && v.maybeNull == w.maybeNull
}

// resultCmds returns the commands that hand over a thread's result. All that the
// joining thread gets to know about an address is that it is not NULL, unless
// somebody wants to know more.
func (b *lowerer) resultCmds(n cc.Node, t *thread, v *value) []ir.Cmd {
	if b.facts.results && v.kind != vInt {
		if w, ok := b.address(n, v); ok {
			v = w
		}
	}
	switch {
	case v.kind == vInt:
		if b.pending(v) {
			b.materialise(v)
		}
		if v.to != nil {
			b.escapeTargets(n, v.to)
		}
		b.addResult(v)
		w := b.convert(n, v, b.ptrInt)
		cmds := b.sideCmds(w)
		if !w.isNull() { // it is 0 at first
			cmds = append(cmds, ir.AssignCmd(t.ret, w.t))
		}
		return cmds
	case isAddress(v):
		b.addPoints(b.resultsKey(), targets{target{kind: toResult}: true})
		return []ir.Cmd{ir.HavocCmd(t.ret, ""), ir.AssumeCmd(b.L.Ne(t.ret.Sym, b.L.Int(0)))}
	}
	b.addPoints(b.resultsKey(), targets{target{kind: toResult}: true})
	if b.facts.results {
		b.addPoints(b.resultsKey(), targets{target{kind: toInteger}: true})
	}
	return []ir.Cmd{ir.HavocCmd(t.ret, "")}
}

// wantResults lets threads hand over the addresses they return, and lowering start
// anew. That there are such that are not known is forgotten: it will turn out again.
func (b *lowerer) wantResults(n cc.Node) {
	if b.facts.results {
		b.fail(n, "unsupported: use of a thread's result that is a pointer whose target is not known")
	}
	b.facts.results = true
	for key, ts := range b.facts.points {
		if ts.has(toResult) {
			ts = maps.Clone(ts)
			delete(ts, target{kind: toResult})
			b.facts.points[key] = ts
		}
	}
	b.again(n)
}

// resultsKey is the key of what the results of threads may point to.
func (b *lowerer) resultsKey() string {
	if b.facts.results {
		return "results of threads, exactly"
	}
	return "results of threads"
}

// addResult notes what an integer result may point to.
func (b *lowerer) addResult(v *value) {
	ts := v.to
	if _, ok := v.constant(); ts == nil && !ok {
		ts = targets{target{kind: toInteger}: true}
	}
	if ts != nil {
		b.addPoints(b.resultsKey(), ts)
	}
}

// resultValue returns the value of a variable that got the result of a thread.
func (b *lowerer) resultValue(tmp *ir.Var) *value {
	v := b.intValue(tmp.Sym, b.ptrInt)
	if v.to = b.pointsTo(b.resultsKey()); v.to == nil {
		v.to = targets{}
	}
	return v
}

// results returns the threads by the variables of their results.
func (b *lowerer) results() map[*ir.Var]*thread {
	m := map[*ir.Var]*thread{}
	for _, t := range b.threads {
		if t.ret != nil {
			m[t.ret] = t
		}
	}
	return m
}

// writtenResults returns the variables of results that some thread sets.
func (b *lowerer) writtenResults() map[*ir.Var]bool {
	results, written := b.results(), map[*ir.Var]bool{}
	for _, t := range b.threads {
		for _, e := range t.edges {
			for _, c := range e.cmds {
				if c.Var != nil && results[c.Var] != nil {
					written[c.Var] = true
				}
			}
		}
	}
	return written
}

// completeJoins adds to joins of a thread that depends on a value the choice
// among all threads, and lets those of a thread that returns NULL read no result.
func (b *lowerer) completeJoins() {
	written := b.writtenResults()
	result := func(t *thread) *logic.Term {
		if written[t.ret] {
			return t.ret.Sym
		}
		return b.L.Int(0)
	}
	for _, j := range b.joins {
		if b.replicates {
			b.joinAny(j)
			continue
		}
		var any []*logic.Term
		res := b.L.Int(0)
		for _, t := range b.threads[1:] {
			is := b.L.Eq(j.id, b.L.Int(int64(t.index)))
			any = append(any, b.L.And(is, b.L.Eq(t.ended.Sym, b.L.Int(1))))
			res = b.L.Ite(is, result(t), res)
		}
		j.edge.cmds = append(j.edge.cmds, ir.AssumeCmd(b.L.Or(any...)))
		if len(any) == 0 {
			j.edge.kind = ir.Plain
		}
		if j.ret != nil {
			j.edge.cmds = append(j.edge.cmds, ir.AssignCmd(j.ret, res))
		}
	}
	for _, t := range b.threads {
		for _, e := range t.edges {
			if e.kind != ir.Join || e.thread < 0 {
				continue
			}
			for i, c := range e.cmds {
				if from := b.threads[e.thread]; c.Kind == ir.Assign && c.Expr == from.ret.Sym {
					e.cmds[i].Expr = result(from)
				}
			}
		}
	}
}

// dropUnread removes assignments to temporaries and results that nothing reads.
func (b *lowerer) dropUnread() {
	read := map[*logic.Term]bool{}
	for _, t := range b.threads {
		for _, e := range t.edges {
			for _, c := range e.cmds {
				if t.onlyResult(c) {
					continue
				}
				for _, x := range []*logic.Term{c.Cond, c.Expr} {
					if x == nil {
						continue
					}
					for _, s := range logic.FreeVars(x) {
						read[s] = true
					}
				}
			}
		}
	}
	results := b.results()
	for _, t := range b.threads {
		for _, e := range t.edges {
			var left []ir.Cmd
			for _, c := range e.cmds {
				switch {
				case t.onlyResult(c) && !read[t.ret.Sym]:
				case c.Var != nil && !read[c.Var.Sym] && (results[c.Var] != nil || t.unneeded(e, c.Var)):
				default:
					left = append(left, c)
				}
			}
			e.cmds = left
		}
	}
}

// onlyResult recognises the assumption that the thread's result is not NULL.
func (t *thread) onlyResult(c ir.Cmd) bool {
	if c.Kind != ir.Assume || t.ret == nil {
		return false
	}
	vs := logic.FreeVars(c.Cond)
	return len(vs) == 1 && vs[0] == t.ret.Sym
}

// unneeded reports whether an edge's command that gives v a value may go if
// nothing reads v: v is no variable of the source, and the edge's kind does not
// ask for the command.
func (t *thread) unneeded(e *edge, v *ir.Var) bool {
	if v.Source != "" {
		return false
	}
	switch e.kind {
	case ir.Lock, ir.Unlock, ir.Create:
		return false
	case ir.End:
		return v != t.ended
	}
	return true
}
