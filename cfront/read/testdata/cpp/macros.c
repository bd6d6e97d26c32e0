/* What the standard and GNU say about macros, in a form that any preprocessor prints. */
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
	(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') == 0) str(: @\n), s);
xstr(INCFILE(2).hh) glue(HIGH, LOW); xglue(HIGH, LOW)
#define t2(x,y,z) x ## y ## z
int j[] = { t2(1,2,3), t2(,4,5), t2(6,,7), t2(8,9,), t2(10,,), t2(,11,), t2(,,12), t2(,,) };
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char pp[] = join(x, y);
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
showlist(The first, second, and third items.); report(x>y, "x is %d but y is %d", x, y);
#define LOG(fmt, args...) log(fmt, ##args)
#define LOG2(fmt, ...) log(fmt, ## __VA_ARGS__)
#define OPT(a, ...) o(a __VA_OPT__(,) __VA_ARGS__)
LOG("a") LOG("a", 1, 2) LOG2("b") LOG2("b", x) OPT(1) OPT(1, 2) OPT(1, )
#define EMPTY
#define DEFER(id) id EMPTY
#define A() 123
DEFER(A)()
#define ONE(a, b) a b
ONE((1, 2), [3])
str( a  +   "b\n" '\'' /* c */ d ) str("a" "\\")
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define AA BB
#define BB AA
AA BB
#define nest(x) x nest
nest(1)(2)(3)
#define obj (a) b
obj obj(1)
__LINE__ __COUNTER__ __COUNTER__ __FILE__
str(
  many
  lines) after
#if 1 /* conditions */
#if defined(AA) && !defined Z && (1 ? 2 : 1/0) && -1 > 0u && 'a' == 97 && '\n' == 10 && (3 << 2) % 5 == 2 && ~0 < 0 && 0x10 == 020
yes
#elif 1 / 0
no
#else
no
#endif
#ifdef Z
can't parse this "
#elif defined(__COUNTER__) && 0
#else
yes2
#endif
#endif
#if 0
#error no
#endif
#define line_cont 1 + \
   2 + /* in
   a comment */ 3
line_cont
#line 1000 "other.c"
__LINE__ __FILE__
# 5
__LINE__
#undef glue
glue(1, 2)
