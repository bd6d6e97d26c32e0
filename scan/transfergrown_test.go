package scan_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// wrongTransfers are programs with races on objects whose ownership is nearly transferred, beside those of TestTransfer.
var wrongTransfers = map[string]string{
	"copied, not taken":                transferring(slotPut, "LOCK memcpy(&j, &slot, sizeof j); UNLOCK"),
	"copied from the queue":            transferringBy("", stackPut, "struct queue copy; LOCK memcpy(&copy, &q, sizeof q); j = copy.head; UNLOCK", "j->x = 1;"),
	"filled after it was put":          transferring(stackPut+" memset(j->text, 1, 8);", stackTake),
	"text after it was put":            transferring(slotPut+" strcpy(j->text, \"a\");", slotTake),
	"text read after it was put":       transferringBy("#include <stdio.h>\n", slotPut+" puts(j->text);", slotTake, "j->text[0] = 0;"),
	"given outside after":              transferringBy("void ext(struct job *);", slotPut, slotTake, "ext(j);"),
	"given outside in a list":          transferringBy("void ext(struct job **);", stackPut, "LOCK j = q.head; if (j) q.head = j->next; ext(&q.head); UNLOCK", "j->x++;"),
	"returned whole":                   transferringBy("static struct job get(struct job *j) { return *j; }", slotPut+" struct job k = get(j); full = k.x;", slotTake, "j->x++;"),
	"passed whole":                     transferringBy("static int get(struct job j) { return j.x; }", slotPut+" full = get(*j);", slotTake, "j->x++;"),
	"written whole":                    transferringBy("static struct job new(void) { struct job k = { 1 }; return k; }", slotPut+" *j = new();", slotTake, "j->x++;"),
	"assigned whole":                   transferringBy("struct job none;", slotPut+" *j = none;", slotTake, "j->x++;"),
	"the link is overwritten":          transferringBy("struct job none;", stackPut, "LOCK j = q.head; if (j) { q.head = j->next; if (q.head) q.head->next = j; } UNLOCK", "j->x++;"),
	"a lock for reading":               transferringBy("pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_rdlock(&rw); slot = j; pthread_rwlock_unlock(&rw);", "pthread_rwlock_rdlock(&rw); j = slot; slot = 0; pthread_rwlock_unlock(&rw);", "j->x++;"),
	"a lock that begins again":         transferring("pthread_mutex_init(&q.m, 0); "+slotPut, slotTake),
	"a lock that is cleared":           transferring("memset(&q.m, 0, sizeof q.m); "+slotPut, slotTake),
	"one of two locks":                 transferringBy("int pick; ", "pthread_mutex_t *l = full ? &q.m : &other; pthread_mutex_lock(l); slot = j; pthread_mutex_unlock(l);", slotTake, "j->x++;"),
	"by the address of a slot":         transferring("struct job **p = full ? &slot : &kept; *p = j;", slotTake),
	"half of a slot":                   transferring(slotPut, "LOCK j = slot; *(int *)&slot = 0; UNLOCK"),
	"half of a slot is kept":           transferring(slotPut, "LOCK j = slot; ((int *)&slot)[1] = 0; UNLOCK"),
	"an address in the middle":         transferringBy("int *mid;", "LOCK mid = &j->x; UNLOCK "+slotPut+" *mid = 4;", slotTake, "j->x++;"),
	"swapped atomically":               transferring("j = __atomic_exchange_n(&slot, j, 5); if (j) j->x = 3; "+slotPut, "LOCK j = slot; UNLOCK"),
	"recursion":                        transferringBy("static void again(struct job *j, int n) { if (n) again(j, n - 1); j->x = n; }", slotPut+" again(j, 3);", slotTake, "again(j, 2);"),
	"kept after it was freed":          transferring(slotPut, slotTake+" if (j) { free(j); j->x = 1; LOCK slot = j; UNLOCK j = 0; }"),
	"put into both":                    transferring("LOCK slot = j; kept = j; UNLOCK", "LOCK j = slot; slot = 0; UNLOCK if (!j) { LOCK j = kept; kept = 0; UNLOCK }"),
	"taken from one of both":           transferring("LOCK slot = j; j->next = q.head; q.head = j; UNLOCK", "LOCK j = slot; slot = 0; UNLOCK if (!j) { "+stackTake+" }"),
	"a ring of one":                    transferring("LOCK j->next = j; q.head = j; UNLOCK", stackTake),
	"behind another one, and first":    transferring("LOCK j->next = q.head; if (q.head) q.head->next = j; q.head = j; UNLOCK", stackTake),
	"the last one taken, not unlinked": transferring(fifoPut, "LOCK j = q.tail; q.tail = 0; UNLOCK"),
	"waits for another lock":           transferring(slotPut, "LOCK j = slot; pthread_mutex_unlock(&q.m); pthread_mutex_lock(&other); slot = 0; pthread_mutex_unlock(&other);"),
	"given back too early":             transferring("LOCK UNLOCK slot = j;", slotTake),
	"main takes part":                  transferringBy("", slotPut, slotTake, "j->x++;") + "static void *third(void *x) { if (kept) kept->x = 1; return 0; } __attribute__((constructor)) void begin(void) { pthread_t t; kept = malloc(sizeof *kept); slot = kept; pthread_create(&t, 0, third, 0); }",
	"a handler":                        "#include <signal.h>\n" + transferringBy("static void handler(int s) { if (slot) slot->x = 1; } __attribute__((constructor)) void begin(void) { signal(SIGUSR1, handler); }", slotPut, slotTake, "j->x++;"),
	"jumps back":                       "#include <setjmp.h>\n" + transferringBy("static _Thread_local jmp_buf env;", "setjmp(env); j->x++; if (!full) { "+slotPut+" longjmp(env, 1); }", slotTake, "j->x++;"),
	"a switch":                         transferring("switch (full) { case 0: case 1: "+slotPut+" case 2: j->x = 1; }", slotTake),
	"a choice":                         transferring("LOCK kept = full ? j : slot; slot = full ? slot : j; UNLOCK", "LOCK j = full ? kept : slot; slot = 0; kept = 0; UNLOCK if (j) j->x = 5; LOCK slot = j; UNLOCK if (j) j->x = 4;"),
	"null is not compared":             transferring(slotPut, "LOCK j = slot; if (j == 0) slot = 0; UNLOCK"),
	"given to a thread":                transferringBy("static void *third(void *x) { ((struct job *)x)->x = 7; return 0; }", "pthread_t t; pthread_create(&t, 0, third, j); "+slotPut, slotTake, "j->x++;"),
	"a semaphore of many":              "#include <semaphore.h>\n" + transferringBy("sem_t sem; __attribute__((constructor)) void begin(void) { sem_init(&sem, 0, 2); }", "sem_wait(&sem); slot = j; sem_post(&sem);", "sem_wait(&sem); j = slot; slot = 0; sem_post(&sem);", "j->x++;"),
	"by memmove to the list":           transferring("LOCK memmove(&q.tail, &q.head, 8); j->next = q.head; q.head = j; UNLOCK", "LOCK j = q.tail; UNLOCK"),
	"links that memory fills":          transferring("LOCK memset(&j->next, 255, 8); struct job *k = q.head; q.head = j; memcpy(&j->next, &k, 8); UNLOCK", "LOCK j = q.head; UNLOCK"),
	"the address of the link":          transferringBy("struct job **last;", "LOCK j->next = 0; if (last) *last = j; else q.head = j; last = &j->next; UNLOCK", stackTake, "*last = 0; j->x++;"),
	"goto":                             transferring("void *where = full ? &&a : &&b; "+slotPut+" goto *where; a: j->x = 2; b:;", slotTake),
	"what was allocated zeroed":        strings.Replace(transferring(slotPut, "LOCK j = slot; slot = 0; UNLOCK if (j && !j->next) { LOCK slot = j; UNLOCK }"), "malloc(sizeof *j)", "calloc(1, sizeof *j)", 1),
	"unlinked while another waits":     transferring(stackPut, "LOCK j = q.head; if (j) { pthread_cond_wait(&q.c, &q.m); q.head = j->next; } UNLOCK"),
	"tried, and not looked":            transferring(slotPut, "pthread_mutex_trylock(&q.m); j = slot; slot = 0; UNLOCK"),
	"another one's is freed":           transferringBy("", stackPut, "LOCK j = q.head; UNLOCK if (j) free(j); j = 0;", "j->x++;"),
	"put while it is the thread's":     transferringBy("", slotPut, slotTake, "LOCK if (!slot) slot = j; UNLOCK j->x++;"),
	"the first one of two is used":     transferring("struct job *k = malloc(sizeof *k); LOCK j->next = k; k->next = q.head; q.head = j; UNLOCK k->x = 1;", stackTake),
	"all taken, not emptied":           transferringBy("", stackPut, "LOCK j = q.head; UNLOCK "+listFree, ""),
	"all taken, emptied later":         transferringBy("", stackPut, "LOCK j = q.head; UNLOCK LOCK q.head = 0; UNLOCK "+listFree, ""),
	"all taken, and the last one kept": transferringBy("", fifoPut, "LOCK j = q.head; q.head = 0; UNLOCK "+listFree, ""),
	"all taken, and one put again":     transferringBy("", stackPut, listTake+"if (j && j->next) { struct job *k = j->next; LOCK k->next = q.head; q.head = k; UNLOCK } "+listFree, ""),
	"all taken, and put again":         transferringBy("", stackPut, listTake+"LOCK if (!q.head) q.head = j; UNLOCK "+listFree, ""),
	"all put again, and used":          transferringBy("", stackPut, listTake+"if (j) { struct job *l = j; while (l->next) l = l->next; LOCK l->next = q.head; q.head = j; UNLOCK l->x++; }", ""),
	"all put again as a ring":          transferringBy("", stackPut, listTake+"if (j) { struct job *l = j; while (l->next) l = l->next; l->next = j; LOCK q.head = j; UNLOCK LOCK q.head = 0; UNLOCK l->x++; }", ""),
	"the rest put again, not cut":      transferringBy("", stackPut, listTake+"if (j) { LOCK if (!q.head) q.head = j->next; UNLOCK } "+listFree, ""),
	"two lead to one without a name":   transferringBy("", stackPut, listTake+"if (j && j->next && j->next->next) { struct job *b = j->next, *k = malloc(sizeof *k); j->next = b->next; LOCK k->next = q.head; q.head = k; UNLOCK if (j->next == b->next) k->x = 1; } if (j) j->x++;", ""),
	"reversed, and the first one used": transferringBy("", stackPut, "LOCK struct job *r = 0, *o = q.head; while (q.head) { struct job *d = q.head; q.head = d->next; d->next = r; r = d; } q.head = r; UNLOCK j = o;", "j->x++;"),
	"reversed, as a ring, and used":    transferringBy("", stackPut, "LOCK struct job *r = q.head, *o = r; while (q.head) { struct job *d = q.head; q.head = d->next; d->next = r; r = d; } UNLOCK LOCK q.head = o; UNLOCK j = r;", "j->x++;"),
	"collected, and linked":            transferringBy("", listSorted, "LOCK for (struct job **p = &q.head; *p; p = &(*p)->next) if ((*p)->x == 3) j = *p; UNLOCK", "j->x++;"),
	"all taken, freed by its address":  transferringBy("", stackPut, "struct job *o = 0; LOCK if (q.head) o = q.head->next; UNLOCK "+listTake+"if (o) free(o); "+listFree, ""),
	"all taken, with a ring":           transferring(fifoPut, "struct job *b = 0, *c; LOCK c = q.tail; if ((j = q.head) && (b = j->next) && b != c) { c->next = j; q.head = 0; } else b = 0; UNLOCK if (b) { b->next = 0; LOCK if (!slot) { slot = b; j = 0; } UNLOCK LOCK if (q.tail == c) b->x = 7; UNLOCK b->x = 1; } j = 0;"),
	"the rest taken, and not cut":      transferringBy("", listSorted, listWalk+"j = *p; UNLOCK "+listFree, ""),
	"a beginning taken, and not cut":   transferringBy("", listSorted, listWalk+"j = q.head; q.head = *p; UNLOCK "+listFree, ""),
	"removed, and not unlinked":        transferring(listSorted, strings.Replace(listRemove, "*p = j->next;", "{ }", 1)),
	"removed, and unlinked later":      transferring(listSorted, strings.Replace(listRemove, "if (j)", "UNLOCK LOCK if (j)", 1)),
	"two lead to it":                   transferring(strings.Replace(listSorted, "*p = j;", "*p = j; if (p != &q.head) q.head = j;", 1), listRemove),
	"in order, waits in between":       transferring(strings.Replace(listSorted, "j->next = *p", "if (full) pthread_cond_wait(&q.c, &q.m); j->next = *p", 1), stackTake),
	"all kept in a struct, and put":    transferring(stackPut, ownTake+"if (w.l) { w.n = w.l->next; for (j = w.l; j->next; ) j = j->next; LOCK j->next = q.head; q.head = w.l; UNLOCK if (w.n) w.n->x++; } j = 0;"),
	"a struct keeps what was freed":    transferring(stackPut, ownTake+"w.n = w.l ? w.l->next : 0; j = w.l; "+listFree+"if (w.n) w.n->x++;"),
	"a struct keeps what is not taken": transferring(stackPut, "struct { struct job *l, *n; } w; w.n = 0; LOCK w.l = q.head; UNLOCK for (w.n = w.l; w.n; w.n = w.n->next) w.n->x++; "+stackTake),
	"a struct keeps the rest, not cut": transferring(stackPut, ownTake+"if (w.l) { w.n = w.l->next; LOCK if (!q.head) { q.head = w.l; } UNLOCK } j = w.n;"),
	"another one is used":              transferring("struct job *k = malloc(sizeof *k); k->x = 0; LOCK k->next = q.head; q.head = k; UNLOCK k->x = j->x; free(j);", stackTake),
}

