package accesses

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// param is what a function of the library does with what it is given: it accesses so many bytes there, or as many as another argument says.
type param struct {
	use    use
	size   int64
	by     int // one more than the argument with the number of bytes; 0: size is it
	null   bool
	writes bool
}

type use uint8

const (
	isNumber use = iota // nothing, or nothing that can be invalid
	isBytes             // size bytes are accessed
	isString            // bytes up to a zero
	isStream            // one of the library's streams
	isFormat            // a format, which says what the arguments behind it are
	isCode              // a function
	isKept              // handed on to a thread
	isFreed
	isWide // a size
	isChar // a character, or EOF: the library looks it up in a table
)

var (
	number = param{}
	text   = param{use: isString}
	char   = param{use: isChar}
	stream = param{use: isStream, size: 216}
	format = param{use: isFormat}
)

func bytes(n int64) param    { return param{use: isBytes, size: n, writes: true} }
func perhaps(n int64) param  { return param{use: isBytes, size: n, null: true, writes: true} }
func reads(n int64) param    { return param{use: isBytes, size: n} }
func buffer(by int) param    { return param{use: isBytes, by: by, writes: true} }
func optional(n int64) param { return param{use: isBytes, size: n, null: true} }

// contracts are the functions of the library that are looked at by what is known of them, and not by the models' code: what their arguments have to be, so that no access
// of theirs is invalid. They keep no address but what a thread is given, and call nothing but what a thread begins with. Locks and conditions are taken to be used as POSIX demands.
var contracts = map[string][]param{
	"malloc": {number}, "calloc": {number, number}, "free": {{use: isFreed}},
	"pthread_mutex_init": {bytes(40), optional(4)}, "pthread_mutex_lock": {bytes(40)}, "pthread_mutex_trylock": {bytes(40)}, "pthread_mutex_unlock": {bytes(40)},
	"pthread_mutex_destroy": {bytes(40)}, "pthread_mutex_timedlock": {bytes(40), reads(16)},
	"pthread_mutexattr_init": {bytes(4)}, "pthread_mutexattr_destroy": {bytes(4)}, "pthread_mutexattr_settype": {bytes(4), number},
	"pthread_cond_init": {bytes(48), optional(4)}, "pthread_cond_wait": {bytes(48), bytes(40)}, "pthread_cond_timedwait": {bytes(48), bytes(40), reads(16)},
	"pthread_cond_signal": {bytes(48)}, "pthread_cond_broadcast": {bytes(48)}, "pthread_cond_destroy": {bytes(48)},
	"pthread_rwlock_init": {bytes(56), optional(8)}, "pthread_rwlock_rdlock": {bytes(56)}, "pthread_rwlock_wrlock": {bytes(56)}, "pthread_rwlock_tryrdlock": {bytes(56)},
	"pthread_rwlock_trywrlock": {bytes(56)}, "pthread_rwlock_unlock": {bytes(56)}, "pthread_rwlock_destroy": {bytes(56)},
	"pthread_barrier_init": {bytes(32), optional(4), number}, "pthread_barrier_wait": {bytes(32)}, "pthread_barrier_destroy": {bytes(32)},
	"pthread_spin_init": {bytes(4), number}, "pthread_spin_lock": {bytes(4)}, "pthread_spin_trylock": {bytes(4)}, "pthread_spin_unlock": {bytes(4)}, "pthread_spin_destroy": {bytes(4)},
	"sem_init": {bytes(32), number, number}, "sem_wait": {bytes(32)}, "sem_trywait": {bytes(32)}, "sem_post": {bytes(32)}, "sem_destroy": {bytes(32)}, "sem_getvalue": {bytes(32), bytes(4)},
	"pthread_create": {bytes(8), optional(56), {use: isCode}, {use: isKept}}, "pthread_join": {number, perhaps(8)}, "pthread_detach": {number}, "pthread_self": {},
	"pthread_equal": {number, number}, "pthread_exit": {number},
	"pthread_attr_init": {bytes(56)}, "pthread_attr_destroy": {bytes(56)}, "pthread_attr_setdetachstate": {bytes(56), number},
	"atoi": {text}, "atol": {text}, "atoll": {text}, "strlen": {text}, "strcmp": {text, text}, "strcasecmp": {text, text}, "strncmp": {text, text, number}, "strstr": {text, text},
	"puts": {text}, "perror": {text}, "fputs": {text, stream}, "putchar": {number}, "fputc": {number, stream}, "putc": {number, stream}, "fflush": {stream},
	"printf": {format}, "fprintf": {stream, format}, "snprintf": {buffer(2), {use: isWide}, format},
	"memset": {buffer(3), number, {use: isWide}}, "memcpy": {buffer(3), {use: isBytes, by: 3}, {use: isWide}}, "memmove": {buffer(3), {use: isBytes, by: 3}, {use: isWide}},
	"memcmp": {{use: isBytes, by: 3}, {use: isBytes, by: 3}, {use: isWide}},
	"exit":   {number}, "abort": {}, "_exit": {number}, "_Exit": {number}, "abs": {number}, "labs": {number}, "rand": {}, "srand": {number}, "sleep": {number}, "usleep": {number}, "sched_yield": {},
	"time": {perhaps(8)}, "nanosleep": {reads(16), perhaps(16)}, "clock_gettime": {number, bytes(16)}, "strerror": {number}, "strdup": {text},
	"isdigit": {char}, "isalpha": {char}, "isspace": {char}, "isalnum": {char}, "isupper": {char}, "islower": {char}, "toupper": {number}, "tolower": {number},
	"__assert_fail": {number, number, number, number}, "reach_error": {}, "__VERIFIER_error": {}, "__VERIFIER_assume": {number}, "__VERIFIER_atomic_begin": {}, "__VERIFIER_atomic_end": {},
	"__VERIFIER_nondet_int": {}, "__VERIFIER_nondet_uint": {}, "__VERIFIER_nondet_bool": {}, "__VERIFIER_nondet_char": {}, "__VERIFIER_nondet_uchar": {}, "__VERIFIER_nondet_short": {},
	"__VERIFIER_nondet_ushort": {}, "__VERIFIER_nondet_long": {}, "__VERIFIER_nondet_ulong": {}, "__VERIFIER_nondet_size_t": {}, "__VERIFIER_nondet_unsigned": {},
}

