package randstr

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program returns a program that does something to a few strings, and asks for their lengths.
func Program(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 77))
	var b strings.Builder
	b.WriteString("#include <string.h>\n#include <stdio.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void);\n")
	b.WriteString("struct s { int n; char a[6]; char z[9]; }; struct s s = {1, \"ab\"}, o; char g[7] = \"hello\", h[5]; pthread_mutex_t m; unsigned long sum;\n")
	b.WriteString("void put(char *d, const char *f) { strcpy(d, f); } unsigned long len(const char *p) { return strlen(p); }\n")
	body := func(local string) {
		names := []string{"g", "h", "s.a", "s.z", "o.a", local}
		sizes := []int{7, 5, 6, 9, 6, 8}
		one := func() (string, int) { i := r.IntN(len(names)); return names[i], sizes[i] }
		text := func(n int) string { return fmt.Sprintf("%q", "abcdefgh"[:r.IntN(n)]) }
		for range 4 + r.IntN(8) {
			d, n := one()
			switch r.IntN(12) {
			case 0:
				fmt.Fprintf(&b, "  strcpy(%s, %s);\n", d, text(n))
			case 1:
				fmt.Fprintf(&b, "  %s[%d] = %s;\n", d, r.IntN(n), []string{"0", "'x'", "__VERIFIER_nondet_char()"}[r.IntN(3)])
			case 2:
				e, _ := one()
				fmt.Fprintf(&b, "  if (strlen(%s) < %d) strcpy(%s, %[1]s);\n", e, n, d)
			case 3:
				fmt.Fprintf(&b, "  if (strlen(%s) < %d) strcat(%[1]s, \"yz\");\n", d, n-2)
			case 4:
				fmt.Fprintf(&b, "  strncpy(%s, %s, %d); %[1]s[%[4]d] = 0;\n", d, text(n), 1+r.IntN(n), n-1)
			case 5:
				fmt.Fprintf(&b, "  snprintf(%s, %d, \"%%d\", __VERIFIER_nondet_int());\n", d, 1+r.IntN(n))
			case 6:
				fmt.Fprintf(&b, "  memset(%s, %s, %d); %[1]s[%[4]d] = 0;\n", d, []string{"0", "'x'"}[r.IntN(2)], r.IntN(n), n-1)
			case 7:
				fmt.Fprintf(&b, "  put(%s, %s);\n", d, text(n))
			case 8:
				b.WriteString("  o = s;\n")
			case 9:
				fmt.Fprintf(&b, "  { char *p = __VERIFIER_nondet_int() ? %s : %s; p[%d] = 0; }\n", d, local, r.IntN(5))
			case 10:
				fmt.Fprintf(&b, "  { char *p = %s; if (__VERIFIER_nondet_int()) p++; sum += strlen(p); }\n", d)
			}
			e, n := one()
			fmt.Fprintf(&b, "  %s[%d] = 0; sum += %s(%[1]s);\n", e, n-1, []string{"strlen", "len"}[r.IntN(2)])
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "  sum += strnlen(%s, %d);\n", e, r.IntN(n))
			}
		}
	}
	lock := r.IntN(3) > 0
	b.WriteString("void *work(void *x) {\n  char l[8] = \"abc\";\n")
	if lock {
		b.WriteString("  pthread_mutex_lock(&m);\n")
	}
	body("l")
	if lock {
		b.WriteString("  pthread_mutex_unlock(&m);\n")
	}
	b.WriteString("  return 0;\n}\nint main(void) {\n  char k[8]; k[7] = 0;\n")
	if r.IntN(2) == 0 {
		body("k")
	}
	if r.IntN(3) > 0 {
		b.WriteString("  pthread_t t; pthread_create(&t, 0, work, 0);\n")
	} else {
		b.WriteString("  work(0);\n")
	}
	if lock {
		b.WriteString("  pthread_mutex_lock(&m);\n")
	}
	body("k")
	if lock {
		b.WriteString("  pthread_mutex_unlock(&m);\n")
	}
	b.WriteString("}\n")
	return b.String()
}
