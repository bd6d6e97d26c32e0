package scan_test

import (
	"strings"
	"testing"
)

// What threads do with lists under the lock of q: listSorted puts an object j into one in order, listRemove takes one with a certain number out, listTake takes all out,
// listFree frees a list.
const (
	listWalk   = "LOCK struct job **p = &q.head; while (*p && (*p)->x < 5) p = &(*p)->next; "
	listSorted = "LOCK struct job **p = &q.head; while (*p && (*p)->x < j->x) p = &(*p)->next; j->next = *p; *p = j; UNLOCK "
	listRemove = "LOCK struct job **p = &q.head; while (*p && (*p)->x != 3) p = &(*p)->next; j = *p; if (j) *p = j->next; UNLOCK "
	listTake   = "LOCK j = q.head; q.head = 0; UNLOCK "
	listFree   = "while (j) { struct job *n = j->next; j->x++; free(j); j = n; }"
	listPrev   = "LOCK struct job *l = 0; for (j = q.head; j && j->x != 3; j = j->next) l = j; if (j) { if (l) l->next = j->next; else q.head = j->next; } UNLOCK "
)

// TestTransferLists has lists that are taken out as a whole, or in part, and such that are changed in the middle.
func TestTransferLists(t *testing.T) {
	all := func(put, take string) string { return transferringBy("", put, take, "") }
	end := func(take string) string {
		return transferringBy("struct { struct job *first, **last; } w = {0, &w.first};", "LOCK j->next = 0; *w.last = j; w.last = &j->next; UNLOCK ", take+listFree, "")
	}
	checkPairs(t, transferHeader, []pair{
		{"all", all(stackPut, listTake+listFree), all(stackPut, strings.Replace(listTake, "q.head = 0;", "", 1)+listFree)},
		{"all, in one section", all(stackPut, listTake+listFree), all(stackPut, strings.Replace(listTake, "q.head = 0;", "UNLOCK LOCK q.head = 0;", 1)+listFree)},
		{"all but the first", all(stackPut, "LOCK j = q.head; if (j) { struct job *f = j; j = j->next; f->next = 0; } UNLOCK "+listFree), all(stackPut, "LOCK j = q.head; if (j) j = j->next; UNLOCK "+listFree)},
		{"by the address of the last link", end("LOCK while (!w.first) pthread_cond_wait(&q.c, &q.m); j = w.first; w.first = 0; w.last = &w.first; UNLOCK "), end("LOCK while (!w.first) pthread_cond_wait(&q.c, &q.m); j = w.first; w.first = 0; UNLOCK ")},
		{"by the address of the last link, in one section", end("LOCK j = w.first; w.first = 0; w.last = &w.first; UNLOCK "), end("LOCK j = w.first; w.first = 0; UNLOCK LOCK w.last = &w.first; UNLOCK ")},
		{"with the last one", all(fifoPut, "LOCK j = q.head; q.head = q.tail = 0; UNLOCK "+listFree), all(fifoPut, "LOCK j = q.head; q.head = 0; UNLOCK "+listFree)},
		{"walked before", all(stackPut, listTake+"for (struct job *k = j; k; k = k->next) k->x++; "+listFree), all(stackPut, "LOCK j = q.head; UNLOCK for (struct job *k = j; k; k = k->next) k->x++; "+listTake+listFree)},
		{"put again", all(stackPut, listTake+"while (j) { struct job *n = j->next; j->x++; "+stackPut+" j = n; }"), all(stackPut, listTake+"while (j) { struct job *n = j->next; "+stackPut+" j->x++; j = n; }")},
		{"put again, unlinked", all(stackPut, listTake+"if (j && j->next) { struct job *k = j->next; j->next = k->next; LOCK k->next = q.head; q.head = k; UNLOCK } "+listFree),
			all(stackPut, listTake+"if (j && j->next) { struct job *k = j->next; LOCK k->next = q.head; q.head = k; UNLOCK } "+listFree)},
		{"reversed", all(stackPut, listTake+"struct job *r = 0; while (j) { struct job *n = j->next; j->next = r; r = j; j = n; } j = r; "+listFree),
			all(stackPut, listTake+"struct job *r = 0, *o = j; while (j) { struct job *n = j->next; j->next = r; r = j; j = n; } j = r; "+listFree+" if (o) o->x++;")},
		{"with an alias", all(strings.Replace(stackPut, "UNLOCK", "kept = j; UNLOCK", 1), "LOCK if (kept) kept->x++; kept = 0; j = q.head; q.head = 0; UNLOCK "+listFree),
			all(strings.Replace(stackPut, "UNLOCK", "kept = j; UNLOCK", 1), "LOCK if (kept) kept->x++; j = q.head; q.head = 0; UNLOCK "+listFree)},
		{"to another cell", all(stackPut, "LOCK if (!kept) { kept = q.head; q.head = 0; } UNLOCK LOCK j = kept; kept = 0; UNLOCK "+listFree), all(stackPut, "LOCK if (!kept) kept = q.head; UNLOCK LOCK j = kept; kept = 0; UNLOCK "+listFree)},
		{"the beginning", all(listSorted, listWalk+"j = q.head; q.head = *p; if (j == *p) j = 0; else *p = 0; UNLOCK "+listFree), all(listSorted, listWalk+"j = q.head; q.head = *p; UNLOCK "+listFree)},
		{"the rest", all(listSorted, listWalk+"j = *p; *p = 0; UNLOCK "+listFree), all(listSorted, listWalk+"j = *p; if (j) j->next = 0; UNLOCK "+listFree)},
		{"in order", transferring(listSorted, stackTake), transferring(strings.Replace(listSorted, "*p = j;", "*p = j; if (p != &q.head) q.head = j;", 1), stackTake)},
		{"in order, under one lock", transferring(strings.Replace(listSorted, "j->next = *p; *p = j;", "struct job *o = *p; *p = j; j->next = o;", 1), stackTake), transferring(strings.Replace(listSorted, "j->next = *p;", "UNLOCK LOCK j->next = *p;", 1), stackTake)},
		{"removed", transferring(listSorted, listRemove), transferring(listSorted, strings.Replace(listRemove, "*p = j->next;", "{ }", 1))},
		{"removed, then used", transferring(listSorted, listRemove), transferring(listSorted, strings.Replace(listRemove, "if (j)", "UNLOCK LOCK if (j)", 1))},
		{"removed by the one before", transferring(listSorted, listPrev), transferring(listSorted, strings.Replace(listPrev, "else q.head = j->next;", "", 1))},
		{"waits and begins again", all(strings.Replace(listSorted, "j->next = *p", "if (*p && full) { pthread_cond_wait(&q.c, &q.m); p = &q.head; } j->next = *p", 1), listTake+listFree),
			all(strings.Replace(listSorted, "j->next = *p", "if (*p && full) pthread_cond_wait(&q.c, &q.m); j->next = *p", 1), listTake+listFree)},
	})
}

