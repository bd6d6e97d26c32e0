package randc

// pointerChunks are about pointers.
func pointerChunks() []chunk {
	return []chunk{
		filled(Pointers, true, 4, `{
«int|long|short|unsigned char|signed char» @a[6] = { $e, $e, 3, $e, 5, $k }, *@p = @a + «1|2», *@q = &@a[5];
*@p++ = $s;
@p += $[3];
--@p;
*@p «=|^=|&=» @p[1];
@p[«0|-1|1»] = @q[«-1|0|-2»];
$t = (@q - @p) * 100 + (@p < @q) * 10 + (*@p > *@q) + (@a[$[6]] & 1023);
}
`, `{
int @x = $i, @y = $i, *@p = $b ? &@x : &@y, **@r = &@p;
**@r ^= $i;
*@r = «&@x|&@y|*@r»;
*@p |= 1;
int ***@s = &@r;
$t = ***@s ^ @x ^ (*@p == @y);
}
`, `{
int @a[3][4] = { { $i, $i }, { 3, $i, 5 }, { [2] = $i } };
int (*@row)[4] = @a + «0|1», *@p = @a[1], (*@all)[3][4] = &@a;
@row[1][$[4]] = $s;
@row++;
(*@row)[$[4]] ^= @p[«3|2|0»];
*(*(@a + $[3]) + $[4]) &= (*@all)[$[3]][$[4]];
unsigned @s = 0;
for (int *@i = &@a[0][0], @k = 0; @k < 12; @k++) @s = @s * 31 + @a[@k / 4][@k % 4];
$t = @s + (@row - @a) + (int)sizeof *@row;
}
`, `{
long @x = $l, @y = $l;
void *@v = $b ? (void *)&@x : &@y;
long *@p = @v;
$t = *(long *)@v & 1023;
*@p = $s;
$t = (@x == *@p) + (@p == &@x) * 2 + (@v != 0) * 4 + !@p;
__UINTPTR_TYPE__ @u = (__UINTPTR_TYPE__)@p;
*(long *)@u >>= 1;
$t = *@p + (int)((__UINTPTR_TYPE__)(@p + 1) - @u);
}
`, `{
short @a[4] = { $e, $e }, @b = $e, *@t[4] = { @a, &@b, [3] = @a + 3 };
@t[2] = @t[$[2]] + 0;
*@t[2] += 5;
for (int @i = 0; @i < 4; @i++) if (@t[@i] && *@t[@i] «>|!=» @b) *@t[@i] = @i;
short **@q = @t + 1;
$t = **@q + *@q[2] + (@q[1] == @a) + @a[$[4]];
}
`, `{
char @c[] = "hello, world";
char *@p = @c, *@e = @c + sizeof @c - 1;
while (@p < @e) { char @t = *@p; *@p++ = *--@e; *@e = @t; }
$t = @c[$[12]] * 3 + @c[0];
}
`),
		{Pointers, false, 3, (*gen).pointerFunction},
		{Pointers, true, 2, (*gen).pointerTo},
	}
}

