package sema

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/internal/long"
)

// records makes random struct and union types and variables that tell their layouts.
type records struct {
	r   *rand.Rand
	b   strings.Builder
	m32 bool
}

func (g *records) scalar() string {
	l := []string{"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
		"unsigned long long", "float", "double", "long double", "void *", "_Bool", "_Complex float", "_Complex double", "enum e", "_Float128", "char *", "int (*)(void)"}
	if !g.m32 {
		l = append(l, "__int128", "_Complex long double")
	}
	return l[g.r.Intn(len(l))]
}

func (g *records) pick(l ...string) string { return l[g.r.Intn(len(l))] }

// record writes a type; nested ones may use those before it.
func (g *records) record(i int) {
	name := fmt.Sprintf("T%d", i)
	kind := "struct"
	if g.r.Intn(5) == 0 {
		kind = "union"
	}
	pack := ""
	if g.r.Intn(6) == 0 {
		pack = g.pick("1", "2", "4", "8", "16")
		fmt.Fprintf(&g.b, "#pragma pack(push, %s)\n", pack)
	}
	fmt.Fprintf(&g.b, "%s %s { ", kind, name)
	var plain, bits []string
	bitHeavy := g.r.Intn(2) == 0
	for f := range 1 + g.r.Intn(7) {
		fn := fmt.Sprintf("f%d", f)
		attr := ""
		if g.r.Intn(10) == 0 {
			attr = g.pick(" __attribute__((packed))", " __attribute__((aligned(8)))", " __attribute__((aligned(2)))", " __attribute__((aligned))",
				" __attribute__((packed, aligned(2)))", " __attribute__((aligned(32)))")
		}
		switch {
		case bitHeavy && g.r.Intn(3) > 0 || g.r.Intn(5) == 0:
			ty, w := g.bitType()
			width := 1 + g.r.Intn(w)
			if g.r.Intn(4) == 0 {
				width = []int{8, 16, 32, 64}[g.r.Intn(4)]
				if width > w {
					width = w
				}
			}
			switch g.r.Intn(8) {
			case 0:
				fmt.Fprintf(&g.b, "%s : %d%s; ", ty, width, attr)
			case 1:
				fmt.Fprintf(&g.b, "%s : 0; ", ty)
			default:
				fmt.Fprintf(&g.b, "%s %s : %d%s; ", ty, fn, width, attr)
				bits = append(bits, fn)
			}
		case i > 3 && g.r.Intn(6) == 0:
			k := g.r.Intn(i)
			fmt.Fprintf(&g.b, "__typeof__(*(R%d *)0) %s%s; ", k, fn, attr)
			plain = append(plain, fn)
		case g.r.Intn(8) == 0:
			fmt.Fprintf(&g.b, "%s { char a%d; %s b%d; } ; ", g.pick("struct", "union"), f, g.plainScalar(), f)
			plain = append(plain, fmt.Sprintf("a%d", f), fmt.Sprintf("b%d", f))
		default:
			dim := ""
			if g.r.Intn(5) == 0 {
				dim = g.pick("[0]", "[1]", "[3]", "[2][2]")
			}
			align := ""
			if g.r.Intn(20) == 0 {
				align = "_Alignas(16) "
			}
			fmt.Fprintf(&g.b, "%s__typeof__(%s) %s%s%s; ", align, g.scalar(), fn, dim, attr)
			plain = append(plain, fn)
		}
	}
	attr := ""
	if g.r.Intn(4) == 0 {
		attr = g.pick(" __attribute__((packed))", " __attribute__((packed))", " __attribute__((aligned(16)))", " __attribute__((packed, aligned(4)))",
			" __attribute__((ms_struct))", " __attribute__((packed, ms_struct))")
	}
	fmt.Fprintf(&g.b, "}%s;\n", attr)
	if pack != "" {
		fmt.Fprintf(&g.b, "#pragma pack(pop)\n")
	}
	fmt.Fprintf(&g.b, "typedef %s %s R%d;\n", kind, name, i)
	fmt.Fprintf(&g.b, "unsigned long long %s_d [] = { sizeof(R%d), _Alignof(R%d), __alignof__(R%d)", name, i, i, i)
	for _, f := range plain {
		fmt.Fprintf(&g.b, ", __builtin_offsetof(R%d, %s)", i, f)
	}
	fmt.Fprintf(&g.b, " };\n")
	for _, f := range bits {
		fmt.Fprintf(&g.b, "R%d %s_%s = { .%s = -1 };\n", i, name, f, f)
	}
}

func (g *records) plainScalar() string {
	for {
		if s := g.scalar(); !strings.Contains(s, "(") {
			return s
		}
	}
}

func (g *records) bitType() (string, int) {
	switch g.r.Intn(12) {
	case 0:
		return "char", 8
	case 1:
		return "unsigned char", 8
	case 2:
		return "short", 16
	case 3:
		return "unsigned short", 16
	case 4:
		return "_Bool", 1
	case 5:
		return "long long", 64
	case 6:
		return "unsigned long long", 64
	case 7:
		return "enum e", 32
	case 8:
		return "i8a", 32
	}
	return []string{"int", "unsigned"}[g.r.Intn(2)], 32
}

// TestLayout compares the layouts of random types with gcc's.
func TestLayout(t *testing.T) {
	long.Only(t)
	for _, m32 := range []bool{false, true} {
		for seed := range int64(5) {
			g := &records{r: rand.New(rand.NewSource(seed)), m32: m32}
			g.b.WriteString("enum e { A, B, C };\ntypedef int i8a __attribute__((aligned(8)));\n")
			for i := range 250 {
				g.record(i)
			}
			n := compareData(t, g.b.String(), command.Flags{ILP32: m32})
			t.Logf("32 bits %t, seed %d: %d variables", m32, seed, n)
		}
	}
}
