// Package threadmodular proves programs with any number of threads (and ordinary
// ones), by constrained Horn clauses over the states of one or two threads.
//
// # The clauses
//
// A program with replicated threads ([ir.Program.Replicated]) is a template; an
// instance is thread 0, or any other thread, or one of infinitely many copies of a
// replicated thread. All wait at their entry from the start, for their Created flag.
// Between cut-points (package cutpoints, with several copies of the replicated
// threads) an instance runs alone, so that its locations are cut-points and what is
// needed between them ("nodes").
//
// With one thread at a time (Threads = 1), Inv(t, n) is a set of values of the
// shared variables and of t's local ones: those with which an instance of t can be at
// node n. Clauses say that it has the initial values, that it is kept by the steps of
// t, and, at cut-points, by those of another instance, of t itself too if t is
// replicated, that is in its own Inv before.
//
// With Placed, Inv(t, n) also depends on where the other threads are, as far as there is
// one instance of them: on their locations, which are parameters with the names of the
// pcs. A step of another thread is taken from where t's Inv has that thread, and the other
// way round. All threads' locations together make the method complete for programs with
// a fixed number of threads whose local variables do not matter to others (Owicki and
// Gries add such variables by hand); it costs a clause for each block and location of two
// threads, as without places, but Spacer has to find formulas over locations.
//
// With two threads at a time (Threads = 2), Inv(t, n; u, m) is about two different
// instances, at n and at m, of which one is at a cut-point: its own steps, those of
// the other, and those of a third, which together with each of the two satisfies Inv
// before. Mutual exclusion by variables of the program needs that: "the other one is
// not there as well" is nothing that one thread's state could say. (k-thread
// modularity: Hoenicke, Majumdar, Podelski, POPL 2017.)
//
// With Counted, the program counts how often an edge that is passed by each instance
// at most once was passed, against the number of instances: see
// [ir.Program.Counted].
//
// With Census, the program counts its threads at the cut-points ([ir.Program.Census]), so that what threads add up to can be said of them
// in any number: x is how many are behind the step that adds 1. Equalities between the variables and these counters are computed first
// (package affine); what they say if no sum wraps around is put into the bounds as candidates, so that both are proved together: an
// equality needs that nobody is at a place, a bound, that nobody is there any more, needs that so many were made and so many have been
// joined. Bounds that meet give equalities to begin with again, a few times. That proves that x is n when n threads have been joined that
// each add 1, whatever n is.
// An instance is one of those that are counted where it is, and two at one place are two (present): if readers is how many are behind the
// step that adds 1, a writer that finds 0 there has met none, and if a lock is twice the number of those that hold it, there is one.
//
// Candidates (Lemmas): for programs with replicated threads, Inv of two threads is first sought among conjunctions of candidates, whose
// strongest solution is computed by dropping what does not hold (see lemmas): comparisons of arguments, indices and addresses above all.
//
// Inv is what Spacer finds. Its answers are not to be trusted: package check proves
// everything again. What it takes for a violation is none, as the clauses
// over-approximate; there is no proof then.
package threadmodular