var stateText = regexp.MustCompile(`another state: \{\[(.*)\] (true|false) \{(\w*) (\d+) (\d+)\} (true|false) \[(.*)\]\}`)
var wordText = regexp.MustCompile(`\{(\w*) (\d+) (\d+)\}`)

// stateIn returns the state of a container that a refusal is about.
func stateIn(refusal string) (s certificate.ContainerState, ok bool) {
	m := stateText.FindStringSubmatch(refusal)
	if m == nil {
		return s, false
	}
	word := func(m []string) certificate.Word {
		n, _ := strconv.Atoi(m[1])
		off, _ := strconv.ParseInt(m[2], 10, 64)
		return certificate.Word{Is: m[0], N: n, Off: off}
	}
	for _, x := range wordText.FindAllStringSubmatch(m[1], -1) {
		s.Cells = append(s.Cells, word(x[1:]))
	}
	s.In, s.Link, s.Pred = m[2] == "true", word(m[3:6]), m[6] == "true"
	for _, x := range strings.Fields(m[7]) {
		s.Slots = append(s.Slots, x == "true")
	}
	return s, true
}

// TestTransferGrown claims of wrong programs that the ownership of their objects is transferred, with each state that the checker misses added until it misses none: what is refused then
// is refused for what the program does, and not for a claim that is left out.
func TestTransferGrown(t *testing.T) {
	long.Only(t)
	confirmed := 0
	for name, src := range map[string]string{"a slot": transferring(slotPut, slotTake), "a stack": transferring(stackPut, stackTake), "a queue": transferring(fifoPut, fifoTake)} {
		if grown(t, src) == "" {
			t.Errorf("%s is right, and not confirmed", name)
		}
		confirmed++
	}
	for name, src := range wrongTransfers {
		if what := grown(t, src); what != "" {
			t.Errorf("%s: confirmed for %s\n%s", name, what, src)
		}
	}
	for _, c := range transfers {
		if !c.proved && !strings.Contains(c.name, "right") {
			if what := grown(t, c.src); what != "" {
				t.Errorf("%s: confirmed for %s\n%s", c.name, what, c.src)
			}
		}
	}
}

