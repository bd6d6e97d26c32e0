package pointsto

import "testing"

// TestPieces has pointers that are taken to pieces, each in one way only, and made whole again.
func TestPieces(t *testing.T) {
	const halves = "union { int *p; unsigned h[2]; _Atomic unsigned v[2]; double d; float f[2]; } u, w;\n"
	for _, c := range []struct{ name, body string }{
		{"loads", "w.h[0] = u.h[0]; w.h[1] = u.h[1];"},
		{"exchanged", "w.h[0] = __atomic_exchange_n(&u.h[0], 0, 5); w.h[1] = __atomic_exchange_n(&u.h[1], 0, 5);"},
		{"fetched", "w.h[0] = __atomic_fetch_or(&u.h[0], 0, 5); w.h[1] = __atomic_fetch_add(&u.h[1], 0, 5);"},
		{"compared", "unsigned x = 1, y = 1; __atomic_compare_exchange_n(&u.h[0], &x, 2, 0, 5, 5); __atomic_compare_exchange_n(&u.h[1], &y, 1u << 31, 0, 5, 5); w.h[0] = x; w.h[1] = y;"},
		{"copied", "memcpy(&w.h[0], &u.h[0], 4); memcpy(&w.h[1], &u.h[1], 4);"},
		{"narrowed", "uintptr_t i = (uintptr_t)u.p; unsigned lo = i, hi = i >> 32; w.p = (int *)((uintptr_t)hi << 32 | lo);"},
		{"narrowed by a sum", "unsigned lo, hi; __builtin_add_overflow((uintptr_t)u.p, 0ul, &lo); __builtin_add_overflow((uintptr_t)u.p >> 32, 0ul, &hi); w.p = (int *)((uintptr_t)hi << 32 | lo);"},
		{"as a number with a fraction", "double d = u.d; w.d = d;"},
		{"as two of them", "float f = u.f[0], g = u.f[1]; w.f[0] = f; w.f[1] = g;"},
		{"bits", "struct { uintptr_t lo : 20, hi : 44; } b; uintptr_t i = (uintptr_t)u.p; b.lo = i; b.hi = i >> 20; w.p = (int *)((uintptr_t)b.hi << 20 | b.lo);"},
		{"bits in memory", "union { int *p; struct { uintptr_t lo : 20, hi : 44; } b; } x, y; x.p = u.p; y.b.lo = x.b.lo; y.b.hi = x.b.hi; w.p = y.p;"},
		{"filled", "for (int i = 0; i < 8; i++) memset((unsigned char *)&w + i, ((unsigned char *)&u)[i], 1);"},
		{"characters", "unsigned char b[8]; for (int i = 0; i < 8; i++) b[i] = ((unsigned char *)&u)[i]; for (int i = 0; i < 8; i++) ((unsigned char *)&w)[i] = b[i];"},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog, r := analysed(t, decls+halves+"int main(void) { u.p = &a; "+c.body+" p = w.p; return 0; }")
			if got := held(t, r, "p", 0); got != "a" && got != "a+any" {
				t.Errorf("%q", got)
			}
			open, err := AnalyseOpen(t.Context(), prog)
			if err != nil {
				t.Fatal(err)
			}
			if got := held(t, open, "p", 0); !open.Parts && got != "a" && got != "a+any" {
				t.Error("whoever does not follow pieces has to say so")
			}
		})
	}
}

// TestWhole has pointers that stay whole.
func TestWhole(t *testing.T) {
	for _, body := range []string{
		"p = &a; q = p; n = *q; if (p) c = 1; n = p == q;",
		"unsigned x = 1; __atomic_compare_exchange_n((unsigned *)&b, &x, 2, 0, 5, 5); __builtin_add_overflow(n, 1, &c); memset(&p, 0, 8);",
		"p = &a; int *x = &b; __atomic_compare_exchange_n(&p, &x, &c, 0, 5, 5);",
	} {
		prog, _ := analysed(t, decls+"int main(void) { "+body+" return 0; }")
		if open, err := AnalyseOpen(t.Context(), prog); err != nil || open.Parts {
			t.Errorf("%s: %v", body, err)
		}
	}
}
