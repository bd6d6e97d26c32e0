package sema

import (
	"regexp"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// libraryText declares the functions that gcc knows without a declaration: called undeclared, or with
// __builtin_ before their names, they have these types.
const libraryText = `
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *aligned_alloc(size_t, size_t); int posix_memalign(void **, size_t, size_t);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t); void *mempcpy(void *, const void *, size_t);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t);
char *strchr(const char *, int); char *strrchr(const char *, int); char *index(const char *, int); char *rindex(const char *, int);
char *strstr(const char *, const char *); char *strpbrk(const char *, const char *); size_t strlen(const char *); size_t strnlen(const char *, size_t);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *); char *strdup(const char *); char *strndup(const char *, size_t);
char *stpcpy(char *, const char *); char *stpncpy(char *, const char *, size_t);
int bcmp(const void *, const void *, size_t); void bcopy(const void *, void *, size_t); void bzero(void *, size_t);
int printf(const char *, ...); int fprintf(void *, const char *, ...); int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list); int vfprintf(void *, const char *, va_list); int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list); int scanf(const char *, ...); int fscanf(void *, const char *, ...);
int sscanf(const char *, const char *, ...); int vscanf(const char *, va_list); int vfscanf(void *, const char *, va_list);
int vsscanf(const char *, const char *, va_list);
int puts(const char *); int putchar(int); int fputs(const char *, void *); int fputc(int, void *); size_t fwrite(const void *, size_t, size_t, void *);
int printf_unlocked(const char *, ...); int fprintf_unlocked(void *, const char *, ...); int putchar_unlocked(int); int puts_unlocked(const char *);
int fputc_unlocked(int, void *); int fputs_unlocked(const char *, void *); size_t fwrite_unlocked(const void *, size_t, size_t, void *);
void abort(void) __attribute__((noreturn)); void exit(int) __attribute__((noreturn)); void _Exit(int) __attribute__((noreturn)); void _exit(int) __attribute__((noreturn));
int abs(int); long labs(long); long long llabs(long long); intmax_t imaxabs(intmax_t);
int ffs(int); int ffsl(long); int ffsll(long long);
int isalnum(int); int isalpha(int); int isascii(int); int isblank(int); int iscntrl(int); int isdigit(int); int isgraph(int); int islower(int);
int isprint(int); int ispunct(int); int isspace(int); int isupper(int); int isxdigit(int); int toascii(int); int tolower(int); int toupper(int);
int iswalnum(wint_t); int iswalpha(wint_t); int iswblank(wint_t); int iswcntrl(wint_t); int iswdigit(wint_t); int iswgraph(wint_t); int iswlower(wint_t);
int iswprint(wint_t); int iswpunct(wint_t); int iswspace(wint_t); int iswupper(wint_t); int iswxdigit(wint_t); wint_t towlower(wint_t); wint_t towupper(wint_t);
int fork(void); int execl(const char *, const char *, ...); int execlp(const char *, const char *, ...); int execle(const char *, const char *, ...);
int execv(const char *, char *const *); int execvp(const char *, char *const *); int execve(const char *, char *const *, char *const *);
char *gettext(const char *); char *dgettext(const char *, const char *); char *dcgettext(const char *, const char *, int);
long strfmon(char *, size_t, const char *, ...); size_t strftime(char *, size_t, const char *, const void *);
void *alloca(size_t);
double drem(double, double); float dremf(float, float); long double dreml(long double, long double);
int finite(double); int finitef(float); int finitel(long double);
int isinf(double); int isinff(float); int isinfl(long double); int isnan(double); int isnanf(float); int isnanl(long double);
double gamma(double); float gammaf(float); long double gammal(long double); double gamma_r(double, int *); float gammaf_r(float, int *); long double gammal_r(long double, int *);
double lgamma_r(double, int *); float lgammaf_r(float, int *); long double lgammal_r(long double, int *);
int signbit(double); int signbitf(float); int signbitl(long double); int signbitd32(_Decimal32); int signbitd64(_Decimal64); int signbitd128(_Decimal128);
double nan(const char *); float nanf(const char *); long double nanl(const char *);
double frexp(double, int *); float frexpf(float, int *); long double frexpl(long double, int *);
double ldexp(double, int); float ldexpf(float, int); long double ldexpl(long double, int);
double modf(double, double *); float modff(float, float *); long double modfl(long double, long double *);
double jn(int, double); float jnf(int, float); long double jnl(int, long double); double yn(int, double); float ynf(int, float); long double ynl(int, long double);
double scalbn(double, int); float scalbnf(float, int); long double scalbnl(long double, int); double scalbln(double, long); float scalblnf(float, long); long double scalblnl(long double, long);
double remquo(double, double, int *); float remquof(float, float, int *); long double remquol(long double, long double, int *);
int ilogb(double); int ilogbf(float); int ilogbl(long double); long lrint(double); long lrintf(float); long lrintl(long double);
long lround(double); long lroundf(float); long lroundl(long double); long long llrint(double); long long llrintf(float); long long llrintl(long double);
long long llround(double); long long llroundf(float); long long llroundl(long double);
double nexttoward(double, long double); float nexttowardf(float, long double); long double nexttowardl(long double, long double);
double powi(double, int); float powif(float, int); long double powil(long double, int);
void sincos(double, double *, double *); void sincosf(float, float *, float *); void sincosl(long double, long double *, long double *);
double cabs(_Complex double); float cabsf(_Complex float); long double cabsl(_Complex long double);
double carg(_Complex double); float cargf(_Complex float); long double cargl(_Complex long double);
double cimag(_Complex double); float cimagf(_Complex float); long double cimagl(_Complex long double);
double creal(_Complex double); float crealf(_Complex float); long double creall(_Complex long double);
_Complex double cpow(_Complex double, _Complex double); _Complex float cpowf(_Complex float, _Complex float); _Complex long double cpowl(_Complex long double, _Complex long double);
`

// mathFuncs are functions of one, and of two, numbers, which exist for float and long double as well.
const (
	math1 = "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb " +
		"nearbyint pow10 rint round roundeven significand sin sinh sqrt tan tanh tgamma trunc y0 y1"
	math2    = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder scalb"
	complex1 = "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh csqrt ctan ctanh clog10"
)

// libraryDecls are the declarations of libraryText by name.
var libraryDecls = makeLibrary()

func makeLibrary() map[string]string {
	m := map[string]string{}
	name := regexp.MustCompile(`(\w+)\s*\(`)
	for _, d := range strings.Split(libraryText, ";") {
		d = strings.TrimSpace(d)
		if x := name.FindStringSubmatch(d); x != nil {
			m[x[1]] = d
		}
	}
	for suffix, t := range map[string]string{"": "double", "f": "float", "l": "long double"} {
		for _, n := range strings.Fields(math1) {
			m[n+suffix] = t + " " + n + suffix + "(" + t + ")"
		}
		for _, n := range strings.Fields(math2) {
			m[n+suffix] = t + " " + n + suffix + "(" + t + ", " + t + ")"
		}
		m["fma"+suffix] = t + " fma" + suffix + "(" + t + ", " + t + ", " + t + ")"
		for _, n := range strings.Fields(complex1) {
			m[n+suffix] = "_Complex " + t + " " + n + suffix + "(_Complex " + t + ")"
		}
	}
	return m
}

// libraryTypes are typedefs for libraryText and builtins' signatures.
func (c *checker) libraryTypes(s *scope) {
	def := func(name string, t *types.Type) {
		s.names = put(s.names, name, &symbol{kind: typedefSym, name: name, typ: t, scope: s})
	}
	max := c.t.Long
	if c.t.PointerBits == 32 {
		max = c.t.LongLong
	}
	def("size_t", c.t.Size)
	def("intmax_t", max)
	def("uint64_t", c.t.IntOf(64, false))
	def("wint_t", c.t.WInt)
	def("va_list", c.t.VaList)
	def("__builtin_va_list", c.t.VaList)
}

// signature is the type of the function that a declaration declares.
func (c *checker) signature(decl string) *types.Type {
	if t := c.libs[decl]; t != nil {
		return t
	}
	const head = "typedef int size_t, intmax_t, uint64_t, wint_t, va_list;"
	in := syntax.Lex("<builtin>", []byte(head+decl+";"))
	u, err := syntax.Parse(in)
	if err != nil {
		panic(err)
	}
	d := u.Items[1].(*syntax.Declaration)
	sub := *c
	sub.in, sub.scope, sub.fn, sub.stmts, sub.vlas, sub.lastSite = in, &scope{}, nil, nil, nil, nil
	sub.funcParts = map[*syntax.Part]*params{}
	sub.libraryTypes(sub.scope)
	info := sub.specs(d.Specs, false)
	t := sub.declarator(info.typ, d.Decls[0].Decl, objectPlace)
	if a := sub.attributes(d.Decls[0].Decl.Attrs); a.noreturn {
		t.NoReturn = true
	}
	c.libs[decl] = t
	return t
}

// library declares a function of the library that gcc knows, by its name or with __builtin_ before
// it; nil if it is none.
func (c *checker) library(name string) *symbol {
	plain := strings.TrimPrefix(name, "__builtin_")
	if plain == name && c.flags.NoBuiltin {
		return nil
	}
	chk := false
	decl := libraryDecls[plain]
	if decl == "" {
		if d := checkedDecl(plain); d != "" {
			decl, chk = d, true
		}
	}
	if decl == "" {
		return nil
	}
	if chk {
		plain = "__" + strings.TrimPrefix(plain, "__")
	}
	if s := c.externs[plain]; s != nil && s.kind == funcSym {
		if name == plain {
			return c.implied(s)
		}
		return s
	}
	t := c.signature(decl)
	f := &tree.Func{Name: plain, Type: t, Linkage: tree.External, NoReturn: t.NoReturn}
	if c.lastSite != nil {
		f.Site = *c.lastSite
	}
	c.unit.Funcs = append(c.unit.Funcs, f)
	s := &symbol{kind: funcSym, name: plain, typ: t, f: f, library: true, implicit: true, scope: c.file}
	c.externs[plain] = s
	if name == plain {
		return c.implied(s)
	}
	return s
}

// implied declares a function of the library by its call. As in gcc, it is int f() if that agrees with its type.
func (c *checker) implied(s *symbol) *symbol {
	if old := types.FuncOf(c.t.Int, nil, false, true); s.library && types.Compatible(old, s.typ) {
		i := *s
		i.typ = old
		s = &i
	}
	c.scope.names = put(c.scope.names, s.name, s)
	return s
}

// checkedDecl is the declaration of a fortified function, __memcpy_chk and the like.
func checkedDecl(name string) string {
	n, ok := strings.CutSuffix(strings.TrimPrefix(name, "__"), "_chk")
	if !ok || !strings.HasPrefix(name, "__") {
		return ""
	}
	d := libraryDecls[n]
	if d == "" {
		return ""
	}
	full := "__" + n + "_chk"
	d = strings.Replace(d, n+"(", full+"(", 1)
	switch n {
	case "memcpy", "memmove", "memset", "mempcpy", "strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy":
		i := strings.LastIndexByte(d, ')')
		return d[:i] + ", size_t" + d[i:]
	case "sprintf":
		return "int " + full + "(char *, int, size_t, const char *, ...)"
	case "snprintf":
		return "int " + full + "(char *, size_t, int, size_t, const char *, ...)"
	case "vsprintf":
		return "int " + full + "(char *, int, size_t, const char *, va_list)"
	case "vsnprintf":
		return "int " + full + "(char *, size_t, int, size_t, const char *, va_list)"
	case "printf":
		return "int " + full + "(int, const char *, ...)"
	case "fprintf":
		return "int " + full + "(void *, int, const char *, ...)"
	case "vprintf":
		return "int " + full + "(int, const char *, va_list)"
	case "vfprintf":
		return "int " + full + "(void *, int, const char *, va_list)"
	}
	return ""
}

// inputTypes are the types of the results of __VERIFIER_nondet_X, nondet_X and __CPROVER_nondet_X, by X.
var inputTypes = map[string]string{
	"bool": "_Bool", "char": "char", "uchar": "unsigned char", "schar": "signed char", "short": "short", "ushort": "unsigned short",
	"int": "int", "uint": "unsigned", "unsigned": "unsigned", "unsigned_int": "unsigned", "long": "long", "ulong": "unsigned long",
	"longlong": "long long", "ulonglong": "unsigned long long", "float": "float", "double": "double", "ldouble": "long double",
	"pointer": "void *", "pchar": "char *", "size_t": "size_t",
	"s8": "signed char", "u8": "unsigned char", "s16": "short", "u16": "unsigned short", "s32": "int", "u32": "unsigned",
	"s64": "long long", "u64": "unsigned long long", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
	"uint16": "unsigned short", "int32": "int", "uint32": "unsigned", "int64": "long long", "uint64": "unsigned long long",
	"int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short", "int32_t": "int",
	"uint32_t": "unsigned", "int64_t": "long long", "uint64_t": "unsigned long long", "int128": "__int128", "uint128": "unsigned __int128",
	"loff_t": "long long", "sector_t": "unsigned long", "unsigned_char": "unsigned char", "unsigned_short": "unsigned short",
	"unsigned_long": "unsigned long", "long_long": "long long",
}

// verifierDecls are functions of verification that a program may call undeclared.
var verifierDecls = map[string]string{
	"__VERIFIER_assume": "void f(int)", "__VERIFIER_assert": "void f(int)", "__VERIFIER_error": "void f(void)",
	"__VERIFIER_atomic_begin": "void f(void)", "__VERIFIER_atomic_end": "void f(void)",
	"__VERIFIER_nondet_memory": "void f(void *, size_t)",
	"reach_error":              "void f(void)", "assume_abort_if_not": "void f(int)",
	"__CPROVER_assume": "void f(_Bool)", "__CPROVER_assert": "void f(_Bool, const char *)",
	"__CPROVER_atomic_begin": "void f(void)", "__CPROVER_atomic_end": "void f(void)",
	"__CPROVER_precondition": "void f(_Bool, const char *)", "__CPROVER_postcondition": "void f(_Bool, const char *)",
	"__CPROVER_cover": "void f(_Bool)", "__CPROVER_fence": "void f(const char *, ...)",
}

var inputName = regexp.MustCompile(`^(?:__VERIFIER_nondet_|__CPROVER_nondet_|nondet_)(\w+)$`)

// verifierType declares a function of verification; "" if a name is none's.
func verifierType(name string) string {
	if d := verifierDecls[name]; d != "" {
		return d
	}
	if m := inputName.FindStringSubmatch(name); m != nil {
		if t := inputTypes[m[1]]; t != "" {
			return t + " f(void)"
		}
	}
	return ""
}