// grown returns the container for which all of a program is certified, "" if there is none.
func grown(t *testing.T, src string) string {
	p := load(t, text(t, transferHeader+src))
	pts, err := pointsto.AnalyseOpen(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p.Program, pts, scan.Options{Certificate: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	var suspects []int // locations of objects
	for i, l := range r.Certificate.Locations {
		if slices.Contains(l.Pairs, certificate.Suspect) || slices.Contains(l.Pairs, certificate.Transferred) {
			if l.Object >= 0 && l.Object < len(pts.Objects) && pts.Objects[l.Object].Site != nil {
				suspects = append(suspects, i)
			}
		}
	}
	if len(suspects) == 0 {
		t.Errorf("nothing is suspected\n%s", src)
	}
	for _, x := range []struct {
		what string
		weak int // a cell that owns nothing
		link int64
		of   []string
		off  []int64
	}{
		{"a slot", -1, -1, []string{"slot"}, []int64{0}}, {"two slots", -1, -1, []string{"slot", "kept"}, []int64{0, 0}}, {"a slot and an alias", 1, -1, []string{"slot", "kept"}, []int64{0, 0}},
		{"a stack", -1, 8, []string{"q"}, []int64{40}}, {"a queue", 1, 8, []string{"q", "q"}, []int64{40, 48}}, {"a queue, both own", -1, 8, []string{"q", "q"}, []int64{40, 48}},
	} {
		h := certificate.Transfer{Link: x.link}
		k := certificate.Container{States: []certificate.ContainerState{{}}}
		global := func(name string) int {
			return slices.IndexFunc(pts.Objects, func(o *pointsto.Object) bool { return o.Global != nil && o.Global.Source == name })
		}
		for i, o := range pts.Objects {
			if o.Site != nil && o.Func.Library && (o.Func.Source == "malloc" || o.Func.Source == "calloc") {
				h.Objects = append(h.Objects, i)
			}
		}
		k.Lock.Object = global("q")
		for i, name := range x.of {
			k.Cells = append(k.Cells, certificate.OwnCell{At: certificate.At{Object: global(name), Off: x.off[i]}, Owns: i != x.weak})
			k.States[0].Cells = append(k.States[0].Cells, certificate.Word{Is: "null"})
		}
		h.Containers = []certificate.Container{k}
		for range 80 {
			c := copied(t, r.Certificate)
			forge(c, certificate.Transferred)
			c.Transfers = []certificate.Transfer{h}
			rep, err := scancheck.Check(t.Context(), p.Program, pts, c)
			if err != nil {
				t.Fatal(err)
			}
			if len(suspects) > 0 && !slices.ContainsFunc(suspects, func(i int) bool { return !rep.Certified(i) }) {
				return x.what
			}
			i := slices.IndexFunc(rep.Refused, func(s string) bool { return strings.Contains(s, "another state: ") })
			if i < 0 {
				break
			}
			s, ok := stateIn(rep.Refused[i])
			if !ok {
				t.Fatalf("no state in %q", rep.Refused[i])
			}
			h.Containers[0].States = append(h.Containers[0].States, s)
		}
	}
	return ""
}
