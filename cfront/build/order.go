package build

import (
	"strings"

	"comus/cfront/tree"
	"comus/cir"
)

// openOrder notes, if the order in which these operands are evaluated can matter, that gcc's is
// assumed. Lvalues are evaluated for their address only.
func (f *fn) openOrder(es ...tree.Expr) {
	x := f.u.effects
	loud := 0
	for _, e := range es {
		if !x.quiet(e) {
			loud++
		}
	}
	if loud == 0 || len(es) < 2 {
		return
	}
	all := &effect{}
	for i, e := range es {
		one := x.of(e)
		if i > 0 && conflict(all, one) {
			f.assumeOrder()
			return
		}
		all.add(one)
	}
}

// openUpdate is openOrder for a compound assignment, which reads its left side, too.
func (f *fn) openUpdate(l, r tree.Expr) {
	x := f.u.effects
	if x.quiet(l) && x.quiet(r) {
		return
	}
	left := x.of(l)
	x.access(left, l, false)
	if conflict(left, x.of(r)) {
		f.assumeOrder()
	}
}

// assumeOrder emits the assumption, once for a place.
func (f *fn) assumeOrder() {
	if f.site == nil || f.open[f.site.Pos] {
		return
	}
	f.open[f.site.Pos] = true
	f.emit(&cir.Assumption{Sentence: "operands are evaluated in gcc's order at " + f.site.Pos.String()})
}

// builtinEffect adds the effect of a builtin itself to r.
func builtinEffect(r *effect, e *tree.Builtin) {
	n := strings.TrimLeft(e.Name, "_")
	switch {
	case strings.HasPrefix(n, "atomic_") || strings.HasPrefix(n, "sync_") || strings.HasPrefix(n, "c11_atomic"):
		r.readsMem, r.writesMem, r.special = true, true, true
	case strings.HasSuffix(n, "_overflow"), strings.HasPrefix(n, "va_"), strings.HasPrefix(n, "mem"), n == "bzero":
		r.readsMem, r.writesMem = true, true
	case n == "setjmp" || n == "longjmp":
		r.any = true
	}
}

// libraryEffects are the effects of functions of the library whose bodies are not known here. "" is none, r reads
// memory, w writes memory, o and i are output and input.
var libraryEffects = map[string]string{
	"abs": "", "labs": "", "llabs": "", "malloc": "", "calloc": "", "exit": "", "abort": "", "toupper": "", "tolower": "",
	"strlen": "r", "strcmp": "r", "strncmp": "r", "memcmp": "r", "strchr": "r", "strrchr": "r", "strstr": "r", "atoi": "r", "atol": "r",
	"strcasecmp": "r", "strncasecmp": "r", "strnlen": "r", "strspn": "r", "strcspn": "r", "strpbrk": "r", "memchr": "r", "strdup": "r", "strndup": "r",
	"atoll": "r", "atof": "r", "getenv": "r", "__errno_location": "", "__ctype_b_loc": "", "__ctype_tolower_loc": "", "__ctype_toupper_loc": "",
	"memcpy": "rw", "memmove": "rw", "memset": "w", "strcpy": "rw", "strncpy": "rw", "strcat": "rw", "strncat": "rw", "sprintf": "rw",
	"snprintf": "rw", "strtol": "rw", "strtoul": "rw", "free": "w", "realloc": "rw", "sscanf": "rw", "vsnprintf": "rw", "bzero": "w",
	"printf": "ro", "puts": "ro", "putchar": "o", "fprintf": "ro", "fputs": "ro", "fputc": "o", "putc": "o", "fwrite": "ro", "vprintf": "ro",
	"getchar": "i", "getc": "i", "fgetc": "i", "rand": "i", "random": "i", "srand": "i", "time": "w", "clock": "",
	"pthread_self": "", "sqrt": "", "sin": "", "cos": "", "tan": "", "exp": "", "log": "", "pow": "", "fabs": "", "floor": "", "ceil": "", "fmod": "",
	"isalnum": "", "isalpha": "", "isdigit": "", "isspace": "", "isupper": "", "islower": "", "isprint": "", "ispunct": "", "isxdigit": "",
	"iscntrl": "", "isgraph": "", "isblank": "", "htons": "", "htonl": "", "ntohs": "", "ntohl": "",
	"__comus_thread_self": "", "__comus_thread_ended": "r",
}

// noEffects are the beginnings of the names of functions that only give values, or decide on executions.
var noEffects = []string{"__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet", "__comus_nondet_", "__comus_assume"}

// libraryEffect is the effect of a function without a body.
func libraryEffect(name string) *effect {
	s, ok := libraryEffects[name]
	if !ok {
		for _, p := range noEffects {
			if strings.HasPrefix(name, p) {
				return &effect{}
			}
		}
		return &effect{any: true}
	}
	return &effect{
		readsMem: strings.Contains(s, "r"), writesMem: strings.Contains(s, "w"),
		output: strings.Contains(s, "o"), input: strings.Contains(s, "i"),
	}
}
