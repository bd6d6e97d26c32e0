package randc

import "strings"

// functionChunks are about functions: pointers to them, recursion, any number of
// arguments, structs by value.
func functionChunks() []chunk {
	return []chunk{
		{FuncPointers, false, 3, (*gen).table},
		{FuncPointers, false, 2, (*gen).callback},
		{Recursion, false, 3, (*gen).recursion},
		{ByValue, false, 3, (*gen).byValue},
		{Varargs, false, 4, (*gen).variadic},
		{Varargs | ByValue, false, 2, (*gen).variadicStructs},
		{Varargs | Formats, false, 2, (*gen).forwarded},
		{Nested, false, 2, (*gen).nested},
	}
}

// table calls functions through a table of pointers.
func (g *gen) table() string {
	f := g.name("tf")
	g.outside(func() {
		ps := []*variable{{text: "a", t: scalar(intType)}, {text: "b", t: scalar(longType)}}
		g.vars = append(g.vars, ps...)
		for i := range 3 {
			g.top("static long %s_%d(int a, long b) {\n%sreturn %s;\n}\n", f, i, g.assignmentTo(ps), g.int(2).s)
		}
		g.top("%s", g.fill(`static long (*«|const |»$1[«|4»])(int, long) = { $1_0, $1_1, «&$1_2|[2] = *$1_2» };
`, f))
	})
	return g.fill(`{
long (*@p)(int, long) = $1[$[3]], (**@q)(int, long) = $1 + «0|1»;
printf("table %ld %ld\n", @p($i, $l), (*@q)($s, $k));
@q++;
mix((**@q)($i, $l) ^ (@p == $1[0]) ^ ($b ? $1[1] : *@q)($k, 2));
for (int @i = 0; @i < 3; @i++) mix($1[@i](@i, $l));
}
`, f)
}

// assignmentTo returns a statement that changes one of some variables.
func (g *gen) assignmentTo(vs []*variable) string {
	v := vs[g.IntN(len(vs))]
	return sp("%s = %s;\n", v.text, g.int(2).s)
}

// callback passes a function to one that calls it, or returns one.
func (g *gen) callback() string {
	f := g.name("cb")
	g.outside(func() {
		g.top("%s", g.fill(`typedef int (*$1_t)(void *, int);
struct $1 { $1_t call; void *arg; const char *name; };
static int $1_a(void *p, int n) { «*(int *)p += n & 7; |» return *(int *)p «^ n|& n|+ (n & 1)|- n & 255»; }
static int $1_b(void *p, int n) { return n «>|<» 3 ? $1_a(p, n & 15) : n «&|^» $n; }
static $1_t $1_choose(int n) { return n & 1 ? $1_a : $1_b; }
static int (*$1_other(int (*f)(void *, int)))(void *, int) { return f == $1_a ? $1_b : $1_a; }
static int $1_each(const struct $1 *c, int n) {
int s = 0;
for (; n > 0; n--, c++) s = (s * 3 ^ c->call(c->arg, n)) & 0xffff;
return s;
}
`, f))
	})
	return g.fill(`{
int @x = $s, @y = $s;
struct $1 @c[2] = { { $1_choose($e), &@x, "one" }, { .arg = &@y, .call = $1_other($1_choose($i)), .name = "two" } };
int @r = $1_each(@c, 2);
printf("callback %d %d %d %s\n", @r, @x, @y, @c[$[2]].name);
«printf("%d\n", $1_choose(1)(&@x, $s));|mix($1_other(@c[1].call)(&@y, 4));|mix((*@c->call)(@c->arg, $k));»
}
`, f)
}