// TestTransferWholeLists has lists that threads put into containers as a whole.
func TestTransferWholeLists(t *testing.T) {
	const (
		lock2, unlock2 = "pthread_mutex_lock(&q2.m); ", "pthread_mutex_unlock(&q2.m); "
		swap           = lock2 + "struct job *o = q2.head; q2.head = j; " + unlock2 + "j = o; "
		last           = "struct job *l = j; while (l->next) l = l->next; "
		turn           = "struct job *r = 0, *o = j; while (j) { struct job *n = j->next; j->x++; j->next = r; r = j; j = n; } LOCK if (!q.head) q.head = r; UNLOCK "
		built          = "struct job *b = j; b->next = 0; for (int i = 0; i < 3; i++) { struct job *k = malloc(sizeof *k); k->x = i; k->next = b; b = k; } "
	)
	all := func(put, take string) string { return transferringBy("", put, take, "") }
	checkPairs(t, transferHeader, []pair{
		{"to another queue", all(stackPut, listTake+swap+listFree), all(stackPut, listTake+"struct job *u = j; "+swap+"if (u) u->x++; "+listFree)},
		{"to another queue, the second used", all(stackPut, listTake+swap+listFree), all(stackPut, listTake+"struct job *u = j ? j->next : 0; "+swap+"if (u) u->x++; "+listFree)},
		{"in front", all(stackPut, listTake+"if (j) { "+last+"l->x++; LOCK l->next = q.head; q.head = j; UNLOCK }"), all(stackPut, listTake+"if (j) { "+last+"LOCK l->next = q.head; q.head = j; UNLOCK l->x++; }")},
		{"the rest", all(stackPut, listTake+"if (j) { LOCK if (!q.head) { q.head = j->next; j->next = 0; } UNLOCK } "+listFree), all(stackPut, listTake+"if (j) { LOCK if (!q.head) q.head = j->next; UNLOCK } "+listFree)},
		{"reversed", all(stackPut, listTake+turn), all(stackPut, listTake+turn+"if (o) o->x++;")},
		{"built alone", all(built+"LOCK j->next = q.head; q.head = b; UNLOCK", listTake+listFree), all(built+"LOCK j->next = q.head; q.head = b; UNLOCK j->x = 7;", listTake+listFree)},
	})
}

