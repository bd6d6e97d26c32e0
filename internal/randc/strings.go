package randc

import "strings"

// stringChunks are about strings.
func stringChunks() []chunk {
	return []chunk{
		{Strings, false, 5, (*gen).stringCalls},
		filled(Strings, true, 2, `{
const char *@s = «"abc\0def"|"x" "yz" "\x41" "1"|"tab\tq\"uote\\"|""|"\1012\60"|"é"»;
unsigned @n = 0;
while (*@s) @n = @n * 31 + *@s++;
$t = @n + (int)sizeof «"abc\0def"|""|"a" "b"» + "hello"[$[6]] + *"x";
}
`, `{
static const char *const @t[] = { "zero", "one", «"two"|[3] = "three"», };
char @c[] = "array", @d[3] = "abc", @e[8] = { "ini" }, (*@p)[6] = &@c;
@c[$[5]] = 'a' + ($u & 7);
$t = @t[$[2]][1] + sizeof @t / sizeof *@t + @c[2] + @d[$[3]] + @e[$[8]] + (*@p)[1] + (int)sizeof @c;
}
`),
		filled(Strings, false, 2, `{
char @b[24] = «"The quick"|"a,b,,c"|"x"»;
char *@save = 0;
for (char *@p = strtok_r(@b, " ,", &@save); @p; @p = strtok_r(0, «" ,"|"c"», &@save)) printf("token %s\n", @p);
}
`, `{
char @b[24] = «"key=value;x"|"==a"|";"»;
for (char *@p = strtok(@b, "=;"); @p; @p = strtok(0, «"="|";="»)) printf("token %s\n", @p);
}
`, `{
char *@p = strdup(«"duplicate"|"$k"|""»);
@p[strlen(@p) / 2] ^= @p[0] ? 1 : 0;
printf("[%s] %zu\n", @p, strlen(@p));
free(@p);
}
`),
		filled(Scans, false, 4, `{
char *@end;
long @v = strtol(«"123abc"|"-0x1fz"|"  077 9"|"99999999999999999999"|"zz"|"+12"|""», &@end, «10|0|16|8|36»);
printf("strtol %ld [%s]\n", @v, @end);
}
`, `{
int @a = -1, @b = -2;
char @w[8] = "", @c = '?';
int @k = sscanf(«"12 34 word"|"7,8"|"-5 0x1f ab"|" 99"|"q"|""», «"%d %d %7s"|"%d,%d"|"%i %i %2s"», &@a, &@b, @w);
printf("sscanf %d %d %d\n", @k, @a, @b);
@k = sscanf("«k=42|k= -7x|j»", "k=%d%c", &@a, &@c);
printf("%d %d %c\n", @k, @a, @c);
@k = sscanf("abc123 45", "%4[a-z]%hhd%ld", @w, &@c, &(long){ 0 });
printf("%d %s %d\n", @k, @w, @c);
}
`, `printf("atoi %d %ld %lu\n", atoi(«"-42x"|"17"|"  3"»), atol("«123456789012|-1»"), strtoul(«"4294967296"|"0xff"|"-1"|"0b1"», 0, «0|10|16»));
`),
		filled(Scans|Floats, false, 2, `{
double @d = strtod(«"1.5e3x"|"0x1.8p3"|"-.25"|"1e400"|"inf"|"12345678901234567890"|"0.1"», 0);
float @f = 0;
int @k = sscanf(«"2.5 3"|"0.1"|"1e-3z"», "%f", &@f);
printf("strtod %g %a %d %.9g %g\n", @d, @d, @k, @f, atof("«3.75|2e2»"));
}
`),
		{Wide, false, 3, (*gen).wide},
	}
}

// stringCalls calls functions of string.h.
func (g *gen) stringCalls() string {
	literal := func() string { return g.pick(`"abc"`, `""`, `"abcabd"`, `"\200b"`, `"b"`, `"hello"`, `"a\0b"`) }
	var b strings.Builder
	b.WriteString(g.fill("{\nchar s[32] = $1, t[16] = $2;\n", literal(), literal()))
	for range 3 + g.IntN(4) {
		b.WriteString(g.fill(g.pick(
			"strcpy(t, $1);\n", "if (strlen(s) < 20) strcat(s, $1);\n", "strncpy(t, $1, $n);\nt[15] = 0;\n",
			"if (strlen(s) < 20) strncat(s, $1, $k);\n", "s[$[8]] = 'a' + ($u & 7);\n", "memset(t, 'a' + ($u & 3), $n);\n",
			"t[$[15]] = s[$[20]];\n", "mix(strlen(s) * 3 + strlen(t));\n", "mix(strcmp(s, t) «<|>|==» 0);\n",
			"mix(strncmp(s, $1, $k) «<|>» 0);\n",
			"{\nchar *p = «strchr|strrchr»(s, 'a' + ($u & 3));\nprintf(\"%d\\n\", p ? (int)(p - s) : -1);\n}\n",
			"{\nconst char *p = strstr(s, «\"b\"|\"ab\"|\"\"|t»);\nprintf(\"%s\\n\", p ? p : \"none\");\n}\n",
			"printf(\"%zu %zu\\n\", strspn(s, \"abc\"), strcspn(s, «\"c\"|t»));\n",
			"printf(\"<%s> <%s>\\n\", s, t);\n", "mix(strnlen(s, $k));\n",
			"{\nchar *p = strpbrk(s, \"cd\");\nif (p) *p = '$k';\n}\n",
			"puts(s);\n", "putchar(t[0] ? t[0] : '.');\nputchar('\\n');\n", "fputs(t, stdout);\n",
		), literal()))
	}
	return b.String() + "printf(\"%s|%s\\n\", s, t);\n}\n"
}

