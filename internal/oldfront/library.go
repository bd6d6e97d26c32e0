package cfront

import (
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// call is a call of a library function.
type call struct {
	n      *cc.PostfixExpression
	name   string
	args   []cc.ExpressionNode
	unused bool // the result is not used
}

// library evaluates a call of a function that comus knows. It returns false if
// the function is another one, or the program defines it itself.
func (b *lowerer) library(c call) (*value, bool) {
	x, name := c.n, c.name
	switch name {
	case "reach_error", "__VERIFIER_error":
		b.reachError(x, b.text(x))
		b.cur = nil
		return c.void(), true
	}
	if b.src.funcs[name] != nil {
		return nil, false
	}
	if f, ok := libraryFuncs[name]; ok {
		b.checkDeclared(c)
		v := f(b, c)
		if changesErrno(name) && !strings.HasPrefix(name, "sem_") {
			mark := b.hold(v)
			b.setErrno(c.n, nil)
			b.letGo(mark)
		}
		return v, true
	}
	switch {
	case strings.HasPrefix(name, "__VERIFIER_nondet_"):
		b.checkDeclared(c)
		return b.nondet(c), true
	case strings.HasPrefix(name, "__sync_"), strings.HasPrefix(name, "__atomic_"), strings.HasPrefix(name, "__comus_atomic_"):
		return b.atomicBuiltin(c), true
	case strings.HasPrefix(name, "pthread_"):
		b.fail(x, "unsupported: %s", name)
	}
	if why, ok := unsupportedFuncs[name]; ok {
		b.fail(x, "unsupported: %s", why)
	}
	return nil, false
}

func (c call) void() *value { return &value{kind: vVoid, src: c.n} }

// checkDeclared warns about the implicit declaration of a known function.
func (b *lowerer) checkDeclared(c call) {
	if id, ok := unparen(c.n.PostfixExpression).(*cc.PrimaryExpression); ok && !declared(id) && !strings.HasPrefix(id.Token.SrcStr(), "__builtin") && !strings.HasPrefix(c.name, "__c") {
		b.warn(c.n, "implicit declaration of function '%s'", c.name)
	}
}

// unsupportedFuncs names what calls of some functions stand for.
var unsupportedFuncs = map[string]string{
	"setjmp": "setjmp", "_setjmp": "setjmp", "longjmp": "longjmp", "fork": "fork",
	"fgets": "input with fgets", "gets": "input with gets", "read": "input with read",
	"strchr": "strings (strchr)", "strstr": "strings (strstr)", "strdup": "strings (strdup)",
	"sprintf": "strings (sprintf)", "snprintf": "strings (snprintf)",
	"qsort": "qsort",
}

var libraryFuncs map[string]func(*lowerer, call) *value

func init() {
	libraryFuncs = map[string]func(*lowerer, call) *value{
		"__VERIFIER_assume": (*lowerer).assumeCall, "assume": (*lowerer).assumeCall, "assume_abort_if_not": (*lowerer).assumeCall,
		"__builtin_assume":  (*lowerer).assumeCall,
		"__VERIFIER_assert": (*lowerer).assertCall, "assert": (*lowerer).assertCall,
		"__assert_fail":             (*lowerer).assertFail,
		"__assert_perror_fail":      (*lowerer).assertFail,
		"__assert":                  (*lowerer).assertFail,
		"__VERIFIER_atomic_begin":   (*lowerer).atomicBegin,
		"__VERIFIER_atomic_end":     (*lowerer).atomicEnd,
		"rand":                      (*lowerer).randCall,
		"random":                    (*lowerer).randCall,
		"abs":                       (*lowerer).absCall,
		"labs":                      (*lowerer).absCall,
		"llabs":                     (*lowerer).absCall,
		"__builtin_expect":          (*lowerer).expectCall,
		"__builtin_unreachable":     (*lowerer).unreachableCall,
		"__comus_fence":             (*lowerer).nothing,
		"pthread_create":            (*lowerer).createCall,
		"pthread_join":              (*lowerer).joinCall,
		"pthread_exit":              (*lowerer).exitCall,
		"pthread_self":              (*lowerer).selfCall,
		"pthread_equal":             (*lowerer).equalCall,
		"pthread_mutex_init":        (*lowerer).mutexInit,
		"pthread_spin_init":         (*lowerer).nothing,
		"pthread_mutex_lock":        (*lowerer).lockCall,
		"pthread_spin_lock":         (*lowerer).lockCall,
		"pthread_mutex_trylock":     (*lowerer).tryLockCall,
		"pthread_mutex_timedlock":   (*lowerer).tryLockCall,
		"pthread_rwlock_init":       (*lowerer).rwInit,
		"pthread_rwlock_unlock":     (*lowerer).rwUnlock,
		"pthread_once":              (*lowerer).onceCall,
		"pthread_barrier_init":      (*lowerer).barrierInit,
		"pthread_barrier_wait":      (*lowerer).barrierWait,
		"sem_init":                  (*lowerer).semInit,
		"memset":                    (*lowerer).memsetCall,
		"memcpy":                    (*lowerer).memcpyCall,
		"memmove":                   (*lowerer).memcpyCall,
		"sem_open":                  (*lowerer).semOpen,
		"sem_close":                 (*lowerer).nothing,
		"sem_unlink":                (*lowerer).semUnlink,
		"atexit":                    (*lowerer).atexitCall,
		"sem_post":                  (*lowerer).semPost,
		"sem_getvalue":              (*lowerer).semGet,
		"__comus_thrd_join":         (*lowerer).joinCall,
		"__comus_cleanup_push":      (*lowerer).cleanupPush,
		"__comus_cleanup_pop":       (*lowerer).cleanupPop,
		"__comus_mtx_init":          (*lowerer).mtxInit,
		"pthread_spin_trylock":      (*lowerer).tryLockCall,
		"pthread_mutex_unlock":      (*lowerer).unlockCall,
		"pthread_spin_unlock":       (*lowerer).unlockCall,
		"pthread_cond_wait":         (*lowerer).waitCall,
		"pthread_cond_timedwait":    (*lowerer).waitCall,
		"pthread_mutexattr_settype": (*lowerer).attrType,
		"nanosleep":                 (*lowerer).sleepCall,
		"setbuf":                    (*lowerer).ownBuffer,
		"setvbuf":                   (*lowerer).ownBuffer,
	}
	addTextFuncs()
	addClockFuncs()
	addCharFuncs()
	for _, f := range []string{"sem_wait", "sem_trywait", "sem_timedwait"} {
		libraryFuncs[f] = (*lowerer).semWait
	}
	for _, f := range []string{"rdlock", "wrlock", "tryrdlock", "trywrlock", "timedrdlock", "timedwrlock"} {
		libraryFuncs["pthread_rwlock_"+f] = (*lowerer).rwLock
	}
	for _, f := range []string{"abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_abort", "__builtin_exit", "__builtin_trap"} {
		libraryFuncs[f] = (*lowerer).stopCall
	}
	for _, f := range []string{"usleep", "sleep", "sched_yield", "perror", "srand", "srandom",
		"pthread_yield", "pthread_detach",
		"pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
		"pthread_attr_init", "pthread_attr_destroy", "pthread_mutexattr_destroy", "pthread_condattr_init",
		"pthread_condattr_destroy", "pthread_barrier_destroy", "sem_destroy",
		"pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "pthread_barrierattr_init", "pthread_barrierattr_destroy", "__builtin_prefetch"} {
		libraryFuncs[f] = (*lowerer).nothing
	}
	for _, f := range []string{"printf", "fprintf", "puts", "putchar", "putc", "fputc", "fputs", "clock", "getpid", "getppid", "sysconf", "write",
		"__builtin_printf", "__builtin_fprintf", "__builtin_puts", "__builtin_putchar", "getchar", "getc", "fgetc", "vprintf", "fflush"} {
		libraryFuncs[f] = (*lowerer).anyResult
	}
	for f := range setters {
		libraryFuncs[f] = (*lowerer).setterCall
	}
	addThreadFuncs()
	addAllocators()
	addBuiltins()
}

// evalDropArgs evaluates arguments for their effects.
func (b *lowerer) evalDropArgs(args []cc.ExpressionNode) {
	for _, a := range args {
		if b.cur != nil {
			b.evalDrop(a)
		}
	}
}

// nothing evaluates a call that succeeds without an effect.
func (b *lowerer) nothing(c call) *value {
	b.evalDropArgs(c.args)
	return b.constInt(0, b.resultType(c))
}

// input returns a new input of the program.
func (b *lowerer) input(c call, it ir.Type, name string, cmds ...func(*logic.Term) *logic.Term) *value {
	tmp := b.newTemp(it)
	list := []ir.Cmd{ir.HavocCmd(tmp, name)}
	for _, f := range cmds {
		list = append(list, ir.AssumeCmd(f(tmp.Sym)))
	}
	b.emit(c.n, b.text(c.n), list...)
	return b.intValue(tmp.Sym, it)
}

// nondetTypes are the types of __VERIFIER_nondet_T by T.
var nondetTypes = map[string]struct {
	bits   int // 0: as wide as a long
	signed bool
}{
	"bool": {1, false}, "_Bool": {1, false}, "char": {8, true}, "schar": {8, true}, "uchar": {8, false}, "short": {16, true}, "ushort": {16, false},
	"int": {32, true}, "uint": {32, false}, "unsigned": {32, false}, "long": {0, true}, "ulong": {0, false}, "longlong": {64, true},
	"ulonglong": {64, false}, "size_t": {0, false}, "u8": {8, false}, "u16": {16, false}, "u32": {32, false}, "u64": {64, false},
	"s8": {8, true}, "s16": {16, true}, "s32": {32, true}, "s64": {64, true}, "loff_t": {64, true}, "sector_t": {0, false},
	"pthread_t": {0, false}, "unsigned_int": {32, false}, "unsigned_char": {8, false}, "unsigned_long": {0, false}, "ptrdiff_t": {0, true},
}

func (b *lowerer) nondet(c call) *value {
	b.evalDropArgs(c.args)
	suffix := strings.TrimPrefix(c.name, "__VERIFIER_nondet_")
	var it ir.Type
	if t, ok := nondetTypes[suffix]; ok {
		it = ir.Type{Bits: t.bits, Signed: t.signed}
		if t.bits == 0 {
			it.Bits = b.ptrInt.Bits
		}
	} else {
		switch t := b.typeOf(c.n.Type(), nil); t.kind {
		case tInt:
			it = t.it
		case tBad:
			b.fail(c.n, "unsupported: %s", t.why)
		case tFloat:
			return &value{kind: vFloat, src: c.n}
		default:
			b.fail(c.n, "unsupported: %s", c.name)
		}
		if suffix == "float" || suffix == "double" {
			b.fail(c.n, "unsupported: floating point")
		}
	}
	if b.cur == nil {
		return b.constInt(0, it)
	}
	return b.input(c, it, c.name)
}

func (b *lowerer) randCall(c call) *value {
	return b.inputUpTo(c, b.resultType(c), 1<<31-1)
}

func (b *lowerer) absCall(c call) *value {
	b.want(c, 1)
	v := b.eval(c.args[0])
	if b.cur == nil || v.kind != vInt {
		return &value{kind: vUnknown}
	}
	it := intT
	if c.name == "labs" {
		it = b.ptrInt
	} else if c.name == "llabs" {
		it.Bits = 64
	}
	v = b.convert(c.n, v, it)
	b.materialise(v)
	neg := b.negate(c.n, v)
	pos := b.L.Ge(v.t, b.L.Int(0))
	w := b.intValue(b.L.Ite(pos, v.t, neg.t), it)
	for _, s := range neg.side {
		w.side = append(w.side, b.L.Or(pos, s))
	}
	return w
}

func (b *lowerer) expectCall(c call) *value {
	b.want(c, 1)
	v := b.evalArgs(c.args)[0]
	if b.cur == nil || v.kind != vInt {
		return v
	}
	return b.convert(c.n, v, ir.Type{Bits: b.ptrInt.Bits, Signed: true})
}

// want checks the number of arguments.
func (b *lowerer) want(c call, n int) {
	if len(c.args) < n {
		b.fail(c.n, "too few arguments in the call of '%s'", c.name)
	}
}

// stopCall lowers abort and exit: control ends here. Within an atomic section no
// other thread goes on either.
func (b *lowerer) stopCall(c call) *value {
	b.evalDropArgs(c.args)
	if c.name == "exit" || c.name == "__builtin_exit" {
		b.callAtexit(c.n)
	}
	b.stop()
	return c.void()
}

func (b *lowerer) stop() {
	if b.cur == nil {
		return
	}
	at := b.cur.at.find()
	if at.outs == 0 && at != b.th.entry {
		b.record(func() { at.dead = false })
		at.dead = true
	}
	b.cur = nil
}

func (b *lowerer) unreachableCall(c call) *value {
	b.stop()
	return c.void()
}

// assumeCall lowers __VERIFIER_assume.
func (b *lowerer) assumeCall(c call) *value {
	b.want(c, 1)
	t, f := b.branch(c.args[0])
	if f != nil {
		b.cur = f
		b.stop()
	}
	b.cur = t
	return c.void()
}

// assertCall lowers __VERIFIER_assert, if it is only declared.
func (b *lowerer) assertCall(c call) *value {
	b.want(c, 1)
	t, f := b.branch(c.args[0])
	b.cur = f
	b.reachError(c.n, b.text(c.n))
	b.cur = t
	return c.void()
}

// assertFail lowers the call that the assert macro ends in.
func (b *lowerer) assertFail(c call) *value {
	text := "assert"
	if len(c.args) > 0 {
		if s, ok := unparen(c.args[0]).(*cc.PrimaryExpression); ok {
			if v, ok := s.Value().(cc.StringValue); ok {
				text = "assert(" + strings.TrimRight(string(v), "\x00") + ")"
			}
		}
	}
	b.reachError(c.n, oneLine(text))
	b.cur = nil
	return c.void()
}

// reachError makes the current location an error.
func (b *lowerer) reachError(n cc.Node, text string) {
	if b.cur == nil {
		return
	}
	pos := position(n)
	for f := b.fr; f != nil; f = f.parent {
		if strings.Contains(f.name, "assert") && f.call != nil {
			pos, text = position(f.call), b.text(f.call)
		}
	}
	at := b.cur.at.find()
	if at.outs > 0 || at == b.th.entry {
		b.emit(n, text)
		at = b.cur.at.find()
	}
	old := *at
	b.record(func() { at.err, at.text, at.pos = old.err, old.text, old.pos })
	at.err, at.text, at.pos = true, text, pos
}

// errorEdge adds an edge from here to an error.
func (b *lowerer) errorEdge(n cc.Node, text string, cmds ...ir.Cmd) {
	to := b.newLocHere(position(n))
	to.err, to.text = true, text
	b.newEdge(b.cur.at, to, position(n), text, cmds...)
}

func (b *lowerer) atomicBegin(c call) *value {
	b.settle(true)
	b.cur.depth++
	return c.void()
}

func (b *lowerer) atomicEnd(c call) *value {
	if b.cur.depth == 0 {
		b.fail(c.n, "unsupported: __VERIFIER_atomic_end() without __VERIFIER_atomic_begin() before it")
	}
	b.leaveAtomic(c.n)
	return c.void()
}