func (g *gen) recursion() string {
	f := g.name("rec")
	kind := g.IntN(6)
	g.outside(func() {
		g.top("%s", g.fill([]string{
			`static unsigned $1(unsigned n) { return n < 2 ? n + $k : $1(n - 1) «+|^|*» $1(n - 2); }
`, `static int $1(int m, int n) { return m == 0 ? n + 1 : n == 0 ? $1(m - 1, 1) : $1(m - 1, $1(m, n - 1)); }
static unsigned $1_w(int n) { return $1(n & 1, n & 3); }
`, `static unsigned $1_o(unsigned n);
static unsigned $1(unsigned n) { return n == 0 ? $k : $1_o(n - 1) «+ 1|* 3|^ n»; }
static unsigned $1_o(unsigned n) { unsigned local[2] = { n, 5 }; return n == 0 ? $k : $1(n - 1) + local[n & 1]; }
`, `static void $1_h(int n, char *out, int from, int to) {
static int at;
if (n == 0) { out[at++ % 16] = 'a' + from * 3 + to; return; }
$1_h(n - 1, out, from, 3 - from - to);
out[at++ % 16] = '0' + n;
$1_h(n - 1, out, 3 - from - to, to);
}
static unsigned $1(unsigned n) {
char out[16] = "";
$1_h(n % 4, out, 0, «1|2»);
unsigned h = 0;
for (int i = 0; i < 16; i++) h = h * 17 + out[i];
return h;
}
`, `static unsigned $1_p(unsigned n, unsigned *up) {
unsigned mine = n * $n;
if (up) *up += mine ^ $k;
if (n > 0) mine += $1_p(n - 1, &mine);
return mine;
}
static unsigned $1(unsigned n) { return $1_p(n, 0); }
`, `static unsigned $1(unsigned n) {
static unsigned depth, most;
depth++;
if (depth > most) most = depth;
unsigned r = most;
if (n > 1) {
r = $1(n / 2);
r «+|^|*»= $1(n - n / 2 - 1) + 1;
}
depth--;
return r;
}
`}[kind], f))
	})
	if kind == 1 {
		return g.fill("printf(\"ackermann %d %u\\n\", $1(2, 2), $1_w((int)($u & 7)));\n", f)
	}
	return g.fill("{\nunsigned @a = $1($n), @b = $1($u & 7);\nprintf(\"recursion %u %u\\n\", @a, @b);\n}\n", f)
}

// byValue passes and returns structs of any size by value.
func (g *gen) byValue() string {
	f := g.name("by")
	members := []string{"«char|short|int|long» a; ", "int a; float b; ", "double a; float b; ", "float a, b, c; ", "long a, b; ",
		"long a; double b; ", "char a[«3|5|7|9|16|17»]; ", "double a, b, c; ", "struct { short a; char b; } ; unsigned char c; ", "long a; char b[«1|9|20»]; ", "float a; int b; short c; ", "int a : 5; unsigned b : 20; long c : 40; ", "_Bool a; char b; "}
	if g.has&Floats == 0 {
		members = []string{"«char|short|int|long» a; ", "long a, b; ", "char a[«3|5|7|9|16|17»]; ", "long a; char b[«1|9|20»]; ", "int a, b, c; "}
	}
	m := g.fill(g.pick(members...))
	first := "x.a"
	if strings.Contains(m, "a[") {
		first = "x.a[1]"
	}
	g.outside(func() {
		if g.with(Packed, 20) {
			m += "} __attribute__((packed)) "
		} else {
			m += "} "
		}
		g.top("%s", g.fill(`struct $1 { $2;
static struct $1 $1_f(int n, struct $1 x, «double d|long d», struct $1 y) {
«$3 = n & 63|x = n & 1 ? y : x|»;
if ($3 > «3|100|0») return x;
return n «&|^|+» (int)d «?|> 3 ?» y : x;
}
static long $1_g(struct $1 x) { return (long)$3 & 127; }
`, f, strings.TrimSuffix(m, " "), first))
	})
	return g.fill(`{
struct $1 @x = { «1|2» }, @y = { $k }, @z;
@z = $1_f($s, @x, $k, @y);
printf("by value %ld %zu\n", $1_g(@z), sizeof @z);
@x = $1_f($k, $1_f($s, @z, 2, @x), $s, «@z|(struct $1){ 7 }»);
mix($1_g(@x) + $1_g($1_f(1, @y, $k, @x)));
}
`, f)
}