// arrayChunks are about arrays and memory from malloc.
func arrayChunks() []chunk {
	return []chunk{
		filled(Arrays, true, 3, `{
«int|unsigned char|long|short» @a[3][2][2] = { { { $s, $s }, { $k } }, [2] = { { $s }, { $s, $k } } };
for (int @i = 0; @i < 3; @i++) for (int @j = 0; @j < 2; @j++) for (int @k = 0; @k < 2; @k++) @a[@i][@j][@k] «+=|^=|-=» @i * 7 + @j * «3|@k» - (@a[2 - @i][@k][@j] & 15);
$t = @a[$[3]][$[2]][$[2]] ^ @a[0][1][0];
}
`),
		filled(VLAs, true, 3, `{
int @n = 1 + ($u & 3), @m = 2;
«int|long|short|char» @a[@n][@m + 1];
for (int @i = 0; @i < @n; @i++) for (int @j = 0; @j <= @m; @j++) @a[@i][@j] = @i * 5 + @j - $k;
@a[@n - 1][$[3]] = $s;
int @z = sizeof @a / sizeof @a[0];
@n = 77;
$t = @a[@z - 1][$[3]] + (int)sizeof(@a) + @z;
}
`, `{
int @n = 3;
typedef «int|short» @row[@n];
@n++;
@row @a[2];
for (int @i = 0; @i < 6; @i++) @a[@i / 3][@i % 3] = @i * @i - $s;
@row *@p = @a;
++@p;
$t = (*@p)[$[3]] + sizeof(@row) + sizeof(int[@n]) + sizeof *@p;
}
`, `for (int @k = 1; @k < «3|4»; @k++) {
unsigned char @v[@k * 3];
for (int @i = 0; @i < @k * 3; @i++) @v[@i] = @i * $k + @k;
@v[$[3]]++;
$t = @v[@k] + @v[sizeof @v - 1];
}
`),
		{VLAs, false, 1, (*gen).arrayParameter},
		{Heap, false, 4, (*gen).heap},
		{FlexArrays, false, 3, (*gen).flexible},
	}
}

// pointerFunction calls a function that writes through its parameters.
func (g *gen) pointerFunction() string {
	f := g.name("pp")
	t := g.pick("int", "long", "short", "unsigned char", "unsigned")
	restrict := ""
	if g.has&Qualifiers != 0 {
		restrict = g.pick("", "restrict ", "const ")
	}
	g.outside(func() {
		g.top("%s", g.fill(`static int $1($2 *$3a, const $2 *$3b, $2 **r, int n) {
int k = 0;
for (; k < n; k++) «if (a[k] > b[k]) a[k] = b[k] + 1|a[k] «=|^=|&=» b[n - 1 - k]|a[k] = k ? a[k - 1] : b[1]»;
*r = a + $[3];
return (int)(**r & 1023) + n;
}
`, f, t, restrict))
	})
	return g.fill(`{
$2 @a[4] = { $e, $e, $k }, @b[3] = { $e, $e, $e }, *@r;
int @k = $1(@a«| + 1», @b, &@r, 3);
*@r «^=|=» $s;
printf("«through|pp» %d %d %ld %d\n", @k, (int)@a[$[4]], (long)(@r - @a), (int)@a[2]);
}
`, f, t)
}

// pointerTo reads and writes variables through pointers to them.
func (g *gen) pointerTo() string {
	v := g.visible(func(v *variable) bool { return writable(v) && !v.register })
	if v == nil {
		return g.assignment()
	}
	name := g.name("ptr")
	s := "{\n"
	t := v.t
	switch {
	case t.elem != nil:
		s += sp("%s = %s + %s;\n", t.elem.declare("(*"+name+")"), v.text, paren(g.index(t.n)))
		t = t.elem
	default:
		s += sp("%s = &%s;\n", t.declare("*"+name), v.text)
	}
	if v.t.elem != nil && v.t.elem.elem == nil {
		s = sp("{\n%s = %s + %s;\n", t.declare("*"+name), v.text, paren(g.index(v.t.n)))
	}
	g.vars = append(g.vars, &variable{text: "(*" + name + ")", t: t, alias: true})
	for range 2 + g.IntN(2) {
		s += g.assignment()
	}
	return s + "}\n"
}

// arrayParameter calls a function with arrays of variable length as parameters.
func (g *gen) arrayParameter() string {
	f := g.name("va")
	g.outside(func() {
		g.top("%s", g.fill(`static long $1(int n, int m, «int a[n][m]|int a[][m]|int (*a)[m]», int b[static «1|n»]) {
long s = sizeof *a + $k;
for (int i = 0; i < n; i++)
for (int j = 0; j < m; j++)
s = s * 3 % 1000003 + (a[i][j] & 255) - (b[(i + j) % n] & 7);
a[n - 1][0] = m;
return s;
}
`, f))
	})
	return g.fill(`{
int @a[2][3] = { { $i, $i }, { $i } }, @b[2] = { $i, $k };
printf("vla %ld\n", $1(2, 3, @a, @b));
mix($1(2, «1|2|3», (void *)@a, @b));
mix(@a[1][0]);
}
`, f)
}

