package randc

// objectChunks are about how objects are declared and initialised.
func objectChunks() []chunk {
	return []chunk{
		filled(CompoundLiterals, true, 3, `{
int *@p = (int[]){ $i, $i, $k }, *@q = (int[4]){ [2] = $i };
@p[$[3]] ^= @q[$[4]];
@q++;
$t = (@p[1] & 1023) + (@q[1] & 255) % 7 ^ ((struct { int a; short b; }){ $i, .b = $s }).b ^ (int){ $i };
}
`, `{
struct @pair { short x, y; } @a = (struct @pair){ $s, $k }, *@p = &(struct @pair){ .y = $s };
@p->x += @a.y;
@a = (struct @pair){ @a.y, @p->x };
@p = (struct @pair[]){ { 1, 2 }, @a, [2].y = $s };
$t = @p[$[3]].x * 5 + @p[$[3]].y;
}
`, `for (int @i = 0; @i < 3; @i++) {
int *@p = &(int){ @i * $k };
*@p += 2;
(unsigned char){ 3 }++;
$t = *@p + (int)sizeof (long[]){ 1, 2 };
}
`),
		filled(Designators, true, 3, `{
struct @in { int a; char b[3]; };
struct @out { struct @in in[2]; short c; union { int i; unsigned u; } w; } @x = { .in[1].b[2] = $s, .c = $s, .in[0] = { .b = { $s, [2] = $k }, .a = $i }, .in[0].a = $i, .w.u = $u }, @y = { { { 1, "ab" }, { 2 } }, .w = { .i = $s } };
$t = @x.in[$[2]].b[$[3]] + @x.c * 3 + (@x.in[0].a & 255) + @y.in[0].b[$[3]] + (@y.w.u & 63) + (@x.w.i & 15);
}
`, `{
static const short @t[] = { [«3|5»] = $k, $n, [1] = 4, 5, [0 ... «1|2»] = $n, [7] = -$n };
int @m[2][3] = { [0][1] = $i, 5, [1] = { $i }, [1][2] = $k };
$t = @t[$[8]] * 10 + sizeof @t / sizeof @t[0] + (@m[$[2]][$[3]] & 1023);
}
`, `{
struct @flat { int a[2]; struct { char b, c; } d; long e; } @x = { 1, $k, 3, 4, $l }, @y = { { 1 }, 2, 3 }, @z = { .d.c = $k, 6, .a[1] = $n, 7 };
$t = @x.a[1] + @x.d.c + (@x.e & 127) + @y.a[1] * 3 + @y.d.b + @y.e + @z.d.c + @z.a[1] * 5 + @z.d.b + @z.e;
}
`),
	}
}

// declarationChunks are about sizes, where objects live and how they are laid out.
func declarationChunks() []chunk {
	return []chunk{
		filled(StmtExprs, true, 3, `$t = ({ int @a = $i, @b = $s; for (int @i = 0; @i < 3; @i++) @b ^= @a >> @i; @b; }) ^ $e;
`, `$t = ({ struct { int x, y; } @s = { $i, $k }; @s; }).y + ({ ; $s; }) + ({ unsigned char @c = $e; ++@c; @c; });
`, `for (int @i = 0; @i < ({ int @n = 3; if ($b) @n++; @n; }); @i++) {
$t = ({ if (@i == 2) continue; $e; });
}
`),
		filled(Sizes, true, 3, `{
struct @s { char a; «int|long|short» b; char c[«3|5»]; «double|float|char» d; struct { short e; long f; } g[2]; } «|__attribute__((packed)) »@x;
$t = sizeof(struct @s) * 1000 + offsetof(struct @s, b) * 100 + offsetof(struct @s, «c[1]|d|g[1].f|g[0].e») + sizeof @x.g + _Alignof(struct @s);
}
`, `{
struct @b { «unsigned|int|long|char» a : «3|7|1»; «unsigned|int|short» b : «9|15»; «int : 0; |»«long|unsigned» c : «30|17»; char d; } @x = { 1, $k };
$t = sizeof @x * 10 + sizeof(union { struct @b b; char c[«3|9»]; }) + offsetof(struct @b, d) + @x.b;
}
`, `$t = sizeof(«char|short *|int (*)(void)|long double|_Bool|void *|float[3][5]|wchar_t|size_t|struct { char a; }|union { int i; char c[7]; }|enum { @one }|_Complex double»)«| * 3» + _Alignof(«long double|short|char[3]|double|int *») + sizeof +(char)1 + sizeof(1 ? 1 : 2L) + sizeof(1.0f * 2) + sizeof("abc" + 0);
`, `{
_Static_assert(sizeof(int) == 4 && (char)-1 < 0, "as gcc has it");
int @n = 2;
$t = sizeof(@n++) + sizeof(int[@n]) * 10 + @n;
}
`),
		{Statics, false, 3, (*gen).statics},
		filled(Qualifiers, true, 2, `{
volatile «int|short|unsigned char|long» @v = $s & 15;
const int @c = $i, *const @p = &@c;
@v «+=|^=|=» *@p & 7;
@v«++|--»;
volatile «|const »int *volatile @q = &@c;
$t = @v;
$t = *@q ^ @c;
}
`, `{
volatile struct { int a : 5; unsigned b : 7; short c; } @v = { $s, $k };
@v.a = $s & 15;
@v.c = @v.b;
@v.b++;
$t = @v.a;
$t = @v.c + 3;
register int @r = $i;
@r ^= @r >> 3;
$t = @r;
}
`),
	}
}