// TestTransferSorted has lists of which threads move objects under the lock: out of them one by one, or within them.
func TestTransferSorted(t *testing.T) {
	const (
		pop     = "struct job *d = q.head; q.head = d->next; d->next = j; j = d; "
		popped  = "LOCK while (q.head && q.head->x < 5) { " + pop + "} UNLOCK "
		collect = "LOCK for (struct job **p = &q.head; *p; ) if ((*p)->x == 3) { struct job *d = *p; *p = d->next; d->next = j; j = d; } else p = &(*p)->next; UNLOCK "
		along   = "LOCK struct job *k = q.head; while (k && k->x < 5) { struct job *d = k; k = d->next; d->next = j; j = d; } "
		turn    = "LOCK struct job *r = 0, *o = q.head; while (q.head) { struct job *d = q.head; q.head = d->next; d->next = r; r = d; } q.head = r; "
		split   = "LOCK struct job *r = 0; while (q.head) { struct job *d = q.head; q.head = d->next; if (d->x & 1) { d->next = r; r = d; } else { d->next = j; j = d; } } q.head = r; UNLOCK "
		toEnd   = "LOCK if (q.head && q.head->next) { struct job *d = q.head, *l; q.head = d->next; d->next = 0; for (l = q.head; l->next; l = l->next); l->next = d; } UNLOCK "
	)
	all := func(put, take string) string { return transferringBy("", put, take+listFree, "") }
	checkPairs(t, transferHeader, []pair{
		{"popped", all(listSorted, popped), all(listSorted, strings.Replace(popped, "UNLOCK", "if (j) q.head = j; UNLOCK", 1))},
		{"popped, waiting", all(listSorted, strings.Replace(popped, "j = d;", "j = d; if (full) pthread_cond_wait(&q.c, &q.m);", 1)), all(listSorted, strings.Replace(popped, "q.head = d->next;", "if (full) pthread_cond_wait(&q.c, &q.m); q.head = d->next;", 1))},
		{"the head once", all(listSorted, along+"q.head = k; UNLOCK "), all(listSorted, along+"UNLOCK LOCK q.head = k; UNLOCK ")},
		{"collected", all(listSorted, collect), all(listSorted, strings.Replace(collect, "d->next = j; ", "", 1))},
		{"reversed", transferring(stackPut, turn+"if ((j = q.head)) q.head = j->next; UNLOCK "), transferring(stackPut, turn+"UNLOCK j = o;")},
		{"split", all(stackPut, split), all(stackPut, strings.Replace(split, "d->next = j; j = d;", "d->next = r; r = d; j = d;", 1))},
		{"moved to the end", all(stackPut, toEnd+listTake), all(stackPut, strings.Replace(toEnd, "l->next = d;", "l->next = d; j = d;", 1))},
	})
}
