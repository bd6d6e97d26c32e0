// Package explore decides small programs by visiting every reachable state, one
// interleaving step at a time, breadth first. Without options it knows no
// reduction and no abstraction: it is the oracle that the other engines are tested
// against, so it is simple before it is fast.
//
// Inputs and uninitialised variables are branched over all values of their
// types. Where a type has too many, the answer is Unknown, unless the value can
// never be read (see liveness), in which case one value stands for all. If that
// happens, the program is explored once more with these values left open (see
// unset), which decides it if no execution reads one of them.
//
// The edges' terms are compiled to closures over a []int64 once. Where an
// operation leaves int64, the closures give up on that evaluation and
// [logic.Eval] does it again exactly.
//
// # States
//
// A local variable that nobody reads before it is written again is 0 in a state (see liveness): states that
// differ there only are one.
//
// A state is cut into components, the values of the shared variables and for each
// thread its location and locals. Each component's values are stored once, as
// varints, and numbered; a state is the tuple of these numbers, in as few bytes as
// the numbers so far need, with four more for the state it was reached from. Hash
// tables find them, but what is compared is the values: no two states are taken for
// one. The edges of a counterexample are found by taking the steps again.
//
// # Reduction
//
// With [Options.Reduce], only the steps of some threads are taken from a state
// where that is enough. A set S of threads is persistent in a state if, with a the
// steps that lead on from the present locations of the threads in S, possible or
// not, and b all steps that can be reached in the graphs of the other threads, no
// shared variable is touched by an a and a b and written by one. Whatever the
// others do, then, the steps a remain as possible or impossible as they are and
// lead to the same values. A state's steps are replaced by those of the threads in a
// persistent set S if
//
//   - no thread is at an atomic location,
//   - S has a step that is possible, and
//   - each possible step of S leads to a location with a higher index than where it
//     starts, which is not atomic.
//
// All errors are still found. Let w be a shortest sequence of steps from a state s
// to an error. If all steps of s are taken, so is the first of w, and the rest of w is
// shorter. Otherwise, if w has a step of S, its first one, e, starts from the same
// location and values as in s, so it is possible in s. Taken first, it leaves the
// steps before it possible: it changes nothing they touch, and does not make its
// thread's location atomic. (None of the threads before it is at an atomic location
// where e is taken in w, either.) What follows is the same, so the rest of w without
// e leads to an error from the state after e, and is shorter. If w has no step of S,
// a step of S can be taken first and w after it, because error locations are never
// left: w is as long as before, but a thread has come to a location with a higher
// index. That can happen only finitely often in a row. (By induction on the length of
// w, then on the sum of the indices.)
//
// Locations numbered by [ir.Program.Renumber] have the fewest edges that lead
// backward. The order of the search does not matter, so [Options.Recheck] can
// confirm a reduced search state by state: some persistent set's steps, if not all
// of them, lead to states that were met.
package explore
