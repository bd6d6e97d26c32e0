package replay

import (
	"fmt"
	"slices"
	"strings"

	cfront "comus/internal/oldfront"

	"modernc.org/cc/v4"
)

// Functions that the library of the host computes from their arguments.
var computed = []string{"fabs", "sqrt", "pow", "exp", "log", "sin", "cos", "tan", "floor", "ceil", "fmod",
	"fabsf", "sqrtf", "powf", "floorf", "ceilf", "atof", "difftime", "getenv", "strerror"}

// nothing are rarer functions that do nothing that the execution knows of, with the
// result 0.
var nothing = []string{"pthread_key_delete", "pthread_testcancel", "pthread_mutexattr_setrobust", "pthread_mutexattr_setprotocol",
	"pthread_rwlockattr_setkind_np", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
	"pthread_barrier_destroy", "pthread_attr_setguardsize"}

// fallible are functions that do nothing that the execution knows of, whose result is an
// input if the program looks at it.
var fallible = []string{"pthread_mutexattr_setprioceiling", "pthread_attr_setschedparam", "pthread_attr_setaffinity_np", "pthread_attr_setstack",
	"pthread_setname_np", "pthread_setschedparam", "pthread_setschedprio", "pthread_setaffinity_np"}

// runtimeFuncs are the calls that the runtime implements with the same arguments.
var runtimeFuncs = map[string]struct {
	name string
	args int
}{
	"pthread_barrier_wait": {"comus_barrier_wait", 1},
	"pthread_key_create":   {"comus_key_create", 1}, "pthread_getspecific": {"comus_key_get", 1}, "pthread_setspecific": {"comus_key_set", 2},
	"pthread_mutex_init": {"comus_mutex_init", 2}, "__comus_mtx_init": {"comus_mtx_init", 2},
	"memset": {"comus_memset", 3}, "memcpy": {"comus_copy", 3}, "memmove": {"comus_copy", 3},
	"strlen": {"comus_strlen", 1}, "strcpy": {"comus_strcpy", 2}, "strcat": {"comus_strcat", 2}, "strncpy": {"comus_strncpy", 3},
}

