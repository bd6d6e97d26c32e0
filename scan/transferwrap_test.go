package scan_test

import (
	"testing"

	"comus/internal/long"
)

const (
	twoIn  = "LOCK if (n < 2) { s[in] = j; in = (in + 1) & 1; n++; j = 0; } UNLOCK free(j);"
	twoOut = "LOCK if (n) { j = s[out]; out = (out + 1) & 1; n--; } UNLOCK"
	twoOf  = "struct job *s[2]; unsigned in, out, n;"
	getReq = "struct req { long k; struct job *j; }; static struct req get(struct req *p) { struct req q; q.k = 0; q.j = 0; LOCK if (b.n) q.j = b.a[--b.n]; UNLOCK p->j = 0; return q; }"
	top    = "struct job *s[8]; int n;"
	topOut = "LOCK if (n > 0) j = s[--n]; UNLOCK"
)

// wrapPairs are programs in which an element, an index or a word is another one than it seems to be.
var wrapPairs = []pair{
	{"two before the tail of two", transferringBy(twoOf, twoIn, twoOut, "j->x++; free(j);"),
		transferringBy(twoOf, "LOCK if (n < 2) { s[in] = 0; s[(in - 2) & 1] = j; in = (in + 1) & 1; n++; UNLOCK j->x = 2; } else { UNLOCK free(j); }", twoOut, "j->x++; free(j);")},
	{"on both sides of the head", transferringBy(twoOf, twoIn, twoOut, "j->x++; free(j);"),
		transferringBy(twoOf, "LOCK if (n == 1) { s[(out + 1) & 1] = 0; s[(out - 1) & 1] = j; in = (in + 1) & 1; n++; UNLOCK j->x = 2; } else { if (n == 0) { s[in] = j; in = (in + 1) & 1; n++; j = 0; } UNLOCK free(j); }", twoOut, "j->x++; free(j);")},
	{"counted up in memory", allocated("", raw, heapIn, heapOut), allocated("", raw, heapIn+" LOCK __atomic_fetch_add((unsigned long *)&s, 8, __ATOMIC_RELAXED); UNLOCK", heapOut)},
	{"half an address", allocated("", raw, heapIn, heapOut), allocated("", raw, heapIn+" LOCK *(unsigned *)&s += 8; UNLOCK", heapOut)},
	{"a byte of an address", allocated("", raw, heapIn, heapOut), allocated("", raw, heapIn+" LOCK ((unsigned char *)&s)[0] ^= 8; UNLOCK", heapOut)},
	{"returned over a word", transferring(push, pop), transferringBy(getReq, push, "struct req r; r.j = 0; r = get(&r); if (r.j) { LOCK if (b.n < 8) b.a[b.n++] = r.j; UNLOCK r.j->x = 2; }", "")},
	{"below 0, and longer", transferringBy(top, "LOCK if (n < 8) { s[n] = j; n++; j = 0; } UNLOCK free(j);", topOut, "j->x++; free(j);"),
		transferringBy(top, "LOCK { unsigned long k = (unsigned)(n - 1); if (k + 1 != 0) { if (n == 0) { s[n] = j; n++; } } } UNLOCK j->x = 2;", topOut, "j->x++; free(j);")},
}

// TestTransferArraysWrapped has such programs, also with what the right ones are proved by claimed of the wrong ones.
func TestTransferArraysWrapped(t *testing.T) {
	for i, c := range wrapPairs {
		if !long.Turn(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			const header = arrayHeader + "int full;\n"
			if suspects, refused := proof(t, header+c.safe); len(suspects)+len(refused) > 0 {
				t.Errorf("the safe one: suspects %v, refused %v", suspects, refused)
			}
			if suspects, refused := proof(t, header+c.unsafe); len(suspects)+len(refused) == 0 { // the search may believe it
				t.Error("the unsafe one is certified")
			}
			if what := grownArray(t, c.unsafe); what != "" {
				t.Errorf("confirmed with %s\n%s", what, c.unsafe)
			}
		})
	}
}
