package robust_test

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// step is an instruction of a random program. Its kind is R, W, F, U (an addition of which the old value is used), A (an addition of which it is not), r or w (plain);
// or one that the graph has variants of: L waits until it reads a value, X takes a lock by exchanging, G ends the thread unless it reads a value, C compares and exchanges 0. p and q are plain
// accesses of a location that has atomic ones, too, m and n take and give back a mutex, T and t a ticket lock of
// the first two locations.
type step struct {
	kind  byte
	loc   int
	value uint64
	order cir.Order
	// is and isNot say that a read of a variant has to read the value, or must not; idle that nobody knows what it reads.
	is, isNot, idle bool
	// again tells of a T that the ticket is the one that was drawn.
	again bool
	// any tells of a relaxed R, L or G that it returns any value.
	any bool
}

// anyMark is behind the reads that return any value.
const anyMark = " // any\n"

// variants returns the lists of steps that a thread may take, where each L and X is tried in vain once at most.
func variants(list []step) [][]step {
	if len(list) == 0 {
		return [][]step{nil}
	}
	rest := variants(list[1:])
	var all [][]step
	with := func(first ...step) {
		for _, r := range rest {
			all = append(all, append(slices.Clone(first), r...))
		}
	}
	s := list[0]
	no, yes := s, s
	no.isNot, yes.is = true, true
	switch s.kind {
	case 'L', 'X', 'T':
		no.idle, yes.idle = true, true
		with(yes)
		if s.kind == 'T' {
			yes.again = true
		}
		with(no, yes)
	case 'G':
		with(yes)
		all = append(all, []step{no})
	case 'C':
		with(yes)
		with(no)
	case 'm':
		yes.idle = true
		with(yes)
	default:
		with(s)
	}
	return all
}

// litmus is a random program: what main does before it creates threads, between that and the joins, and behind; and what threads do, each as many times as its copies say.
type litmus struct {
	before, between, behind []step
	// apart tells that the last thread is created behind what is between, and joined first; then main does what is amid.
	apart   bool
	amid    []step
	threads [][]step
	copies  []int
	array   bool // the locations are elements of an array
	mixed   bool // there are plain accesses of locations with atomic ones
	locs    int
}

func (p *litmus) String() string { return p.source() }

var orderMacros = map[cir.Order]string{cir.Relaxed: "__ATOMIC_RELAXED", cir.Acquire: "__ATOMIC_ACQUIRE", cir.Release: "__ATOMIC_RELEASE", cir.AcqRel: "__ATOMIC_ACQ_REL", cir.SeqCst: "__ATOMIC_SEQ_CST"}

// source returns the program in C. What it reads is stored where nobody else writes.
func (p *litmus) source() string {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <stdatomic.h>\nstatic pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n")
	of := "atomic_int"
	if p.mixed {
		of = "int"
	}
	loc := func(i int) string { return "xyzuvw"[i : i+1] }
	if p.array {
		loc = func(i int) string { return fmt.Sprintf("m[%d]", i) }
		fmt.Fprintf(&b, "static %s m[%d];\n", of, p.locs)
	} else {
		for i := range p.locs {
			fmt.Fprintf(&b, "static %s %s;\n", of, loc(i))
		}
	}
	fmt.Fprintf(&b, "static int seen[100], plain[%d];\n", p.locs)
	reads := 0
	body := func(list []step, into string) {
		for _, s := range list {
			text := s.source(loc(s.loc%p.locs), into, reads)
			if s.any {
				text = strings.TrimSuffix(text, "\n") + anyMark
			}
			b.WriteString(text)
			reads++
		}
	}
	for i, list := range p.threads {
		fmt.Fprintf(&b, "static void *thread%d(void *into) {\n", i)
		body(list, "((int *)into)")
		b.WriteString("  return 0;\n}\n")
	}
	b.WriteString("int main(void) {\n  pthread_t t[10];\n  static int local[10][100];\n")
	body(p.before, "seen")
	create := func(i, n int) {
		if p.copies[i] > 1 {
			fmt.Fprintf(&b, "  for (int i = %d; i < %d; i++) pthread_create(&t[i], 0, thread%d, local[i]);\n", n, n+p.copies[i], i)
		} else {
			fmt.Fprintf(&b, "  pthread_create(&t[%d], 0, thread%d, local[%d]);\n", n, i, n)
		}
	}
	n := 0
	for i, copies := range p.copies {
		if p.apart && i == len(p.copies)-1 {
			break
		}
		create(i, n)
		n += copies
	}
	body(p.between, "seen")
	if p.apart {
		create(len(p.copies)-1, n)
		fmt.Fprintf(&b, "  pthread_join(t[%d], 0);\n", n)
		body(p.amid, "seen")
	}
	fmt.Fprintf(&b, "  for (int i = 0; i < %d; i++) pthread_join(t[i], 0);\n", n)
	body(p.behind, "seen")
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// source returns a step in C.
func (s step) source(loc, into string, n int) string {
	o := orderMacros[s.order]
	switch s.kind {
	case 'W':
		return fmt.Sprintf("  __atomic_store_n(&%s, %d, %s);\n", loc, s.value, o)
	case 'R':
		return fmt.Sprintf("  %s[%d] = __atomic_load_n(&%s, %s);\n", into, n, loc, o)
	case 'U':
		return fmt.Sprintf("  %s[%d] = __atomic_fetch_add(&%s, %d, %s);\n", into, n, loc, s.value, o)
	case 'A':
		return fmt.Sprintf("  __atomic_fetch_add(&%s, %d, %s);\n", loc, s.value, o)
	case 'F':
		return fmt.Sprintf("  __atomic_thread_fence(%s);\n", o)
	case 'L':
		return fmt.Sprintf("  while (__atomic_load_n(&%s, %s) != %d) ;\n", loc, o, s.value)
	case 'X':
		return fmt.Sprintf("  while (__atomic_exchange_n(&%s, 1, %s)) ;\n", loc, o)
	case 'G':
		return fmt.Sprintf("  if (__atomic_load_n(&%s, %s) != %d) return 0;\n", loc, o, s.value)
	case 'T':
		return fmt.Sprintf("  int me = __atomic_fetch_add(&x, 1, %s);\n  while (__atomic_load_n(&y, %s) != me) ;\n", orderMacros[cir.Order(s.loc)], o)
	case 't':
		return fmt.Sprintf("  __atomic_store_n(&y, me + %d, %s);\n", s.value, o)
	case 'C':
		return fmt.Sprintf("  int e%d = 0;\n  __atomic_compare_exchange_n(&%s, &e%d, %d, 0, %s, %s);\n  %s[%d] = e%d;\n", n, loc, n, s.value, o, orderMacros[s.failure()], into, n, n)
	case 'p':
		return fmt.Sprintf("  %s[%d] = %s;\n", into, n, loc)
	case 'q':
		return fmt.Sprintf("  %s = %d;\n", loc, s.value)
	case 'r':
		return fmt.Sprintf("  %s[%d] = plain[%d];\n", into, n, s.loc)
	case 'w':
		return fmt.Sprintf("  plain[%d] = %d;\n", s.loc, s.value)
	case 'm':
		return "  pthread_mutex_lock(&mutex);\n"
	}
	return "  pthread_mutex_unlock(&mutex);\n"
}

// failure is the order of a compare-and-exchange that fails.
func (s step) failure() cir.Order {
	switch s.order {
	case cir.AcqRel:
		return cir.Acquire
	case cir.Release:
		return cir.Relaxed
	}
	return s.order
}
