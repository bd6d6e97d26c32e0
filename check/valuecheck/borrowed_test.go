package valuecheck_test

import (
	"fmt"
	"testing"

	"comus/check/valuecheck"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// lenders are programs of which an assertion is confirmed, and others that differ by what spoils it. What is claimed of the first one fits the second one but for that.
var lenders = []struct{ name, lender, open string }{
	{"a write of unknown length to a lock", lockUser + "int main(void) { begin(); memset(o, 0, __VERIFIER_nondet_int() ? sizeof *o : 0); end(); }", lockUser + "int main(void) { begin(); memset(k, 0, __VERIFIER_nondet_int() ? sizeof *k : 0); end(); }"},
	{"a write of one length to a lock", lockUser + "int main(void) { begin(); memset(o, 0, sizeof *o); end(); }", lockUser + "int main(void) { begin(); memset(k, 0, sizeof *k); end(); }"},
	{"a number in a lock", lockUser + "int main(void) { begin(); *o = 0; end(); }", lockUser + "int main(void) { begin(); *k = 0; end(); }"},
	{"any number in a lock", lockUser + "int main(void) { begin(); *o = __VERIFIER_nondet_int(); end(); }", lockUser + "int main(void) { begin(); *k = __VERIFIER_nondet_int(); end(); }"},
	{"a byte of a lock", lockUser + "int main(void) { begin(); ((char *)o)[2] = 0; end(); }", lockUser + "int main(void) { begin(); ((char *)k)[2] = 0; end(); }"},
	{"a number that begins before a lock", lockUser + "int main(void) { begin(); *(int *)((char *)o - 2) = 1; end(); }", lockUser + "int main(void) { begin(); *(int *)((char *)k - 2) = 1; end(); }"},
	{"a number that ends behind a lock", lockUser + "int main(void) { begin(); *(long *)o = 1L << 32; end(); }", lockUser + "int main(void) { begin(); *(long *)k = 1L << 32; end(); }"},
	{"read into a lock", lockUser + "int main(void) { begin(); read(0, o, 4); end(); }", lockUser + "int main(void) { begin(); read(0, k, 4); end(); }"},
	{"assembler with a lock", lockUser + "int main(void) { begin(); __asm__ volatile(\"inc %0\" : : \"r\"(o) : \"memory\"); end(); }", lockUser + "int main(void) { begin(); __asm__ volatile(\"inc %0\" : : \"r\"(k) : \"memory\"); end(); }"},
	{"the first one of two locks", twoLocks + "int main(void) { begin(); memset(b, 0, sizeof *b); end(a, &g); }", twoLocks + "int main(void) { begin(); memset(a, 0, sizeof *a); end(a, &g); }"},
	{"the second one of two locks", twoLocks + "int main(void) { begin(); memset(a, 0, sizeof *a); end(b, &h); }", twoLocks + "int main(void) { begin(); memset(b, 0, sizeof *b); end(b, &h); }"},
	{"both of two locks", twoLocks + "int main(void) { begin(); memset(&s3, 0, 2 * sizeof *a); end(a, &g); other(); }", twoLocks + "int main(void) { begin(); memset(a, 0, 2 * sizeof *a); end(a, &g); other(); }"},
	{"a lock that is held, before there are threads", lockUser + "int main(void) { S(k); *o = 0; begin(); g = 9; g = 1; V(k); end(); }", lockUser + "int main(void) { S(k); *k = 0; begin(); g = 9; g = 1; V(k); end(); }"},
	{"read", "int x = 1, y = 1; int main(void) { x = y = 1; read(0, &y, sizeof y); assert(x == 1); }", "int x = 1, y = 1; int main(void) { x = y = 1; read(0, &x, sizeof x); assert(x == 1); }"},
	{"read into one of two", "int x, y, z; int main(void) { x = y = z = 1; int *p = &y; if (__VERIFIER_nondet_int()) p = &z; read(0, p, 4); assert(x == 1); }", "int x, y, z; int main(void) { x = y = z = 1; int *p = &y; if (__VERIFIER_nondet_int()) p = &x; read(0, p, 4); assert(x == 1); }"},
	{"a line", "int x, y; int main(void) { x = y = 1; fgets((char *)&y, 4, stdin); assert(x == 1); }", "int x, y; int main(void) { x = y = 1; fgets((char *)&x, 4, stdin); assert(x == 1); }"},
	{"scanned", "int x, y; int main(void) { x = y = 1; scanf(\"%d\", &y); assert(x == 1); }", "int x, y; int main(void) { x = y = 1; scanf(\"%d\", &x); assert(x == 1); }"},
	{"the second one that is scanned", "int x, y, z; int main(void) { x = y = 1; scanf(\"%d%d\", &z, &y); assert(x == 1); }", "int x, y, z; int main(void) { x = y = 1; scanf(\"%d%d\", &z, &x); assert(x == 1); }"},
	{"scanned from a text", "int x, y; int main(void) { x = y = 1; sscanf(\"7\", \"%d\", &y); assert(x == 1); }", "int x, y; int main(void) { x = y = 1; sscanf(\"7\", \"%d\", &x); assert(x == 1); }"},
	{"the second one that is scanned from a text", "int x, y, z; int main(void) { x = y = 1; sscanf(\"7 8\", \"%d%d\", &z, &y); assert(x == 1); }", "int x, y, z; int main(void) { x = y = 1; sscanf(\"7 8\", \"%d%d\", &z, &x); assert(x == 1); }"},
	{"printed", "int x, y; int main(void) { x = y = 1; sprintf((char *)&y, \"%d\", 7); assert(x == 1); }", "int x, y; int main(void) { x = y = 1; sprintf((char *)&x, \"%d\", 7); assert(x == 1); }"},
	{"assembler", "int x, y; int main(void) { x = y = 1; __asm__ volatile(\"inc %0\" : : \"r\"(&y) : \"memory\"); if (__VERIFIER_nondet_int()) y = 2; assert(x == 1); }", "int x, y; int main(void) { x = y = 1; __asm__ volatile(\"inc %0\" : : \"r\"(&x) : \"memory\"); if (__VERIFIER_nondet_int()) y = 2; assert(x == 1); }"},
	{"assembler, further on", "int x, y, *p; int main(void) { x = y = 1; p = &y; __asm__ volatile(\"inc %0\" : : \"r\"(&p) : \"memory\"); if (__VERIFIER_nondet_int()) y = 2; assert(x == 1); }", "int x, y, *p; int main(void) { x = y = 1; p = &x; __asm__ volatile(\"inc %0\" : : \"r\"(&p) : \"memory\"); if (__VERIFIER_nondet_int()) y = 2; assert(x == 1); }"},
	{"one of three functions gives a lock back", threeWays("V(k); S(k);"), threeWays("V(k); S(&s3.lock);")},
	{"one of three functions takes another lock instead", threeWays("V(k); S(k); S(o);"), threeWays("V(k); S(&s3.lock); S(o);")},
	{"a function changes what a lock guards", lockUser + "void w(int *p) { *p = 2; } int main(void) { begin(); S(k); g = 1; h = 1; w(&h); assert(g == 1); V(k); }", lockUser + "void w(int *p) { *p = 2; } int main(void) { begin(); S(k); g = 1; h = 1; w(&g); assert(g == 1); V(k); }"},
}

// Locks are such that nothing but the lock itself is written with them: a mutex of which anything is written may be one of another kind.
const (
	spin = `struct { int before; pthread_spinlock_t lock; int behind; } s1, s2, s3; pthread_spinlock_t *const k = &s1.lock, *const o = &s2.lock;
#define S pthread_spin_lock
#define V pthread_spin_unlock
int g, h; `
	lockUser = spin + `void *f(void *x) { S(k); assert(g <= 1); g = 9; g = 1; V(k); S(o); V(o); return 0; } void begin(void) { pthread_create(&t, 0, f, 0); } void end(void) { S(k); assert(g <= 1); V(k); } `
	twoLocks = spin + `struct { pthread_spinlock_t a, b; } two; pthread_spinlock_t *const a = &two.a, *const b = &two.b;
void *f(void *x) { S(a); g = 9; g = 1; V(a); S(b); h = 9; h = 1; V(b); return 0; }
void begin(void) { pthread_create(&t, 0, f, 0); S(a); g = 1; V(a); S(b); h = 1; V(b); } void end(pthread_spinlock_t *l, int *p) { S(l); assert(*p <= 1); V(l); } void other(void) { S(b); assert(h <= 1); V(b); } `
)

// threeWays calls one of three functions, the second one of which does something with locks, while a lock is held.
func threeWays(second string) string {
	return spin + "void *f(void *p) { S(k); assert(g <= 1); V(k); S(o); h = 1; V(o); return 0; } void x(void) { } void y(void) { " + second + " } void z(void) { } " +
		"int main(void) { pthread_create(&t, 0, f, 0); S(o); h = 1; V(o); S(k); void (*p)(void) = x; if (__VERIFIER_nondet_int()) p = y; if (__VERIFIER_nondet_int()) p = z; p(); g = 9; g = 1; V(k); }"
}

// numbered gives each of some things, which are told apart by their names and by how many of the same name were before, its number.
func numbered[T any](list []T, name func(T) string) map[string]int {
	count, number := map[string]int{}, map[string]int{}
	for i, x := range list {
		k := name(x)
		count[k]++
		number[fmt.Sprintf("%s %d", k, count[k])] = i
	}
	return number
}

// translation returns the numbers that things have in another program, -1 if they are not there.
func translation[T any](from, to []T, name func(T) string) []int {
	list, there := make([]int, len(from)), numbered(to, name)
	for k, i := range numbered(from, name) {
		list[i] = -1
		if j, ok := there[k]; ok {
			list[i] = j
		}
	}
	return list
}

// claimsOf returns what is claimed of one program, said of another one: objects and copies of functions need not be found in the same order.
func claimsOf(from, to *subject) *certificate.Values {
	c := from.found.Claims()
	objects := translation(from.pts.Objects, to.pts.Objects, (*pointsto.Object).String)
	copies := translation(from.pts.Copies(), to.pts.Copies(), func(x pointsto.Copy) string { return x.Func.Name })
	for i := range c.Locks {
		c.Locks[i].Object = objects[c.Locks[i].Object]
	}
	for i := range c.Cells {
		c.Cells[i].Object = objects[c.Cells[i].Object]
	}
	changes := make([][]int, len(to.pts.Copies()))
	for i, list := range c.Changes {
		if copies[i] >= 0 {
			changes[copies[i]] = list
		}
	}
	c.Changes = changes
	for i := range c.Activations {
		c.Activations[i].Copy = copies[c.Activations[i].Copy]
	}
	return c
}

// TestLenders has what is claimed of a program claimed of one where it is wrong.
func TestLenders(t *testing.T) {
	for _, p := range lenders {
		lender, err := analysed(t.Context(), decls+p.lender)
		if err != nil {
			t.Fatal(err)
		}
		s, err := analysed(t.Context(), decls+p.open)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := lender.check(t.Context()); err != nil || len(r.Confirmed) == 0 {
			t.Errorf("%s: not confirmed of the lender (%v)", p.name, err)
		}
		r, err := valuecheck.Check(t.Context(), s.prog, s.pts, claimsOf(lender, s), valuecheck.Options{})
		if err != nil {
			t.Errorf("%s: what the lender claims does not fit: %v", p.name, err)
		} else if len(r.Confirmed) > 0 {
			t.Errorf("%s: confirmed by what is claimed of the other program", p.name)
		}
	}
}

// TestLockInCell claims a cell that is larger than a lock: what is written to it is not 0, but the lock's part of it is.
func TestLockInCell(t *testing.T) {
	lender, err := analysed(t.Context(), decls+lockUser+"int main(void) { begin(); *(long *)o = 1L << 32; end(); }")
	if err != nil {
		t.Fatal(err)
	}
	s, err := analysed(t.Context(), decls+lockUser+"int main(void) { begin(); *(long *)k = 1L << 32; end(); }")
	if err != nil {
		t.Fatal(err)
	}
	c, found := claimsOf(lender, s), false
	for i := range c.Cells {
		if x := &c.Cells[i]; x.Object >= 0 && s.pts.Objects[x.Object].String() == "s1" && x.Off == 4 {
			x.Size, x.Bits, x.Ever, x.Met, found = 8, 64, "", "", true
		}
	}
	r, err := valuecheck.Check(t.Context(), s.prog, s.pts, c, valuecheck.Options{})
	if err != nil || !found {
		t.Fatalf("the cell is there: %t (%v)", found, err)
	}
	if len(r.Confirmed) > 0 {
		t.Error("confirmed, though the lock is set free")
	}
}
