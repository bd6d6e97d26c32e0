package replay

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	cfront "comus/internal/oldfront"

	"modernc.org/cc/v4"
)

// Library functions by what the replay makes of them.
var (
	failing = []string{"__assert_fail", "__assert_perror_fail", "__assert"}
	asserts = []string{"__VERIFIER_assert", "assert"}
	assumes = []string{"__VERIFIER_assume", "assume", "assume_abort_if_not", "__builtin_assume"}
	stops   = []string{"abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_abort", "__builtin_exit", "__builtin_trap", "__builtin_unreachable"}
	// successful do nothing that the execution knows of.
	successful = []string{"usleep", "sched_yield", "perror", "srand", "srandom", "free",
		"pthread_yield", "pthread_detach",
		"pthread_spin_destroy", "pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
		"pthread_attr_init", "pthread_attr_destroy", "pthread_mutexattr_destroy",
		"pthread_condattr_init", "pthread_condattr_destroy", "pthread_rwlock_destroy", "sem_destroy",
		"pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "setbuf", "__builtin_prefetch", "__comus_fence",
		"__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence"}
	// output has a result that is an input if the program looks at it.
	output = []string{"printf", "fprintf", "puts", "putchar", "putc", "fputc", "fputs", "__builtin_printf", "__builtin_fprintf",
		"__builtin_puts", "__builtin_putchar", "fflush", "setvbuf"}
	inputs = []string{"rand", "random", "clock", "getpid", "getppid", "sysconf", "write", "getchar", "getc", "fgetc", "vprintf"}
	kept   = []string{"abs", "labs", "llabs", "toupper", "tolower", "__builtin_expect"}
)

// bitBuiltin matches the builtins that compute with the values of their arguments.
var bitBuiltin = regexp.MustCompile(`^__builtin_((clz|ctz|ffs|popcount|parity)l{0,2}|bswap(16|32|64)|(add|sub|mul)_overflow_p|assume_aligned|expect_with_probability)$`)

// synchronising are the calls that the runtime replaces one to one, with the
// arguments it needs.
var synchronising = map[string]struct {
	name string
	args []int
}{
	"pthread_mutex_lock": {"comus_lock", []int{0}}, "pthread_spin_lock": {"comus_lock", []int{0}},
	"pthread_mutex_trylock": {"comus_trylock", []int{0}}, "pthread_spin_trylock": {"comus_trylock", []int{0}},
	"pthread_mutex_timedlock": {"comus_timedlock", []int{0}}, "pthread_mutex_clocklock": {"comus_timedlock", []int{0}},
	"pthread_mutex_unlock": {"comus_unlock", []int{0}}, "pthread_spin_unlock": {"comus_unlock", []int{0}},
	"pthread_cond_wait": {"comus_wait", []int{1}}, "pthread_join": {"comus_join", []int{0, 1}},
	"pthread_exit": {"comus_exit", []int{0}}, "pthread_self": {"comus_self", nil},
	"sem_post": {"comus_sem_post", []int{0}}, "sem_wait": {"comus_sem_wait", []int{0}},
	"sem_trywait": {"comus_sem_try", []int{0}}, "sem_timedwait": {"comus_sem_try", []int{0}},
	"sem_clockwait":         {"comus_sem_try", []int{0}},
	"pthread_rwlock_rdlock": {"comus_rdlock", []int{0}}, "pthread_rwlock_wrlock": {"comus_wrlock", []int{0}},
	"pthread_rwlock_tryrdlock": {"comus_tryrdlock", []int{0}}, "pthread_rwlock_trywrlock": {"comus_trywrlock", []int{0}},
	"pthread_rwlock_unlock": {"comus_rwunlock", []int{0}}, "pthread_once": {"comus_once", []int{0, 1}},
	"__VERIFIER_atomic_begin": {"comus_begin", nil}, "__VERIFIER_atomic_end": {"comus_end", nil},
}

// call weaves a call.
func (w *weaver) call(x *cc.PostfixExpression) string {
	w.busy++
	name := ""
	if p, ok := plain(x.PostfixExpression).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		if x.PostfixExpression.Type().Undecay().Kind() == cc.Function || p.ResolvedTo() == nil {
			name = cfront.LibraryName(p.Token.SrcStr())
		} else if d, ok := p.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() == cc.Function {
			name = d.Name()
		}
	}
	var nodes []cc.ExpressionNode
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		nodes = append(nodes, l.AssignmentExpression)
	}
	switch name {
	case "__builtin_choose_expr":
		return w.value(cfront.Chosen(x))
	case "__ccgo__types_compatible_p":
		return fmt.Sprint(x.Value())
	case "__builtin_constant_p":
		if site := w.site(x); site >= 0 {
			return fmt.Sprintf("comus_nondet(%d)", site)
		}
		return fmt.Sprint(x.Value())
	}
	if name == "reach_error" || name == "__VERIFIER_error" {
		return fmt.Sprintf("comus_fail(%q)", name+"()")
	}
	temps, args := w.inOrder(nodes...)
	if w.defined[name] || name == "" {
		f := name
		if f == "" {
			f = w.value(x.PostfixExpression)
		}
		s := f + "(" + strings.Join(args, ", ") + ")"
		if isAtomicName(name) {
			s = w.atomically(x, s)
		}
		return wrap(temps, s)
	}
	return w.settingErrno(x, name, wrap(temps, w.library(x, name, args)))
}

