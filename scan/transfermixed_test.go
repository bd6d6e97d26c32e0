package scan_test

import "testing"

// ownTake takes all of a list out, into a local struct.
const ownTake = "struct { struct job *l, *n; } w; w.n = 0; LOCK w.l = q.head; q.head = 0; UNLOCK "

// TestTransferOwnWords has lists without names of which a thread keeps addresses in memory of its own: in a local struct w, or in what it has allocated.
func TestTransferOwnWords(t *testing.T) {
	const (
		local = "struct { struct job *l, *n; int k; } w; w.k = 0; w.l = w.n = 0; "
		take  = local + "LOCK w.l = q.head; q.head = 0; UNLOCK "
		free  = "while (w.l) { w.n = w.l->next; w.l->x++; free(w.l); w.l = w.n; } j = 0; "
		made  = "struct at { struct job *l; long k; } *w = malloc(sizeof *w); if (!w) return 0; w->k = 1; w->l = 0; "
		last  = "j = w.l; while (j->next) j = j->next; "
		all   = made + "LOCK w->l = q.head; q.head = 0; UNLOCK j = w->l; "
	)
	by := func(put, take string) string { return transferringBy("", put, take, "") }
	checkPairs(t, transferHeader, []pair{
		{"all", by(stackPut, take+free), by(stackPut, local+"LOCK w.l = q.head; UNLOCK "+free)},
		{"freed once", by(stackPut, take+free), by(stackPut, take+"w.n = w.l ? w.l->next : 0; "+"while (w.l) { j = w.l->next; free(w.l); w.l = j; } if (w.n) w.n->x++;")},
		{"the second one kept", by(stackPut, take+"if (w.l) { w.n = w.l->next; if (w.n) w.n->x++; "+last+"LOCK j->next = q.head; q.head = w.l; UNLOCK }"),
			by(stackPut, take+"if (w.l) { w.n = w.l->next; "+last+"LOCK j->next = q.head; q.head = w.l; UNLOCK if (w.n) w.n->x++; }")},
		{"cut in two", by(stackPut, take+"w.n = 0; if (w.l) { w.n = w.l->next; w.l->next = 0; } if (w.l) { LOCK w.l->next = q.head; q.head = w.l; UNLOCK } j = w.n; "+listFree),
			by(stackPut, take+"w.n = 0; if (w.l) { w.n = w.l->next; } if (w.l) { LOCK if (!q.head) q.head = w.l; UNLOCK } j = w.n; "+listFree)},
		{"in what is allocated", by(stackPut, all+listFree+"free(w);"), by(stackPut, all+listFree+"if (w->l) w->l->x++; free(w);")},
		{"in what is allocated, before", by(stackPut, all+"if (w->l) w->l->x++; "+listFree+"free(w);"), by(stackPut, made+"LOCK w->l = q.head; UNLOCK if (w->l) w->l->x++; LOCK j = q.head; q.head = 0; UNLOCK "+listFree+"free(w);")},
		{"walked to the third", by(stackPut, take+"w.n = w.l; while (w.k < 2 && w.n) { w.n = w.n->next; w.k++; } if (w.n) w.n->x++; "+free),
			by(stackPut, take+"w.n = w.l; while (w.k < 2 && w.n) { w.n = w.n->next; w.k++; } LOCK if (!q.head) { q.head = w.l; w.l = 0; } UNLOCK if (w.n) w.n->x++; ")},
	})
}
