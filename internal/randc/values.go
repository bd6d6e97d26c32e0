package randc

// valueChunks are about operators with side effects and what gcc has beside them.
func valueChunks() []chunk {
	return []chunk{
		{SideEffects, true, 5, (*gen).effects},
		filled(SideEffects, true, 3, `{
int @a = $s, @b = $s, @c = $k;
@a = (@b++, @b + @c--) + @a;
@c = @a > 3 && @b++ < 5 ? @a-- : (@b += 2);
$t = @a * 100 + @b * 10 + @c;
@a = @b = @c = $s;
$t = (@a ^= 5, @b -= @a, @b) + (@c ? @c : -1) + !@c;
if (@a++ > 0 || @b--) @c += @a + @b;
$t = @a + @b + @c;
}
`, `{
«signed char|unsigned char|short|unsigned short» @x = $e, @y = $e;
int @r = (@x++ & 1023) «+|-|*» (--@y % 100);
@r = @r * 3 % 1000 + (@x «+|-|>>»= 1) + (@y = $e);
$t = @r;
unsigned @u = @x-- , @v = (@u++, ++@u);
$t = @u - @v + @x;
}
`, `{
int @a[4] = { $s, 2, $k }, *@p = @a, @i = 0;
@a[@i++] += 3;
*@p++ ^= 5;
@p++[0] = 7;
++@p;
*@p = @p[-1] * 2 % 100;
$t = (@p - @a) * 1000 + @a[$[4]] + @a[3] * 3 + @i;
}
`),
		filled(Generics, true, 4, `$t = _Generic($e, char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, unsigned: 7, long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, _Bool: 12, default: 99);
`, `{
__typeof__($i) @a = $i;
typeof(@a) *@p = &@a;
__typeof__(*@p + 1L) @l = $l;
__auto_type @au = $s + 0u;
$t = sizeof(@l) + *@p % 5 + __builtin_types_compatible_p(typeof(@l), «long|int|const long») + @au % 3 + _Generic(&@a, int *: 5, const int *: 6, default: 7);
$t = __builtin_choose_expr(sizeof @l == 8, @l, "no") & 1023;
}
`, `{
const int @c = 3;
char @s[4] = "abc";
short @h = $s;
$t = _Generic(@c, int: 1, default: 2) + _Generic(@s, char *: 10, default: 20) + _Generic(«"x"|@s + 1», char *: 100, const char *: 200) + _Generic('a', char: 1000, int: 2000) + _Generic(«+@h|@h|(char)1|~@h|1 ? @h : @h|@h << 1L|!@h», short: 10000, int: 20000, default: 30000);
}
`),
		{Builtins, true, 4, (*gen).builtin},
		{BitFields, true, 3, (*gen).bitFields},
		filled(Atomics, true, 2, `{
int @a = $s;
«_Atomic |»long @b = $s;
int @r = __atomic_fetch_add(&@a, $k, __ATOMIC_SEQ_CST);
@r -= __sync_fetch_and_xor(&@a, $k) * 2;
@r ^= __atomic_exchange_n(&@a, $s, 5);
int @e = «@a|$k»;
@r += __atomic_compare_exchange_n(&@a, &@e, $k, 0, 5, 5) * 2 + (int)__atomic_load_n(&@b, 0);
@b += 3;
@b ^= 5;
@r += __sync_val_compare_and_swap(&@a, $k, 7);
$t = @r + __sync_bool_compare_and_swap(&@a, 7, 8);
$t = @a + @b + @e;
}
`),
		filled(Int128, false, 2, `{
__int128 @a = (__int128)$l * $l;
unsigned __int128 @b = (unsigned __int128)$l << «64|3|100» | $u;
@b = @b / ($u | 1) + @a % 1000;
@a >>= «5|64|70»;
@a ^= @b;
printf("%lx %lx %d\n", (unsigned long)(@a >> 64), (unsigned long)@a, @a < (__int128)@b);
}
`),
	}
}

