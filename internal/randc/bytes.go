package randc

import "strings"

// byteChunks are about objects as bytes.
func byteChunks() []chunk {
	return []chunk{
		{Bytes, false, 4, (*gen).copies},
		{Bytes | Structs, false, 2, (*gen).memberBytes},
		filled(Bytes, false, 3, `{
unsigned char @a[«16|13|9»];
for (int @i = 0; @i < (int)sizeof @a; @i++) @a[@i] = @i * «3|7|31» + $k;
«memmove(@a + $[4], @a + $[4], 5)|memcpy(@a, @a + 5, 4)|memset(@a + $[4], $i, $[5])|memmove(@a + 1, @a, sizeof @a - 1)»;
«memmove(&@a[($u & 3)], @a + ($u & 3), ($u & 3) + 1)|memset(@a + 2, $s, 3)|@a[$[9]] ^= $s»;
unsigned @s = 0;
for (unsigned char *@p = @a; @p < @a + sizeof @a; ++@p) @s = @s * 33 + *@p;
printf("bytes %u\n", @s);
}
`, `{
«long|int|unsigned short|unsigned long long» @x = $e;
unsigned char *@p = (unsigned char *)&@x;
for (unsigned @i = 0; @i < sizeof @x; @i++) printf("%02x", @p[@i]);
@p[«0|1|$u & 1»] «=|^=|+=|-=» $s;
@p[sizeof @x - 1] «= $k|&= 0x7f|++|>>= 1»;
printf(" %lld\n", (long long)@x);
}
`, `{
unsigned char @a[6] = { $e, $e, 3 }, @b[6] = { [1] = $k, $e };
int @c = memcmp(@a, @b, «6|3|1|$[6]»);
printf("memcmp %d\n", (@c > 0) - (@c < 0));
@c = memcmp(&@a[1], &@b[1], 2);
mix(@c < 0);
«mix(memchr(@a, $s, 6) != 0);|unsigned char *@q = memchr(@a, 3, 3); mix(@q ? @q - @a : -1);»
}
`, `{
int @x = $i, @y = $i;
unsigned @t[3] = { 1, 2, 3 };
memcpy(&@t[$[3]], &@x, sizeof(int));
memcpy((char *)@t + $[8], (char *)&@y + «0|1|2», 2);
printf("%x %x %x\n", @t[0], @t[1], @t[2]);
}
`, `{
signed char *@p = (signed char *)&(«long|short|unsigned»){ $e };
mix(@p[0] + @p[1]);
@p[$[2]] = $s;
mix(@p[0] * 3 - @p[1]);
}
`),
		filled(Bytes|Floats, false, 2, `{
double @d = $d;
float @f = $f;
unsigned long @u;
unsigned @w;
memcpy(&@u, &@d, sizeof @u);
memcpy(&@w, &@f, sizeof @f);
printf("%lx %x %d\n", @u, @w, (int)(@u >> 52 & 2047));
@u &= ~(2047UL << 52);
@u += 1023UL << 52;
memcpy(&@d, &@u, sizeof @d);
printf("%.17g\n", @d);
}
`),
		filled(MayAlias, false, 2, `{
typedef «int|unsigned|short» __attribute__((may_alias)) @alias;
«long|unsigned long|double» @x = $i;
@alias *@p = (@alias *)&@x;
mix(@p[0] ^ @p[1]);
@p[0] «=|^=|+=» $s & 15;
mix(@p[0]);
printf("alias %x\n", (unsigned)@p[1]);
}
`),
	}
}

// rawObject declares a variable of whose bytes each may be anything.
func (g *gen) rawObject() (decl string, v *variable) {
	for range 3 {
		if v := g.visible(func(v *variable) bool { return v.t.raw && v.t.exact && !v.fixed && !v.register && v.t.num == nil }); v != nil && g.chance(60) {
			return "", v
		}
	}
	var t *ctype
	switch {
	case g.with(Structs, 50):
		g.outside(func() { t = g.structType(true) })
	case g.with(Unions, 50):
		g.outside(func() { t = g.unionType() })
	default:
		t = array(scalar(g.pickNumber(intType, ucharType, longType, integers[4], integers[5], uintType)), 2+g.IntN(5))
	}
	d := g.local(t)
	return d, g.vars[len(g.vars)-1]
}

// copies copies bytes from one object into another of any type.
func (g *gen) copies() string {
	d1, a := g.rawObject()
	d2, b := g.rawObject()
	n := min(a.t.size, b.t.size)
	var s strings.Builder
	s.WriteString("{\n" + d1 + d2)
	address := func(v *variable) string {
		if v.t.elem != nil {
			return g.pick("&", "") + v.text
		}
		return "&" + v.text
	}
	for range 1 + g.IntN(3) {
		from, to, count := "", "", 1+g.IntN(n)
		if k := a.t.size - count; k > 0 && g.chance(60) {
			to = sp("(char *)%s + %d", address(a), g.IntN(k+1))
		} else {
			to = address(a)
		}
		if k := b.t.size - count; k > 0 && g.chance(60) {
			from = sp("(%schar *)%s + %d", g.pick("const ", "unsigned ", ""), address(b), g.IntN(k+1))
		} else {
			from = address(b)
		}
		f := "memcpy"
		if a == b || g.chance(30) {
			f = "memmove"
		}
		switch g.IntN(6) {
		case 0:
			s.WriteString(sp("memset(%s, %s, %d);\n", to, g.int(1).s, count))
		case 1:
			s.WriteString(sp("((unsigned char *)%s)[%s] = %s;\n", address(a), g.index(a.t.size), g.int(1).s))
		case 2:
			g.helper("hash", "static unsigned long hash(const void *p, size_t n) {\nconst unsigned char *c = p;\nunsigned long h = 7;\nwhile (n-- > 0)\nh = h * 31 + *c++;\nreturn h;\n}\n")
			s.WriteString(sp("printf(\"hash %%lx\\n\", hash(%s, %d));\n", from, count))
		default:
			s.WriteString(sp("%s(%s, %s, %d);\n", f, to, from, count))
		}
	}
	s.WriteString(g.dump(a))
	return s.String() + "}\n"
}

// memberBytes reads and writes bytes of members by their offsets.
func (g *gen) memberBytes() string {
	t := g.anyStruct()
	var ms []member
	for _, m := range t.members {
		if m.width < 0 && m.name != "" && m.t.num != nil && m.t.exact && !m.t.num.boolean {
			ms = append(ms, m)
		}
	}
	if len(ms) == 0 {
		return g.assignment()
	}
	d := g.local(t)
	v := g.vars[len(g.vars)-1]
	m := ms[g.IntN(len(ms))]
	s := "{\n" + d + sp("unsigned char *bp = (unsigned char *)&%s + offsetof(%s, %s);\n", v.text, t.name, m.name)
	s += sp("for (size_t k = 0; k < sizeof %s.%s; k++) mix(bp[k]);\n", v.text, m.name)
	if !m.t.num.float {
		s += sp("bp[%s] ^= %s;\n", g.index(m.t.size), g.int(1).s)
	}
	s += sp("char *base = (char *)bp - offsetof(%s, %s);\nmix(((%s *)base)->%s == %s.%s);\n", t.name, m.name, t.name, m.name, v.text, m.name)
	return s + g.dump(v) + "}\n"
}