// layoutChunks are about attributes of layout.
func layoutChunks() []chunk {
	return []chunk{
		filled(Aligned, false, 2, `{
«_Alignas(32)|_Alignas(long)|__attribute__((aligned(16)))» char @c[5] = { $k, $k };
struct @s { char a; «_Alignas(8)|__attribute__((aligned(8)))» char b; short c; } @x = { $s, $s, $s };
struct @t { int a; } __attribute__((aligned(«8|16»))) @y[2] = { { $i }, { $i } };
printf("aligned %zu %zu %zu %d %d\n", sizeof @x, sizeof @y, offsetof(struct @s, b), (int)((unsigned long)@c & 7), @x.b ^ @y[$[2]].a);
}
`),
		filled(Packed, false, 2, `{
struct @p { char a; int b; «short|long» c[2]; } __attribute__((packed)) @x[2] = { { $s, $i, { $s } }, { 1, $i } }, *@q = @x + 1;
@q->b ^= @x[0].b;
@q[-1].c[$[2]] = $s;
@x[1].c[$[2]]++;
@q->b >>= 2;
unsigned char @bytes[sizeof @x];
memcpy(@bytes, @x, sizeof @x);
unsigned @h = sizeof *@q;
for (unsigned @i = 0; @i < sizeof @bytes; @i++) @h = @h * 31 + @bytes[@i];
printf("packed %u\n", @h);
}
`, `{
struct @p { unsigned a : 3; int b : 11; long c : 35; unsigned char d : 7; } __attribute__((packed)) @x = { $k, $s, $s, $k };
@x.c «+=|^=» $s;
@x.b--;
@x.d <<= 1;
unsigned char @bytes[7];
memcpy(@bytes, &@x, 7);
printf("packed bits %zu %d %ld %x %x\n", sizeof @x, @x.b, (long)@x.c, @bytes[$[7]], @bytes[4]);
}
`),
		filled(Unions, false, 2, `{
union @u { unsigned char c[8]; unsigned short h[4]; int i[2]; long l; «double d; |»struct { unsigned a : 5; int b : 12; unsigned long e : 40; } f; } @x = { { $k, $e, $e, $e, 5, $e, 7, $e } };
@x.h[$[4]] = $e;
@x.f.b = $s;
@x.i[1] ^= $i;
@x.f.e «+=|^=» $u;
@x.c[$[8]]++;
printf("union %lx %d %u %lx\n", @x.l, @x.f.b, @x.f.a, (unsigned long)@x.f.e);
}
`),
	}
}

// statics declares objects with initialisers that are addresses, and static locals.
func (g *gen) statics() string {
	f := g.name("st")
	g.outside(func() {
		g.top("%s", g.fill(`static int $1_a[4], $1_t;
static int $1_t = $k;
static int $1_a[4] = { $k, $k };
extern int $1_late;
static struct $1 { int *p; const char *s; struct $1 *self; int (*f)(int); long n; } $1_s;
static int $1_f(int n) {
static int calls = $k, *last = &$1_a[1];
static unsigned char wraps = 250;
*last += n & 15;
last = last == $1_a + 3 ? $1_a : last + 1;
wraps += 3;
return ++calls * 3 + wraps;
}
static struct $1 $1_s = { «$1_a + 2|&$1_a[3] - 1|&$1_t», "text" + «1|0», &$1_s, «$1_f|&$1_f», (long)sizeof $1_s + $k };
int $1_late = $n;
static char *const $1_p = (char *)$1_a + 4;
`, f))
	})
	return g.fill(`{
extern int $1_late;
int @a = $1_s.f($s), @b = $1_f($s);
*$1_s.self->p += $1_late;
printf("statics %d %d %d %d %s %ld %d\n", @a, @b, $1_a[$[4]], $1_t, $1_s.s, $1_s.n, *(int *)$1_p);
}
`, f)
}