// effects writes expressions with side effects on different variables.
func (g *gen) effects() string {
	n := g.pick("int", "short", "signed char", "unsigned char", "unsigned", "unsigned short")
	return g.fill(`{
$1 @a = $s, @b = $k, @c[3] = { $s, $k }, *@p = @c;
struct { $1 m; unsigned f : «5|9|31»; «signed|unsigned» s : 7; } @s = { $k, $k, $k }, *@q = &@s;
_Bool @z = $b;
$t = (@a«++|--|» «+|-|^|&» «++|--|»@b) «+|^» (@q->m «+|-|^»= «$k|@z++») + (@s.f«++|--»);
«@p++|++@p|@p += 1»;
$t = «*@p--|(*@p)++|--*@p|@p[1]++|*@p» + (@a = @b«|, @b») + (@z «^|+|&|=»= @s.s«++|--»);
@s.s «+|-|^|*»= $k;
@c[1] «*|+|-|>>|%»= «2|3|1»;
@b «?|> 3 ?» @a++ : @s.f--;
$t = @c[0] + @c[1] * 3 + @c[2] + @a % 100 + @b % 100 + @s.m % 100 + @s.f % 50 + @s.s + @z;
}
`, n)
}

// builtin calls functions that gcc has.
func (g *gen) builtin() string {
	return g.fill(g.pick(`$t = __builtin_clz($u | 1) + __builtin_ctzl($l | «1|64») * 2 + __builtin_popcountll($l) + __builtin_parity($u) + __builtin_ffs($i) + __builtin_clrsb($i) + __builtin_clzll($l | 1);
`, `$t = (__builtin_bswap32($u) & 0xffff) + __builtin_bswap16($e) + (__builtin_bswap64($l) >> 50) + __builtin_abs($s) + (__builtin_labs($s) & 7);
`, `{
«int|short|unsigned char|unsigned|long» @r = $k;
_Bool @o = __builtin_«add|sub|mul»_overflow($e, $e, &@r);
$t = @o;
$t = @r;
long @l;
$t = __builtin_«sadd|ssub|smul»_overflow($i, $i, &(int){ 0 }) + __builtin_«saddl|ssubl|smull»_overflow($l, $l, &@l) * 2;
$t = @l;
unsigned @u;
$t = __builtin_«uadd|usub|umul»_overflow($u, $u, &@u) + __builtin_«add|sub|mul»_overflow_p($e, $k, («int|short|unsigned char»)0) * 2;
$t = @u;
}
`, `if (__builtin_expect($b, 0)) $1else if (!__builtin_expect(!!$e, 1)) { $2}
`, `{
char @c[9];
__builtin_memset(@c, $s, sizeof @c);
__builtin_memcpy(@c, "xyz", 4);
$t = __builtin_strlen(@c) + (__builtin_strcmp(@c, "xyy") > 0) + @c[$[9]] + __builtin_offsetof(struct { char a; long b; }, b) + (__builtin_memcmp(@c, "xy", 2) == 0);
$t = __builtin_constant_p(3) ? 2 : 1;
}
`, `switch ($u & 3) {
case 0: case 1: case 2: case 3: break;
default: __builtin_unreachable();
}
`), g.assignmentBlock(), g.assignment())
}

// assignmentBlock returns an assignment in braces.
func (g *gen) assignmentBlock() string { return "{\n" + g.assignment() + "} " }

// bitFields reads and writes bit-fields of a struct made for it.
func (g *gen) bitFields() string {
	wide := "(unsigned long)"
	if g.has&WideBitFields != 0 {
		wide = g.pick("", wide)
	}
	return g.fill(`{
struct { «int|signed|long» a : «1|3|8|17|31»; unsigned b : «1|4|16|28|32»; «_Bool|unsigned char» c : 1; «int : 0;|unsigned : 3;|» unsigned long d : «33|40|63|64»; «short|char|signed char|long» e : «2|7|8»; unsigned short f : «15|16|1»; } @x = { $k, $u, $b, $u, $s, .f = $e }, @y = @x, *@p = &@y;
@p->a «=|^=|&=» $s;
@p->b «+=|-=|*=|<<=|>>=» «1|2|0»;
@x.c «^=|=|&=» $b;
@p->d «+=|-=|*=|^=|=» $u;
@x.d = ~@x.d;
@p->e++, @y.f--;
@x.f = @x.e = $s;
$t = (@x.a < 0) + (@y.a < @x.b) + -@x.c + (@y.c ? 4 : 5) + (@p->b - 1 > 0);
$t = (unsigned long)($1@x.d «+|-|*|<<|>>» 3) >> 3 ^ @y.d;
$t = @x.e * 3 + @y.f + @y.e + (@x.f << 2) + (@x.b >> 1);
}
`, wide)
}
