// Package robust shows that a weak memory model does not show: that all executions of a program are sequentially consistent, as far as the program can observe. What has been proved of the
// program under sequential consistency holds under the model, then. It is one argument about the whole program, static and cheap, for the usual ways to use weak atomics; a program that is not
// shown to be robust may be. The rule is trusted.
//
// Premise: no sequentially consistent execution has a data race, happens-before being that of the orders which the program gives (a relaxed flag synchronises nothing), and the end of an object's life being a write that is not
// atomic. Whether that has been
// proved or is assumed is the caller's business; a program of which only assertions are asked about may be taken not to have a race. What Program tells of threads is verified by the caller.
//
// # The argument
//
// The models are axiomatic (package memory; Lahav et al., PLDI 2017; Alglave et al., TOPLAS 2014). An execution is a graph with program order po, reads-from rf, modification order mo, reads-before rb,
// happens-before hb. It is sequentially consistent if po ∪ rf ∪ mo ∪ rb has no cycle (Shasha and Snir, TOPLAS 1988). Axioms that are used: hb is acyclic; hb never contradicts eco = (rf ∪ mo ∪ rb)⁺, the
// order of the accesses of one location; po ∪ rf is acyclic (RC11); psc is (RC11); ghb is (TSO, PSO). Without what is last in po ∪ rf, a graph of the program is one, too.
//
// Take a smallest graph of the program that is not sequentially consistent, or has a data race. If it has a race but is sequentially consistent, it contradicts the premise. Otherwise it has a cycle, and
// without any of its last events it is sequentially consistent and race-free. So two accesses that conflict, one of them plain, are ordered by hb, as eco has it. (If the last event e is an atomic read,
// a plain write w may be ordered with e under sequential consistency because e reads something later, w', which synchronises; but then e comes before w' in eco as well, and w' is atomic. A cycle through e and w is one
// through e and w', or w' is not needed for the graph. If e reads from w, e may be left out: what e comes before in eco, w comes before.) What is left of the cycle are po and
// hb, and eco between atomic accesses that hb does not order. Take a cycle of a smallest number k of these:
//
//	a₁ -eco-> b₁ -hb-> a₂ -eco-> b₂ -hb-> … a₁        aᵢ and bᵢ are atomic accesses of one location xᵢ
//
// Its legs bᵢ -hb-> aᵢ₊₁ have these properties, each because there would be a cycle with fewer edges of eco otherwise:
//
//   - k ≥ 2, as hb does not contradict eco.
//   - The xᵢ are different locations: eco is a weak order of the accesses of a location, so of two edges at the same one, the first one's beginning is before the second one's end, or the other way
//     round; one of the two cycles that this makes is shorter.
//   - Nothing on one leg happens before anything on another one. So a thread is on one leg only, and all of them may run at the same time.
//   - An edge aᵢ -eco-> bᵢ that is rf does not synchronise, nor do fences around it: not a release fence before aᵢ and an acquire fence behind bᵢ.
//
// Of all such cycles take one the legs of which begin as late and end as early as possible. No access of xᵢ₊₁ comes before aᵢ₊₁ on its leg, as that is before bᵢ₊₁ in eco. bᵢ is the last access of xᵢ on
// its leg if that writes, or reads what does not happen before it; otherwise the write that it reads is, be it by way of updates that each read the one before and synchronise.
//
// The cycle is impossible in these cases, and possible in no others as far as is seen here:
//
//   - C11: all its edges are rf, which contradicts the axiom about po ∪ rf. An edge aᵢ -eco-> bᵢ that begins with a write counts as such if all atomic writes of the location are updates: each reads what is right
//     before it in mo. So from aᵢ to bᵢ there is a chain of rf; or a write that is not atomic is between them, which is ordered with both by hb, as eco has it, and hb is in (po ∪ rf)⁺.
//   - C11: each leg has a seq_cst fence F on it, or is po between two seq_cst accesses, or is between locations that have seq_cst accesses only. All the edges of the cycle are in psc, then:
//     A leg of the second kind is. One of the third kind begins or ends with po of two locations, or with an edge of two seq_cst accesses that synchronise at one location, which is in psc; what is between is
//     po≠loc ; hb ; po≠loc. From one F to the next F', F hb aᵢ -eco-> bᵢ hb F' is in psc. If one of the legs at aᵢ -eco-> bᵢ has no fence, and bᵢ writes, the edge is mo or rb and in psc from F hb or aᵢ to bᵢ or hb F'. If bᵢ reads only,
//     eco may end with rf: then all writes there have to be seq_cst and bᵢ has to acquire, so that rf synchronises, and is in psc (a write that aᵢ comes before is seq_cst, too).
//   - TSO, PSO: each leg is preserved, so that the cycle is one of ghb: it goes through several threads (it leaves one by a release, a creation or an end), begins with a read, or is between writes on TSO; or is a write and
//     a read with a fence, an update or a seq_cst write on the way or as an end; or, on PSO, two writes with a release.
//
// # What is not looked at
//
// Some executions stand for others, which are left out.
//
//   - A turn of a loop that is followed by another one and leaves no trace (spin.go): it only reads, or its updates write what was there, and the thread is in the same state as before it. The graph without it is one of
//     the program, consistent (each relation is a part of what it was, and who reads what the turn has written reads the same before it), and has a race if the other one had.
//     So of the accesses in such a loop only the last ones are looked at. They read what lets the thread leave the loop: which writes give that, constants tell.
//   - Updates that commute, and the results of which nobody uses (findUnseen): those of a location are in any order the same. No edges between them are looked at. What else accesses the location is ordered with all of
//     them by hb, and finds the same. They are relaxed, and there are no fences, so that hb is the same.
//
// # Reads of any value
//
// Relaxed reads may be left out (Check): a set L of them, where there are no fences. What is shown then is that all accesses but those in L are sequentially consistent. Each graph G of the program is one
// of the program P' in which the reads in L are made, and return any value; what is said above holds of G without L. L's reads are read by nobody, and synchronise nothing, so hb of the others
// is the same, and eco, too: what L's read comes before in eco comes after what it reads. An execution of P', one step after the other, makes them at any place between their neighbours in po.
// So what is proved of P' under sequential consistency holds of the program under the model, but that what an L reads was ever written: an execution of P' knows no write that it reads. The premise is about P', or about all graphs of the program itself.
//
// # Locks
//
// Locks of the library synchronise: who takes one happens after whoever had it. Legs may go from any of its functions that synchronises to any other one. Functions that may fail without
// synchronising (trylock; a post of a semaphore, where the program looks at whether it has failed) are refused, as what they tell is not ordered.
//
// A location may be used as a lock (lock.go): threads take it by updates that acquire, read that it is free, and write that it is not; they give it back by writes that release, and only where they have it. Then
// in mo updates and writes of the same thread take turns: an update reads what is right before it, which is the beginning or a write; each write follows an update of its own thread, and there is only one update without a
// write before it. So all of that is ordered by hb, and what threads do while they have the lock. A ticket lock (ticket.go) is the same in other words: number n is drawn by one thread, written by one other that had
// n - 1, and so who reads it happens after that. Who draws a number waits at once, so that the next draw happens before what is behind the wait.
//
// # How it is found
//
// Nodes are atomic accesses of threads' copies of functions (access.go); which may meet is told by package pointsto and by who knows the threads. From each access where a leg may begin, all paths of control are followed through
// calls, to other threads where something may synchronise, with what is passed at least (path.go). A cycle of legs and edges with a leg that is not preserved is looked for, in strongly connected components first, and then one
// with the properties above (cycle.go).
package robust