// variadic calls a function with any number of arguments of several types.
func (g *gen) variadic() string {
	f := g.name("var")
	g.include("stdarg.h")
	g.outside(func() {
		g.top("%s", g.fill(`static long $1(const char *kinds, ...) {
va_list ap;
unsigned long s = $k;
va_start(ap, kinds);
for (const char *k = kinds; *k; k++)
switch (*k) {
case 'i': s = s * 3 + va_arg(ap, int); break;
case 'u': s = s * 5 ^ va_arg(ap, unsigned); break;
case 'l': s ^= va_arg(ap, long) >> 7; break;
case 'd': { double d = va_arg(ap, double); s += d > 0 && d < 1e9 ? (int)d : 1; break; }
case 's': s += strlen(va_arg(ap, char *)); break;
case 'p': { int *p = va_arg(ap, int *); s += p ? (*p)++ & 255 : 9; break; }
case 'c': s += (char)va_arg(ap, int); break;
case '+': { va_list rest; va_copy(rest, ap); s += va_arg(rest, int) & 15; va_end(rest); break; }
}
va_end(ap);
return s & 0xffffff;
}
`, f))
	})
	kinds, args := "", ""
	for range 1 + g.IntN(10) {
		k := g.pick("i", "u", "l", "d", "s", "p", "c")
		if k == "d" && g.has&Floats == 0 {
			k = "i"
		}
		if k == "i" && g.chance(30) {
			kinds += "+"
		}
		kinds += k
		args += ", " + g.fill(map[string]string{"i": "«$i|(short)$s|(_Bool)$b|(unsigned char)$u»", "u": "«$u|7u»", "l": "$l", "d": "«$d|$f|2.5|1.5f»",
			"s": `«"abc"|""|"a\0b"|"long string" + 3»`, "p": "«&$1|0 ? &$1 : (int *)0»", "c": "$s"}[k], "pv")
	}
	return sp("{\nint pv = 3;\nlong vr = %s(\"%s\"%s);\nprintf(\"variadic %%ld %%d\\n\", vr, pv);\n}\n", f, kinds, args)
}

// variadicStructs passes structs as arguments of any number.
func (g *gen) variadicStructs() string {
	f := g.name("vs")
	g.include("stdarg.h")
	more, extra := "", ""
	if g.chance(50) {
		more, extra = "s += va_arg(ap, int);", "$s, "
	}
	g.outside(func() {
		g.top("%s", g.fill(`struct $1_a { «int|short|char» x, y; };
struct $1_b { double d; «long|float|int» x; };
struct $1_c { long a, b, c; };
static long $1(int n, ...) {
va_list ap;
long s = 0;
va_start(ap, n);
for (int i = 0; i < n; i++) {
struct $1_a a = va_arg(ap, struct $1_a);
s = s * 7 + a.x - a.y;
$2
struct $1_b b = va_arg(ap, struct $1_b);
s += b.d > 1 ? (long)b.x : 3;
struct $1_c c = va_arg(ap, struct $1_c);
s ^= c.a - c.b + c.c;
}
va_end(ap);
return s;
}
`, f, more))
	})
	one := "(struct $1_a){ $k, $n }, " + extra + "(struct $1_b){ $n, $k }, (struct $1_c){ $s, $k, $s }"
	return g.fill("printf(\"variadic structs %ld\\n\", $1(2, "+one+", "+one+"));\n", f)
}

// forwarded hands arguments of any number on to the library.
func (g *gen) forwarded() string {
	g.include("stdarg.h")
	g.helper("logf", `static int report(char *to, size_t n, const char *format, ...) {
va_list ap, twice;
va_start(ap, format);
va_copy(twice, ap);
int k = vprintf(format, twice);
va_end(twice);
k += vsnprintf(to, n, format, ap);
va_end(ap);
return k;
}
`)
	return g.fill(`{
char @b[«8|20|2»];
int @k = report(@b, sizeof @b, «"<%d> %x%%\n", $i, $u|"%s %c\n", "abc", 65 + $k|"%-4s=%03d\n", "ab", $s|"%*d %.2s\n", $n, $s, "xyz"|"plain\n"|"%ld:%hhd\n", $l, $s»);
printf("%d [%s]\n", @k, @b);
}
`)
}

// nested defines a function within a block.
func (g *gen) nested() string {
	return g.fill(`{
int @x = $s;
int @f(int a) { @x += a; return @x «* 2|^ a|& 15»; }
int @r = @f($k);
printf("nested %d %d\n", @r, @x);
mix(@f($n));
}
`)
}
