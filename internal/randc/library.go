package randc

// libraryChunks call functions of the library that call back, or that classify.
func libraryChunks() []chunk {
	return []chunk{
		{Sorting, false, 3, (*gen).sorted},
		filled(Strings, true, 1, `$t = abs($s) + (int)labs($s) + div($s, $n).rem * 3 + (int)ldiv($l, $n).quot % 7;
`),
		{Strings, false, 1, (*gen).classes},
	}
}

// sorted sorts with a function that makes the order total, and searches.
func (g *gen) sorted() string {
	f := g.name("so")
	g.outside(func() {
		g.top("%s", g.fill(`struct $1 { «short|long|char» key; «unsigned char|int» tag; };
static int $1_calls;
static int $1_ints(const void *a, const void *b) {
int x = *(const int *)a, y = *(const int *)b;
return «(x > y) - (x < y)|x < y ? 1 : -(x > y)»;
}
static int $1_structs(const void *a, const void *b) {
const struct $1 *x = a, *y = b;
$1_calls = 1;
return x->key != y->key ? «x->key < y->key ? -1 : 1|x->key - y->key > 0 ? 7 : -7» : x->tag - y->tag;
}
static int $1_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
`, f))
	})
	return g.fill(g.pick(`{
int @a[7] = { $i, $i, $s, 3, $i, $k, $i }, @key = «@a[3]|$k»;
qsort(@a, «7|5», sizeof *@a, $1_ints);
unsigned @h = 0;
for (int @i = 0; @i < 7; @i++) @h = @h * 31 + @a[@i];
int *@p = bsearch(&@key, @a, 5, sizeof(int), $1_ints);
printf("sorted %u %d\n", @h, @p ? *@p == @key : -1);
}
`, `{
struct $1 @a[5] = { { 3, $k }, { $k, $s & 7 }, { 3, 1 }, { -1, $k }, { $s, 2 } };
qsort(@a, 5, sizeof @a[0], «$1_structs|&$1_structs»);
unsigned @h = $1_calls;
for (int @i = 0; @i < 5; @i++) @h = @h * 31 + @a[@i].key * 3 + @a[@i].tag;
printf("sorted structs %u\n", @h);
}
`, `{
const char *@a[] = { "pear", "apple", «"fig"|"zoo"», "", "app" };
qsort(@a, 5, sizeof *@a, $1_names);
for (int @i = 0; @i < 5; @i++) printf("%s%c", @a[@i], @i < 4 ? ',' : '\n');
}
`), f)
}

// classes calls functions of ctype.h.
func (g *gen) classes() string {
	g.include("ctype.h")
	return g.fill(`{
int @c = $u & 127;
printf("ctype %d %d %c\n", !!«isalpha|isdigit|isspace|isupper|ispunct|isxdigit|isprint|iscntrl»(@c) * 2 + !!isalnum(@c), «toupper|tolower»(@c), toupper('a' + $k));
}
`)
}

// attributeChunks are about attributes of functions and variables.
func attributeChunks() []chunk {
	return []chunk{
		{Cleanup, false, 3, (*gen).cleanup},
		{Constructors, false, 1, (*gen).constructor},
		{Aliases, false, 2, (*gen).alias},
	}
}

// cleanup declares variables for which a function runs at the end of their scope.
func (g *gen) cleanup() string {
	f := g.name("cl")
	g.outside(func() {
		g.top("%s", g.fill(`static int $1_n;
static void $1_int(int *p) { $1_n = $1_n * 3 + (*p & 15); printf("cleanup %d\n", $1_n); $1_n &= 255; }
static void $1_ptr(char **p) { free(*p); *p = 0; $1_n++; }
static int $1_f(int n) {
int a __attribute__((cleanup($1_int))) = n & 7;
if (n > $k) return a++ + 100;
a += 2;
return a;
}
`, f))
	})
	return g.fill(g.pick(`{
for (int @i = 0; @i < 3; @i++) {
__attribute__((cleanup($1_int))) int @a = @i + $k;
if ($b) continue;
int @b __attribute__((__cleanup__($1_int))) = @a * 2;
if (@i == 1 && $b) break;
@a++;
}
printf("cleaned %d\n", $1_n);
}
`, `{
int @r = $1_f($k);
@r += $1_f($s);
{
char *@m __attribute__((cleanup($1_ptr))) = malloc(4);
@m[0] = $s;
int @z __attribute__((cleanup($1_int))) = @m[0];
if ($b) goto @out;
@z = 3;
}
@out:
mix(@r + $1_n);
}
`), f)
}

// constructor declares functions that run before and after main.
func (g *gen) constructor() string {
	f := g.name("co")
	g.outside(func() {
		g.top("%s", g.fill(`static int $1_n = $k;
__attribute__((constructor(«201|300»))) static void $1_a(void) { $1_n += 5; mix($1_n); }
__attribute__((constructor«|(400)»)) static void $1_b(void) { $1_n *= 3; printf("constructor\n"); }
__attribute__((destructor)) static void $1_c(void) { printf("destructor %d\n", $1_n); }
`, f))
	})
	return g.fill("printf(\"constructed %d\\n\", $1_n++);\n", f)
}