// wide uses wide and UTF characters and strings.
func (g *gen) wide() string {
	g.include("wchar.h")
	g.include("uchar.h")
	return g.fill(g.pick(`{
wchar_t @w[8] = «L"wide"|L"\x263a\u00e9x"|L"h\u4e16"|L"äöü"», *@p = @w + 1;
char16_t @s[] = «u"\U0001F600z"|u"abc"|u"\u00e9"»;
char32_t @t[] = «U"\U0001F600z"|U"q"»;
@w[$[2]] «+=|^=» $k;
unsigned long @h = sizeof @w + sizeof @s * 3 + sizeof @t * 5;
for (int @i = 0; @i < 8; @i++) @h = @h * 31 + @w[@i];
for (unsigned @i = 0; @i < sizeof @s / sizeof *@s; @i++) @h = @h * 31 + @s[@i];
printf("wide %lx %d %d\n", @h, (int)@p[0], (int)@t[0]);
}
`, `{
const unsigned char *@u = (const unsigned char *)u8«"é\u20ac"|"x\U0001f600"|"abc"»;
unsigned @h = 0;
while (*@u) @h = @h * 257 + *@u++;
printf("utf8 %x %d %d %d\n", @h, (int)sizeof u8"\u20ac", (int)(L'x' + u'\u00e9' + U'\U0001F600'), (int)sizeof(L'a'));
}
`, `printf("wcs %zu %d %d\n", wcslen(«L"four"|L""|L"a\0b"»), wcscmp(L"ab", «L"ab"|L"b"») < 0, wcschr(L"abcdef", L'«d|z»') != 0);
`))
}

// formatChunks are about printf and its relatives.
func formatChunks() []chunk {
	return []chunk{
		{Formats, false, 5, (*gen).formats},
		filled(Formats, false, 2, `{
char @b[«4|9|40»];
int @n = snprintf(@b, sizeof @b, «"%d-%s", $i, "abc"|"%5d:%-5d:%05d", $s, $s, $s|"%+d % d", $i, $k|"%#x %#o %X", $u, $u, $u|"%.3s%c", "abcdef", 'q'|"%%%d", $k|"%*d", $n, $s|"%ld %lu", $l, (unsigned long)$l»);
printf("snprintf %d [%s]\n", @n, @b);
}
`, `{
char @b[80];
int @n = sprintf(@b, "%s=%d;", "$k", $i);
@n += sprintf(@b + @n, "%c%02x", 'a' + $k, $u & 255);
printf("%s %d %d\n", @b, @n, snprintf(0, 0, "%d", $i));
}
`),
	}
}

// formats prints numbers with random flags, widths and precisions.
func (g *gen) formats() string {
	format, args := "", ""
	for range 1 + g.IntN(4) {
		kind, arg := g.conversion()
		flags := ""
		for _, f := range []string{"-", "+", " ", "#", "0"} {
			if g.chance(15) {
				flags += f
			}
		}
		width := g.pick("", "", "", "8", "3", "12", "*")
		if width == "*" {
			args += g.fill(", «$n|-$n|12»")
		}
		precision := g.pick("", "", "", ".0", ".3", ".10", ".*", ".")
		if kind == "c" {
			precision = ""
		}
		if precision == ".*" {
			args += g.fill(", «$k|-1»")
		}
		if kind == "c" || kind == "s" {
			flags = strings.NewReplacer("+", "", " ", "", "#", "", "0", "").Replace(flags)
		}
		if strings.ContainsAny(kind, "diu") {
			flags = strings.ReplaceAll(flags, "#", "")
		}
		if strings.ContainsAny(kind, "ouxX") {
			flags = strings.NewReplacer("+", "", " ", "").Replace(flags)
		}
		format += g.pick("", " ", "a", "%%", "[", "]") + "%" + flags + width + precision + kind
		args += ", " + arg
	}
	return sp("printf(\"%s\\n\"%s);\n", format, args)
}

// conversion returns a conversion specifier with its length, and an argument.
func (g *gen) conversion() (kind, arg string) {
	if g.with(Floats, 35) {
		v := g.fill("«$d|$f|0.0|-0.0|1.5|1e10|123456789.125|0.0001|99999.5|1e-10|2.5|1.0 / 3|1e100|5e-324|0.5f|1.7976931348623157e308»")
		return g.pick("f", "e", "g", "a", "F", "E", "G", "A", "f", "g"), v
	}
	length := g.pick("", "", "hh", "h", "l", "ll", "z", "j", "t")
	kind = g.pick("d", "i", "u", "x", "X", "o", "c", "s")
	switch {
	case kind == "c":
		return kind, g.fill("'!' + $k")
	case kind == "s":
		return kind, g.pick(`"string"`, `""`, `"a b"`)
	}
	e := g.fill(map[string]string{"": "$i", "hh": "$i", "h": "$i", "l": "$l", "ll": "(long long)$e", "z": "(size_t)$e", "j": "(long)$e", "t": "(ptrdiff_t)$e"}[length])
	if (length == "" || length == "l") && g.chance(30) {
		e = g.fill("«-1|0|1|12345|-2147483647 - 1»")
		if length == "l" {
			e += "L"
		}
	}
	return length + kind, e
}
