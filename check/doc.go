// Package check confirms verdicts: it verifies certificates of safety and replays
// counterexamples. It trusts nothing that found them: it shares with the rest of
// comus only the program (packages ir and ir/interp), formulas and the solver
// (packages logic, logic/smt, z3), and recomputes everything else.
//
// # What a certificate of safety says, and why that is a proof
//
// Let a state give every variable an integer and every thread a location. Atomic
// sections aside, a step is one edge of one thread, run as a whole; an
// assignment assigns any integer. Suppose that some execution reaches an error
// location; take one that ends the first time this happens, and let F be the
// thread that fails.
//
// Cut-points (blocks.go, constants.go, movers.go). The certificate gives every
// thread cut-points, among them its entry. A block is a path from one cut-point
// to the next, or to an error location. There is then an execution in which F
// fails and that is a sequence of whole blocks: Within a block, an edge whose
// target is no cut-point leads into an atomic section or starts outside one and
// is a right mover; an edge that leaves an atomic section leads to a cut-point.
// So a block is a number of right movers and then steps that nothing interrupts
// anyway: one last step, or one that enters an atomic section and those inside,
// up to the one that leaves it. Delay the right movers, the last first, until
// just before these. What a thread other than F has done since its last cut-point
// when F fails are right movers (nobody else could move while it was in an atomic
// section); delay them to the end and drop them, which does not move F. In
// between, atomicity is violated, but nothing used of a right mover depends on
// it, and the result respects it.
//
// An edge e is accepted as a right mover when, for every edge f of another
// thread: they touch no common variable that one of them writes; or f cannot
// directly follow e, because what is known of both threads at that moment
// contradicts (see [analysis], an inductive invariant of the program without
// atomicity); or a solver finds that f and then e have the same effect whenever e
// and then f are possible there. The kinds of edges are not looked at.
//
// Nodes are locations, the cut-points among them, that cut the blocks into
// smaller pieces, so that there are finitely many of these. From here on a state
// has all threads at cut-points, except perhaps one, which is at a node and
// alone may move. Pieces that end in an error location are left out for all
// threads but F: the others do not fail before.
//
// Facts (facts.go; rows.go, bounds.go and sums.go prove most of it without a
// solver). J and "every variable is within its type" hold initially and
// are kept by every piece of every thread, so they hold in every reachable state.
// The types are proved for every single assignment, also on the way to an error and
// on a thread's last steps: an assignment outside the type would be a mistake of the
// front end, and a proof about such a program says nothing about the source.
//
// Levels (level.go). A run orders the threads t₁ … tₙ; Cᵢ = {t₁ … tᵢ₋₁} are the
// callers of level i and Eᵢ = {tᵢ₊₁ … tₙ} its environment. A computation of Eᵢ is
// any number of blocks of its threads, from a reachable state with all threads at
// cut-points. The claim is that env_moveᵢ(s, s') contains all of them. It is the
// conjunction of
//   - the frame: what no thread of Eᵢ writes and all other pcs are unchanged;
//   - the threads of Eᵢ are at cut-points in s and s', variables within types;
//   - J in s and in s';
//   - the seed: it is proved reflexive and closed under another piece;
//   - ¬(α(s) ∧ β(s')) for each refinement (α, β).
//
// The values of the callers' local variables are universally quantified in all of
// this: level i is proved for every value they may have, whatever they really are
// in s, because its programs keep them as constants that nothing is known about.
// That is why, at level i, J is used only as far as it mentions neither the
// callers' local variables nor their pcs, and seeds may not mention these. Formulas
// of a refinement may mention local variables of everyone, and the pcs of Eᵢ.
//
// A refinement of level i is proved with the program of level i+1, thread t =
// tᵢ₊₁, by invariants over its nodes in three phases. "Before": in every reachable
// state (with t at a node) and for all values of the callers' local variables the
// invariant for t's node holds: initially; after a caller's steps, which change
// only shared variables that a caller writes, and lead to a state in J; after a
// computation of Eᵢ₊₁, by env_moveᵢ₊₁; after a piece of t. "At": at any cut-point
// of t a computation of Eᵢ may start; take for the callers' variables what they
// really are; if α holds, so does the invariant of phase at. From there, only t
// and Eᵢ₊₁ move: env_moveᵢ₊₁ leads from at to moved, t's pieces from moved (from
// at, where env_move is not called) to at. The computation ends with t at a
// cut-point, and β contradicts both invariants there. Level i+1 is used with all
// its refinements, those of the last level are none, so there is no circle.
//
// Finally, t₁'s invariants are proved in the same way, without callers, and the
// pieces of t₁ to error locations are impossible. Each thread that has error
// locations is t₁ of some run, so F is none of them: there is no such execution.
//
// # What is trusted
//
// This package, packages ir, logic and logic/smt, Z3's answer "unsatisfiable" (for [Orders]
// it may be that of cvc5 instead, see decide.go), and the Go runtime. Bitwise operations on operands that logic/smt cannot compute exactly
// are replaced by unknown values. Every other answer of the solver than
// "unsatisfiable" is a failure. That the program is what the C source means is up
// to the front end, and that the certificate belongs to it up to the caller of
// [Safe].
package check