// alias declares functions and variables by another name, and weak ones.
func (g *gen) alias() string {
	f := g.name("al")
	g.outside(func() {
		g.top("%s", g.fill(`int $1_f(int n) { return n «^ 5|& 63|>> 2»; }
extern int $1_g(int) __attribute__((«weak, |»alias("$1_f")));
static int $1_s(int n) { return $1_f(n) + 1; }
static int $1_sg(int) __attribute__((alias("$1_s")));
int $1_v[2] = { $k, $n };
extern int $1_w[2] __attribute__((alias("$1_v")));
extern int $1_none(int) __attribute__((weak));
extern int $1_missing __attribute__((weak));
__attribute__((weak)) int $1_weak(int n) { return n / (1 + $n); }
__attribute__((weak)) int $1_data = $k;
`, f))
	})
	return g.fill(`{
$1_w[1] += 1;
printf("alias %d %d %d\n", $1_g($i), $1_sg($s), $1_v[1]);
mix(($1_none ? $1_none(1) : $1_weak($i)) + (&$1_missing == 0) + ($1_f == $1_g) + $1_data);
}
`, f)
}

// floatChunks are about floating numbers.
func floatChunks() []chunk {
	return []chunk{
		filled(Floats, false, 4, `{
float @f = $f, @g = $f;
double @d = @f, @e = $d;
@f = @f * 0.1f + @g;
@d += @f * 0.1;
int @c = (@d < @e) + (@f == @g) * 2 + (@d != @f) * 4 + (@f >= @e) * 8 + !@d * 16 + (@f && @g) * 32;
printf("floats %a %.17g %d %.9g\n", @f, @d, @c, (float)@d);
@f = 16777216.0f;
@f++;
@g = @f + 3;
printf("%f %f %d\n", @f, @g, (float)(16777217) == 16777217.0);
}
`, `{
volatile double @z = 0.0, @i = 1e308;
double @inf = @i * 10, @nan = @inf - @inf, @m = -@z, @tiny = 5e-324;
printf("%d %d %d %d %d\n", @inf > @i, @nan == @nan, @nan < 1 || @nan >= 1, !(@nan != @nan), (@nan ? 3 : 4) + !@inf);
printf("%f %a %g %a %d\n", @inf, -@inf, @m, @tiny / 2 + @tiny * 3, @m == 0);
@z = 1 / @m;
printf("%g %g %g\n", @z, 1 / @inf, (double)(float)@i);
}
`, `{
«int|unsigned|long|unsigned long|short|unsigned char» @x = $e;
double @d = @x;
float @f = @x;
printf("from %.17g %.9g %d\n", @d, @f, (long)@x == 5 || (float)@x == @f);
@d = @d / 3 - 1;
@f = @f / 7;
mix((_Bool)@d + (_Bool)@f);
@d = @d > 127 ? 127 : @d < -128 ? -128 : @d;
printf("to %d %ld %d\n", (signed char)@d, (long)@d, (int)-@d);
}
`, `{
double @a[3] = { $d, $f, 0.1 }, @s = 0;
float @t = 0;
for (int @i = 0; @i < 3; @i++) @s += @a[@i] / 3, @t += @a[@i] / 1e6;
@a[1] = @a[1]++ ? 2.5 : 1;
int @k = $s;
@k «+=|-=|*=|/=» «2.5|1.5f|-0.75»;
unsigned char @u = 200;
@u -= 99.5f;
printf("%a %a %d %d\n", @s, @t, @k, @u);
}
`),
		filled(LongDoubles, false, 2, `{
long double @x = $s, @y = $k + 0.5L;
@x = @x * 2 + @y;
@x -= «1|0.25L|1.5f»;
long double @z[2] = { @x / 4, -@x };
printf("long double %d %.3f %d %Lf\n", (int)@x, (double)(@z[0] + @z[1]), (@x > @y) + (@z[0] == @z[1]) * 2, @x);
struct { char c; long double d; } @s = { 1, @y };
mix(sizeof @s + (long)(@s.d * 4) + sizeof(1.0L));
}
`),
		{Math, false, 2, (*gen).math},
	}
}

// math calls functions whose results are exact.
func (g *gen) math() string {
	g.include("math.h")
	return g.fill(`{
double @d = $d, @ip;
int @e;
double @m = frexp(@d, &@e);
printf("math %a %d %a %ld %d\n", @m, @e, modf(@d / 16, &@ip), lrint(fmod(@d, 1000.0)), (isnan(@d) != 0) + !!signbit(@d) * 2 + !!isinf(@d) + (fpclassify(@d) == FP_ZERO) * 4);
printf("%a %a %a\n", @ip, scalbn(@m, $n), «__builtin_fabs|sqrt|floor»(@m * @m));
printf("%d %g %g\n", isgreater(@d, 1.0) != 0, (double)INFINITY, fma(2.0, 3.0, @m));
}
`)
}