// returned is what is known of a pointer that a function of the library returns.
func (p *program) returned(at place, in *cir.Call, f *cir.Func) attr {
	least := func(i int) int64 {
		if i >= len(in.Args) {
			return 0
		}
		return max(p.numberOf(at, in.Args[i].X).lo, 0)
	}
	a := start(0)
	switch f.Source {
	case "malloc":
		n := p.numberOf(at, in.Args[0].X)
		if !n.set {
			return attr{}
		}
		a.after, a.null, a.short = least(0), true, p.minus(n.exact)
	case "calloc":
		a.after, a.null = times(least(0), least(1)), true
		n, size := p.numberOf(at, in.Args[0].X), p.numberOf(at, in.Args[1].X)
		if !n.set || !size.set {
			return attr{}
		}
		a.short = p.minus(p.bounds.product(n.exact, size.exact))
	case "strdup":
		a.after, a.null, a.loose = 1, true, false
	case "strerror":
		a.after, a.loose, a.inner = 1, false, true
	case "memset", "memcpy", "memmove":
		if a = p.value(at, in.Args[0].X); a.null {
			a = wildPointer
		}
		a.loose = true
	default:
		return wildPointer
	}
	return a
}

// callee checks that what a function of the library is given is what it demands; "" if it is.
func (p *program) callee(at place, in *cir.Call, f *cir.Func) string {
	list, known := contracts[f.Source]
	if !known || !f.Library {
		return "what " + f.Source + " accesses is not looked at"
	}
	if len(in.Args) < len(list) {
		return "too few arguments for " + f.Source
	}
	for i, k := range list {
		if why := p.given(at, in, i, k); why != "" {
			return fmt.Sprintf("argument %d of %s: %s", i+1, f.Source, why)
		}
	}
	if why := p.readByCallee(at, in, f); why != "" {
		return why
	}
	switch f.Source {
	case "pthread_create":
		return p.creates(at, in)
	case "memcpy":
		return p.disjoint(at, in.Args[0].X, in.Args[1].X, constant(in.Args[2].X))
	case "pthread_exit":
		if !p.running.Never(at.copy) {
			return "the first thread may end here, and its locals with it"
		}
	}
	return ""
}