// isName reports whether an expression is a name.
func isName(n cc.ExpressionNode) bool {
	p, ok := plain(n).(*cc.PrimaryExpression)
	return ok && p.Case == cc.PrimaryExpressionIdent
}

// atomically makes a call one step.
func (w *weaver) atomically(x cc.ExpressionNode, s string) string {
	if x.Type().Kind() == cc.Void {
		return "COMUS_ATOMIC_VOID(" + s + ")"
	}
	return "COMUS_ATOMIC(" + s + ")"
}

func isAtomicName(name string) bool {
	return strings.HasPrefix(name, "__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end"
}

// library weaves a call of a function that the program does not define.
func (w *weaver) library(x *cc.PostfixExpression, name string, args []string) string {
	has := func(names []string) bool { return slices.Contains(names, name) }
	want := func(n int) {
		if len(args) < n {
			w.fail(x, "%s with too few arguments", name)
		}
	}
	if s, ok := synchronising[name]; ok {
		var some []string
		for _, i := range s.args {
			want(i + 1)
			some = append(some, "(void *)"+args[i])
		}
		if name == "pthread_join" {
			some[0] = args[0]
		}
		return s.name + "(" + strings.Join(some, ", ") + ")"
	}
	site := w.site(x)
	switch {
	case has(failing):
		want(1)
		return "comus_fail(" + args[0] + ")"
	case has(asserts):
		want(1)
		return fmt.Sprintf("%s ? (void)0 : comus_fail(%q)", args[0], strings.Join(strings.Fields(w.spelling(x)), " "))
	case has(assumes):
		want(1)
		return args[0] + " ? (void)0 : comus_stop()"
	case has(stops):
		return strings.Join(append(args, "comus_stop()"), ", ")
	case name == "__comus_fence" && len(args) == 1 && isName(argument(x, 0)):
		return "0" // a memory order is an enumerator, which is not declared here
	case has(successful):
		return strings.Join(append(args, "0"), ", ")
	case has(output) && site < 0, has(kept):
		return name + "(" + strings.Join(args, ", ") + ")"
	case has(inputs), has(output), strings.HasPrefix(name, "__VERIFIER_nondet_"):
		return fmt.Sprintf("(__typeof__(%s))comus_nondet(%d)", w.spelling(x), site)
	case name == "pthread_create":
		want(4)
		f := plain(x.ArgumentExpressionList.ArgumentExpressionList.ArgumentExpressionList.AssignmentExpression)
		atomic := isAtomicName(strings.TrimLeft(w.spelling(f), "& "))
		return fmt.Sprintf("comus_create((unsigned long *)%s, (void *(*)(void *))%s, (void *)(unsigned long)%s, %d)", args[0], args[2], args[3], map[bool]int{true: 1}[atomic])
	case name == "sem_init":
		want(3)
		return fmt.Sprintf("COMUS_WRITE(*(int *)%s, %s), 0", args[0], args[2])
	case name == "pthread_rwlock_init":
		want(1)
		return fmt.Sprintf("COMUS_WRITE(*(int *)%s, 0), 0", args[0])
	case name == "sem_getvalue":
		want(2)
		return fmt.Sprintf("COMUS_WRITE(*%s, COMUS_READ(*(int *)%s)), 0", args[1], args[0])
	case name == "pthread_rwlock_timedrdlock", name == "pthread_rwlock_timedwrlock", name == "pthread_rwlock_clockrdlock", name == "pthread_rwlock_clockwrlock":
		want(1)
		f := "comus_tryrdlock"
		if strings.HasSuffix(name, "wrlock") {
			f = "comus_trywrlock"
		}
		return fmt.Sprintf("%s((void *)%s) ? 110 : 0", f, args[0])
	case name == "__comus_thrd_join":
		want(2)
		t := w.temp()
		return fmt.Sprintf("({ void *%[1]s; int *%[1]s_p = %[3]s; int %[1]s_e = comus_join(%[2]s, &%[1]s); if (%[1]s_p && !%[1]s_e) COMUS_WRITE(*%[1]s_p, (int)(long)%[1]s); %[1]s_e; })", t, args[0], args[1])
	case name == "pthread_equal":
		want(2)
		return args[0] + " == " + args[1]
	case name == "pthread_cond_timedwait", name == "pthread_cond_clockwait":
		want(2)
		return fmt.Sprintf("comus_wait(%s), comus_nondet(%d) ? 110 : 0", args[1], site)
	case bitBuiltin.MatchString(name):
		return name + "(" + strings.Join(args, ", ") + ")"
	case strings.HasPrefix(name, "__builtin_") && strings.HasSuffix(name, "_overflow"):
		want(3)
		t := w.temp()
		return fmt.Sprintf("({ __typeof__(*%[4]s) %[1]s; _Bool %[1]s_o = %[5]s(%[2]s, %[3]s, &%[1]s); COMUS_WRITE(*%[4]s, %[1]s); %[1]s_o; })", t, args[0], args[1], args[2], name)
	case strings.HasPrefix(name, "__sync_"), strings.HasPrefix(name, "__atomic_"), strings.HasPrefix(name, "__comus_atomic_"):
		want(1)
		return w.atomicOp(x, name, args)
	}
	if s := w.another(x, name, args); s != "" {
		return s
	}
	w.fail(x, "a call of %s", name)
	return ""
}

// site returns the number of the place of a call that gives an input, -1 if the
// execution gets none there.
func (w *weaver) site(n cc.Node) int {
	p := n.Position()
	if s, ok := w.sched.sites[inputKey(p.Line, p.Column)]; ok {
		return s
	}
	return -1
}

// atomicOp weaves the atomic operations of C11, __atomic_* and __sync_*.
func (w *weaver) atomicOp(x *cc.PostfixExpression, name string, args []string) string {
	op := name
	for _, p := range []string{"__comus_atomic_", "__atomic_", "__sync_"} {
		op = strings.TrimPrefix(op, p)
	}
	arg := func(i int) string {
		if i >= len(args) {
			w.fail(x, "%s with too few arguments", name)
		}
		return args[i]
	}
	p, byPointer := "*"+args[0], strings.HasPrefix(name, "__atomic_")
	switch op {
	case "load":
		if byPointer {
			return "COMUS_WRITE(*" + arg(1) + ", COMUS_READ(" + p + "))"
		}
		return "COMUS_READ(" + p + ")"
	case "load_n":
		return "COMUS_READ(" + p + ")"
	case "store", "store_n", "init":
		if byPointer && op == "store" {
			return "COMUS_WRITE(" + p + ", COMUS_READ(*" + arg(1) + "))"
		}
		return "COMUS_WRITE(" + p + ", " + arg(1) + ")"
	case "clear", "lock_release":
		return "COMUS_WRITE(" + p + ", 0)"
	case "test_and_set":
		return "COMUS_EXCHANGE(" + args[0] + ", 1)"
	case "exchange", "exchange_n", "lock_test_and_set":
		if byPointer && op == "exchange" {
			return fmt.Sprintf("({ __auto_type comus_g = COMUS_READ(*%s); COMUS_WRITE(*%s, COMUS_EXCHANGE(%s, comus_g)); })", arg(1), arg(2), args[0])
		}
		return "COMUS_EXCHANGE(" + args[0] + ", " + arg(1) + ")"
	case "bool_compare_and_swap":
		return fmt.Sprintf("COMUS_CAS_BOOL(%s, %s, %s)", args[0], arg(1), arg(2))
	case "val_compare_and_swap":
		return fmt.Sprintf("COMUS_CAS_VALUE(%s, %s, %s)", args[0], arg(1), arg(2))
	case "cas", "cas_weak", "compare_exchange_n":
		return fmt.Sprintf("COMUS_CAS_EXPECTED(%s, %s, %s, %d)", args[0], arg(1), arg(2), w.weakSite(x))
	case "compare_exchange":
		return fmt.Sprintf("COMUS_CAS_EXPECTED(%s, %s, COMUS_READ(*%s), %d)", args[0], arg(1), arg(2), w.weakSite(x))
	case "is_lock_free", "always_lock_free":
		return strings.Join(append(args, "1"), ", ")
	}
	words := strings.Split(op, "_") // fetch_add, add_fetch, fetch_and_add, add_and_fetch
	if len(words) == 3 && words[1] == "and" {
		words = []string{words[0], words[2]}
	}
	if pointee(argument(x, 0)).Kind() == cc.Ptr {
		w.fail(x, "%s of a pointer", name)
	}
	ops := map[string]string{"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
	if len(words) == 2 && words[0] == "fetch" && ops[words[1]] != "" {
		return fmt.Sprintf("COMUS_FETCH(COMUS_UPDATE_OLD, %s, %s, %s)", args[0], ops[words[1]], arg(1))
	}
	if len(words) == 2 && words[1] == "fetch" && ops[words[0]] != "" {
		return fmt.Sprintf("COMUS_FETCH(COMUS_UPDATE, %s, %s, %s)", args[0], ops[words[0]], arg(1))
	}
	w.fail(x, "a call of %s", name)
	return ""
}
