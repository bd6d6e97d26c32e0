package randc

import "strings"

// jumpChunks are about goto, setjmp and how statements end.
func jumpChunks() []chunk {
	return []chunk{
		{Gotos, true, 4, (*gen).gotos},
		{ComputedGotos, true, 3, (*gen).computedGoto},
		{Jumps, false, 3, (*gen).setjmp},
		{AtExit, false, 1, (*gen).atExit},
		{Aborts, false, 1, (*gen).abort},
	}
}

// gotos jumps forward, backward, out of loops and into them.
func (g *gen) gotos() string {
	return g.fill(g.pick(`{
int @i = 0;
@again:
$1if (++@i < $n && $b) goto @again;
if ($b) goto @out;
$2@out: ;
}
`, `for (int @i = 0; @i < 4; @i++) {
for (int @j = 0; @j < 3; @j++) {
$1if (@i * 3 + @j > $n && $b) goto @out;
}
if ($b) goto @next;
$2@next: continue;
}
@out: ;
`, `{
int @i = 0;
if ($b) goto @in;
for (@i = 1; @i < 4; @i++) {
$1@in:
$2}
}
`, `{
if ($b) goto @else;
$1goto @end;
@else:
$2@end: ;
}
`, `{
int @n = 0;
{
@top: ;
int @v = @n * 3;
$1if (@n++ < 3) goto @top;
$t = @v;
}
}
`, `switch ($u % 3) {
case 0: $1goto @two;
case 1: if (0) {
@two: $2}
break;
default: @none: $t = $e;
}
`), g.assignment(), g.assignment())
}

// computedGoto runs a small machine by addresses of labels.
func (g *gen) computedGoto() string {
	var code []string
	for range 3 + g.IntN(5) {
		code = append(code, g.pick("0", "1", "2", "3"))
	}
	return g.fill(g.pick(`{
static const unsigned char @code[] = { $1, 4 };
«static void *const|void *const|static const void *» @op[] = { &&@add, &&@shift, &&@flip, &&@skip, &&@done };
const unsigned char *@pc = @code;
unsigned @acc = $u;
goto *@op[*@pc++];
@add: @acc += $k; goto *@op[*@pc++];
@shift: @acc = @acc << 3 | @acc >> 29; goto *@op[*@pc++];
@flip: @acc ^= 0x5555; goto *@op[*@pc++];
@skip: if (@acc & 1 && *@pc != 4) @pc++; goto *@op[*@pc++];
@done: $t = @acc;
}
`, `{
static const int @off[] = { &&@one - &&@one, &&@two - &&@one, &&@three - &&@one };
int @n = 0;
@one: @n += 1; if (@n > 6) goto @end;
goto *(&&@one + @off[1 + ($u & 1)]);
@two: @n += 2; goto *(@n > 9 ? &&@end : &&@three);
@three: @n += 3; if (@n < 8) goto @one;
@end: $t = @n;
}
`), strings.Join(code, ", "))
}

// setjmp leaves functions by longjmp.
func (g *gen) setjmp() string {
	f := g.name("jmp")
	g.include("setjmp.h")
	g.outside(func() {
		g.top("%s", g.fill(`static jmp_buf $1_env;
static int $1_depth;
static void $1_f(int n, int code) {
$1_depth++;
if (n == 0) longjmp($1_env, code);
$1_f(n - 1, code «+ 1|^ 2»);
$1_depth = -1000;
}
`, f))
	})
	return g.fill(g.pick(`{
volatile int @n = 0;
if (setjmp($1_env) «> 2|!= 0|== 1») @n += 2;
else @n++;
if (@n < 12) $1_f($k, «@n|0|$n»);
printf("setjmp %d %d\n", @n, $1_depth);
}
`, `{
volatile int @tries = 0;
switch (setjmp($1_env)) {
case 0: @tries = 1; $1_f(2, $k);
case 3: @tries = @tries + 10; break;
default: if (@tries++ < 4) $1_f(1, @tries);
}
printf("tries %d\n", @tries);
}
`, `{
if (setjmp($1_env)) {
printf("back\n");
} else {
for (int @i = 0; ; @i++) if (@i == $k) longjmp($1_env, 1);
}
}
`), f)
}

// atExit registers functions that run at the end.
func (g *gen) atExit() string {
	f := g.name("end")
	g.outside(func() {
		g.top("%s", g.fill("static int $1_n;\nstatic void $1_a(void) { printf(\"atexit %d\\n\", ++$1_n); }\nstatic void $1_b(void) { $1_n += $k; puts(\"end\"); }\n", f))
	})
	s := g.fill("if ($1_n++ == 0) {\natexit($1_a);\natexit(«$1_b|$1_a»);\n}\n", f)
	if g.chance(20) {
		s += g.fill("if ($b && $b && fuel < 390) exit($k);\n")
	}
	return s
}

func (g *gen) abort() string {
	g.include("signal.h")
	return g.fill("if ($b && fuel < 380) {\nfflush(stdout);\n«abort()|raise(6)|raise(15)»;\n}\n")
}

// switchChunks are about switch.
func switchChunks() []chunk {
	return []chunk{
		{Switches, true, 4, (*gen).choice},
		{Switches, true, 2, (*gen).duff},
	}
}

// choice writes a switch.
func (g *gen) choice() string {
	var b strings.Builder
	on := g.fill("«$e|$i|(«char|unsigned char|long|unsigned»)$e|$u % 8|(int)($u & 15) - 4»")
	b.WriteString(sp("switch (%s) {\n", on))
	next := -6
	if g.chance(50) {
		next = 0
	}
	dflt := g.IntN(6)
	for i := range 2 + g.IntN(5) {
		if i == dflt {
			b.WriteString("default:\n" + g.assignment() + g.pick("break;\n", ""))
		}
		label := sp("case %d:\n", next)
		switch g.IntN(4) {
		case 0:
			to := next + 1 + g.IntN(40)
			label = sp("case %d ... %d:\n", next, to)
			next = to
		case 1:
			label += sp("case %d + 1:\n", next)
			next++
		}
		next += 1 + g.IntN(3)
		b.WriteString(label + g.assignment() + g.pick("break;\n", "break;\n", ""))
	}
	if g.chance(50) && dflt > 5 {
		b.WriteString("default: ;\n")
	}
	return b.String() + "}\n"
}

// duff writes a switch that leads into a loop.
func (g *gen) duff() string {
	return g.fill(g.pick(`{
int @n = 1 + ($u & 7), @r = (@n + 3) / 4, @c = 0;
switch (@n % 4) {
case 0: do { @c += 1;
case 3: @c = @c * 2 % 1000;
case 2: $1
case 1: @c += 3;
} while (--@r > 0);
}
$t = @c;
}
`, `{
int @k = 2;
switch ($u & 3) {
while (@k-- > 0) {
case 0: $1
case 1: ;
default: if (@k == 1) continue;
}
case 9: @k = 0;
}
$t = @k;
}
`, `{
int @s = $u % 5;
while (@s != 5) switch (@s) {
case 0: @s = 3; continue;
case 1: case 2: @s = 4; break;
case 3: @s = 1; break;
default: @s = 5;
}
$t = @s;
}
`), g.assignment())
}