// given checks an argument.
func (p *program) given(at place, in *cir.Call, i int, k param) string {
	x := in.Args[i].X
	switch k.use {
	case isBytes:
		n := k.size
		if k.by > 0 {
			size := p.numberOf(at, in.Args[k.by-1].X)
			if !size.set || size.lo < 0 {
				return "the number of bytes is not known"
			}
			return p.accessUpTo(at, x, in.Args[k.by-1].X, size, k.null, k.writes)
		}
		return p.access(at, x, n, k.null, k.writes)
	case isString:
		return p.string(at, x)
	case isChar:
		if n := p.fact(at, x); !n.known || n.lo < -1 || n.hi > 255 {
			return "it may be no character"
		}
	case isStream:
		if slices.ContainsFunc(p.places(at.copy, x), func(l pointsto.Location) bool {
			o := l.Obj
			return o.IsFunc() || o.Local != nil || o.Site != nil || o.Global != nil && !o.Global.Library || len(p.writes[o]) > 0
		}) {
			return "it may be no stream of the library"
		}
		return p.access(at, x, k.size, false, false)
	case isFormat:
		return p.format(at, in, i)
	case isFreed:
		return p.frees(at, x)
	}
	return ""
}

// creates checks the function that a thread begins with.
func (p *program) creates(at place, in *cir.Call) string {
	a := p.value(at, in.Args[2].X)
	if !a.set || a.wild || a.null || a.before < 0 || a.after < 0 || len(p.starts[at]) == 0 {
		return "the function that the thread begins with is not known"
	}
	for _, l := range p.places(at.copy, in.Args[2].X) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 || l.Obj.Func.Library || len(l.Obj.Func.Params) != 1 || !l.Obj.Func.Params[0].Reg.Type.IsPointer() {
			return "the function that the thread begins with is not looked at"
		}
	}
	return ""
}

// string checks that a pointer leads to a string that lives.
func (p *program) string(at place, x cir.Value) string {
	if why := p.access(at, x, 1, false, false); why != "" {
		return why
	}
	a := p.value(at, x)
	for _, l := range p.places(at.copy, x) {
		switch written := p.outsideWritten; {
		case a.loose && (a.step == 1 || !p.holdsText(l)):
			return "it may lead to no string"
		case !a.loose && (l.Obj.External && written || len(p.writes[l.Obj]) > 0):
			return "the string may be overwritten"
		}
	}
	return ""
}

// format checks a format and what is behind it.
func (p *program) format(at place, in *cir.Call, i int) string {
	g, ok := in.Args[i].X.(*cir.Global)
	if !ok || !isText(g) {
		return "the format is not known"
	}
	text := g.Data
	if n := slices.Index(text, 0); n >= 0 {
		text = text[:n]
	}
	i++
	next := func() cir.Value {
		if i >= len(in.Args) || in.Args[i].ByVal != nil {
			return nil
		}
		i++
		return in.Args[i-1].X
	}
	for k := 0; k < len(text); k++ {
		if text[k] != '%' {
			continue
		}
		wide := false
		for k++; k < len(text) && slices.Contains([]byte("#0- +'123456789.*hlzjtqL"), text[k]); k++ {
			wide = wide || text[k] == 'l'
			if text[k] == '*' {
				if v := next(); v == nil || !p.prog.Model.TypeOf(v).IsInt() {
					return "the format takes another argument"
				}
			}
		}
		if k == len(text) {
			return "the format is not whole"
		}
		if text[k] == '%' {
			continue
		}
		v := next()
		if v == nil {
			return "the format takes more arguments"
		}
		t := p.prog.Model.TypeOf(v)
		ok := false
		switch text[k] {
		case 'd', 'i', 'u', 'x', 'X', 'o', 'c':
			ok = t.IsInt()
		case 'f', 'F', 'e', 'E', 'g', 'G':
			ok = t.IsFloat()
		case 'p':
			ok = t.IsPointer()
		case 's':
			if !t.IsPointer() || wide {
				break
			}
			if why := p.string(at, v); why != "" {
				return "%s: " + why
			}
			ok = true
			for _, l := range p.places(at.copy, v) { // what is written is not what is read
				if f := library(in); f != nil && f.Source == "snprintf" && (l.Obj.External || slices.ContainsFunc(p.places(at.copy, in.Args[0].X), func(m pointsto.Location) bool { return m.Obj == l.Obj })) {
					if !l.Obj.External {
						return "%s: it may be where the output goes"
					}
				}
			}
		}
		if !ok {
			return "the format takes another argument"
		}
	}
	return ""
}
