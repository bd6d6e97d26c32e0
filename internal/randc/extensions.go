package randc

// extensionChunks are about what is seldom used: macros with all they have, old
// definitions, alloca, vectors and complex numbers.
func extensionChunks() []chunk {
	return []chunk{
		{Macros, false, 2, (*gen).macros},
		{OldStyle, false, 2, (*gen).oldStyle},
		filled(Alloca, false, 2, `{
unsigned @s = 0;
for (int @i = 1; @i < «3|5»; @i++) {
«int|short|long» *@p = __builtin_alloca(@i * sizeof *@p);
for (int @j = 0; @j < @i; @j++) @p[@j] = @j * $k + @i;
@s = @s * 31 + @p[@i - 1] + *@p;
}
printf("alloca %u\n", @s);
}
`),
		filled(Vectors, false, 2, `{
typedef «int|unsigned|short|float» @vec __attribute__((vector_size(16)));
@vec @a = { $k, $n, 3 }, @b = { $n, 0, 1 };
@a = @a «+|-|*» @b + 2;
@b[$[4]] += @a[1];
@vec @c = @a «+|-» -@b;
printf("vector %d %d %zu\n", (int)@c[$[4]], (int)(@a[0] + @b[3]), sizeof @c);
}
`),
		filled(Complex|Floats, false, 2, `{
«double|float» _Complex @z = $n + $k.5i, @w = @z * 2 «+|-» @z;
@w += 1.0 + 2.0i;
__real__ @z = $k;
printf("complex %g %g %g %d\n", (double)__real__ @w, (double)__imag__ (@w - @z), (double)__imag__ ~@z, @z == @w);
}
`),
	}
}

// macros defines and uses macros.
func (g *gen) macros() string {
	m := g.name("MAC")
	g.outside(func() {
		g.top("%s", g.fill(`#define $1_ADD(a, b) ((a) «+|^|&» (b))
#define $1_STR(x) #x
#define $1_XSTR(x) $1_STR(x)
#define $1_PASTE(a, b) a##b
#define $1_ARGS(f, ...) printf(f, ##__VA_ARGS__)
#define $1_SWAP(T, x, y) do { T t_ = x; x = y; y = t_; } while (0)
#define $1_N «$k|$1_ADD(2, 3)|$1_PASTE(1, 0)»
#if $1_N > 4 && defined $1_STR
static int $1_v = $1_N;
#else
static int $1_v = -$1_N;
#endif
`, m))
	})
	return g.fill(`{
int @x = $s, $1_PASTE(@y, _b) = $s;
$1_SWAP(int, @x, @y_b);
$1_ARGS("%s %d %s\n", $1_XSTR($1_N), $1_ADD(@x & 255, @y_b & 15), $1_STR("q\n" + 1 'a'));
$1_ARGS("macro\n");
$1_ARGS("%d %zu %d\n", $1_v, sizeof __func__ > 1, __LINE__ > 0);
}
`, m)
}

// oldStyle defines functions as before C90: arguments are promoted, and converted back.
func (g *gen) oldStyle() string {
	f := g.name("old")
	real := "long"
	if g.has&Floats != 0 {
		real = "float"
	}
	g.outside(func() {
		g.top("%s", g.fill(`static $1();
static int $1(a, b, c, p)
«short|char|unsigned char» a;
int *p, b;
$2 c;
{
*p = a + (int)c;
return «a * 3 + (int)c|(b & 63) - a|*p ^ b & 7»;
}
static $1_k(n) { return n & 31; }
`, f, real))
	})
	arg := "3L"
	if real == "float" {
		arg = g.pick("2.5f", "1.25", "(double)7")
	}
	return g.fill(`{
int @o = 0, @r = $1((char)$s, $i, $2, &@o);
printf("old style %d %d %d\n", @r, @o, $1_k($i));
}
`, f, arg)
}