// another weaves the calls of the functions that are rarer than those of library,
// or returns "".
func (w *weaver) another(x *cc.PostfixExpression, name string, args []string) string {
	want := func(n int) {
		if len(args) < n {
			w.fail(x, "%s with too few arguments", name)
		}
	}
	plainName := strings.TrimPrefix(name, "__builtin_")
	if name == "pthread_key_create" {
		want(2)
		w.withoutDestructor(x)
	}
	if f, ok := runtimeFuncs[plainName]; ok {
		want(f.args)
		return f.name + "(" + strings.Join(args[:f.args], ", ") + ")"
	}
	site := w.site(x)
	switch plainName {
	case "__comus_cleanup_push":
		w.fail(x, "pthread_cleanup_push")
	case "malloc", "calloc", "realloc":
		want(map[bool]int{true: 1, false: 2}[plainName == "malloc"])
		return w.allocate(x, name, args)
	case "pthread_mutex_destroy":
		want(1)
		if w.sched.has(destroyKey(x)) {
			return "comus_destroy(" + args[0] + ")"
		}
		return args[0] + ", 0"
	case "pthread_barrier_init":
		want(3)
		return fmt.Sprintf("comus_barrier_init(%s, %s)", args[0], args[2])
	case "pthread_spin_init":
		want(1)
		return fmt.Sprintf("comus_mutex_init(%s, 0)", args[0])
	case "pthread_mutexattr_init":
		want(1)
		return fmt.Sprintf("COMUS_WRITE(*(int *)%s, 0), 0", args[0])
	case "pthread_mutexattr_settype":
		want(2)
		return fmt.Sprintf("COMUS_WRITE(*(int *)%s, %s), 0", args[0], args[1])
	case "strcmp":
		want(2)
		return fmt.Sprintf("comus_compare(%d, %s, %s, ~0ul, 1)", site, args[0], args[1])
	case "strncmp", "memcmp":
		want(3)
		if size := pointee(argument(x, 0)).Size(); plainName == "memcmp" && size > 1 {
			w.fail(x, "memcmp of objects other than characters")
		}
		return fmt.Sprintf("comus_compare(%d, %s, %s, %s, %d)", site, args[0], args[1], args[2], map[bool]int{true: 1}[plainName == "strncmp"])
	case "atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull",
		"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit":
		if site >= 0 {
			return fmt.Sprintf("%s, (__typeof__(%s))comus_nondet(%d)", strings.Join(args, ", "), w.spelling(x), site)
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	case "scanf", "fscanf", "sscanf":
		return w.scan(x, plainName, args)
	case "clock_gettime":
		want(2)
		p := w.temp()
		return fmt.Sprintf("({ struct timespec *%s = %s; COMUS_WRITE(%s->tv_sec, comus_nondet(%d)); COMUS_WRITE(%s->tv_nsec, comus_nondet(%d)); 0; })",
			p, args[1], p, site, p, site)
	case "gettimeofday":
		want(2)
		p := w.temp()
		return fmt.Sprintf("({ struct timeval *%s = %s; COMUS_WRITE(%s->tv_sec, comus_nondet(%d)); COMUS_WRITE(%s->tv_usec, comus_nondet(%d)); 0; })",
			p, args[0], p, site, p, site)
	case "time":
		want(1)
		p := w.temp()
		return fmt.Sprintf("({ long *%[1]s = (long *)%[2]s, %[1]s_v = comus_nondet(%[3]d); if (%[1]s) COMUS_WRITE(*%[1]s, %[1]s_v); %[1]s_v; })", p, args[0], site)
	case "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np":
		want(2)
		failure := 110
		if name == "pthread_tryjoin_np" {
			failure = 16
		}
		return fmt.Sprintf("comus_nondet(%d) ? %d : comus_join(%s, %s)", site, failure, args[0], args[1])
	}
	switch {
	case slices.Contains(computed, plainName):
		return name + "(" + strings.Join(args, ", ") + ")"
	case slices.Contains(nothing, name):
		return strings.Join(append(args, "0"), ", ")
	case slices.Contains(fallible, name):
		result := "0"
		if site >= 0 {
			result = fmt.Sprintf("(int)comus_nondet(%d)", site)
		}
		return strings.Join(append(args, result), ", ")
	case name == "sleep":
		return strings.Join(append(args, "0u"), ", ")
	case name == "nanosleep":
		want(2)
		p := w.temp()
		return fmt.Sprintf("({ struct timespec *%[1]s = (struct timespec *)%[2]s; %[1]s->tv_sec >= 0 && %[1]s->tv_nsec >= 0 && %[1]s->tv_nsec < 1000000000 ? 0 : -1; })", p, args[0])
	}
	if s := cfront.SetterFailure(name, args); s != "" {
		if name == "pthread_attr_setstacksize" && site >= 0 {
			return fmt.Sprintf("comus_nondet(%d) && (unsigned long)%s < 1 << 17 ? 22 : (%s)", site, args[1], s)
		}
		return strings.Join(args, ", ") + ", " + s
	}
	return ""
}

// argument returns the i-th argument of a call that has more.
func argument(x *cc.PostfixExpression, i int) cc.ExpressionNode {
	l := x.ArgumentExpressionList
	for ; i > 0; i-- {
		l = l.ArgumentExpressionList
	}
	return l.AssignmentExpression
}

// pointee returns the type of what an expression points to, before casts of the pointer.
func pointee(n cc.ExpressionNode) cc.Type {
	n = plain(n)
	for {
		c, ok := n.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			break
		}
		n = plain(c.CastExpression)
	}
	switch t := n.Type().Undecay().(type) {
	case *cc.PointerType:
		return t.Elem()
	case *cc.ArrayType:
		return t.Elem()
	}
	return n.Type()
}

// withoutDestructor refuses a key with a destructor: the library would call it when the
// runtime has let go of the thread.
func (w *weaver) withoutDestructor(x *cc.PostfixExpression) {
	n := plain(argument(x, 1))
	for {
		c, ok := n.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			break
		}
		n = plain(c.CastExpression)
	}
	switch v := n.Value().(type) {
	case cc.Int64Value:
		if v == 0 {
			return
		}
	case cc.UInt64Value:
		if v == 0 {
			return
		}
	}
	w.fail(x, "a key of threads with a destructor")
}

// scan weaves scanf and the like: the number of conversions and their values are inputs.
func (w *weaver) scan(x *cc.PostfixExpression, name string, args []string) string {
	at, before := 1, ""
	if name != "scanf" {
		at = 2
	}
	if len(args) < at {
		w.fail(x, "%s with too few arguments", name)
	}
	if name == "sscanf" {
		before = args[0] + ", "
	}
	s := fmt.Sprintf("%scomus_scan(%d, %d", before, w.site(x), len(args)-at)
	for _, a := range args[at:] {
		s += fmt.Sprintf(", (int)sizeof *%s, (void *)%s", a, a)
	}
	return s + ")"
}

// weakSite returns the number of the input that tells a weak compare-exchange whether
// it fails without a reason, -1 if it never does.
func (w *weaver) weakSite(n cc.Node) int {
	p := n.Position()
	if s, ok := w.sched.sites[weakKey(p.Line, p.Column)]; ok {
		return s
	}
	return -1
}