// heap uses memory from malloc.
func (g *gen) heap() string {
	return g.fill(g.pick(`{
int @n = 3 + ($u & 3);
«int|long|short» *@p = malloc(@n * sizeof *@p);
for (int @i = 0; @i < @n; @i++) @p[@i] = @i * $k - $s;
@p = realloc(@p, (@n + 5) * sizeof *@p);
for (int @i = @n; @i < @n + 5; @i++) @p[@i] = @p[@i - @n] ^ $k;
unsigned @s = 0;
for (int @i = 0; @i < @n + 5; @i++) @s = @s * 31 + @p[@i];
printf("heap %u\n", @s);
free(@p);
}
`, `{
struct @node { «int|short|long» v; struct @node *next; } *@head = 0, **@at = &@head;
for (int @i = 0; @i < «4|6|1»; @i++) {
struct @node *@x = «malloc(sizeof *@x)|calloc(1, sizeof(struct @node))»;
@x->v = @i * $n - $s;
@x->next = 0;
«*@at = @x; @at = &@x->next|@x->next = @head; @head = @x»;
}
unsigned @sum = 0;
for (struct @node *@x = @head; @x; @x = @x->next) @sum = @sum * 5 + @x->v;
while (@head) { struct @node *@x = @head; @head = @head->next; free(@x); }
printf("list %u\n", @sum);
}
`, `{
unsigned char *@p = calloc($n, 4);
@p[$[4]] = $e;
@p[3] «+=|^=» $k;
int @z;
memcpy(&@z, @p, 4);
printf("calloc %x %d\n", @z, @p == 0);
free(@p);
free(0);
}
`, `{
struct @tree { int key; struct @tree *kid[2]; } *@root = 0;
static const signed char @keys[] = { $k, 5, $n, -3, $k, 9 };
for (int @i = 0; @i < 6; @i++) {
struct @tree **@p = &@root;
while (*@p && (*@p)->key != @keys[@i]) @p = &(*@p)->kid[@keys[@i] > (*@p)->key];
if (!*@p) { *@p = calloc(1, sizeof **@p); (*@p)->key = @keys[@i]; }
}
int @d = 0;
for (struct @tree *@t = @root; @t; @t = @t->kid[$k & 1]) @d = @d * 10 + @t->key;
printf("tree %d\n", @d);
}
`))
}

// flexible uses a struct with a flexible array.
func (g *gen) flexible() string {
	tag := g.name("fl")
	g.outside(func() {
		g.top("%s", g.fill(`struct $1 { «int n; |char k; int n; |short n; |struct { unsigned char n; } ; »«|unsigned m : 5; » «int|char|long|short» d[]; };
static struct $1 $1_g = { .n = 2«, .d = { 1, $k, $k }|, .d[1] = $k»};
`, tag))
	})
	return g.fill(`{
struct $1 *@p = malloc(sizeof *@p + 6 * sizeof @p->d[0]);
@p->n = 4;
for (int @i = 0; @i < 6; @i++) @p->d[@i] = @i * $k - $s;
@p->d[@p->n] «++|^= $s»;
struct $1 @c = *@p;
printf("flexible %d %d %zu %d\n", (int)@p->d[$[6]], @c.n, offsetof(struct $1, d), (int)sizeof(struct $1));
mix($1_g.d[«0|1»] + @p->d[4]);
«memmove(@p->d, @p->d + 2, 3 * sizeof *@p->d);|»
mix(@p->d[0] + @p->d[1]);
free(@p);
}
`, tag)
}
