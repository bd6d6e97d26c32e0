// Package linear finds facts that prove assertions about sums: bounds of linear
// functionals, such as v0 + v1 ≤ 15, while certain threads are at certain places.
// Intervals (package locpairs) cannot tell such things: what two variables can be
// at most, each by itself, they can seldom be at the same time.
//
// # Demands
//
// A demand says: while the threads t₁, …, tₘ are at locations a₁, …, aₘ, wherever the
// others are, Σ cᵢ·xᵢ ≤ k. An assertion of the main thread is one to begin with, or a
// few: it fails where a block leads into an error location, so the condition of such a
// block has to be false at its source. Each demand is traced backwards through the
// blocks of all threads, by weakest preconditions:
//
//   - A block of a thread of the demand that leads to its place there: the demand
//     before is the same with the thread at the block's source, and with the values
//     that the block assigns in place of the variables.
//   - A block of any other thread that assigns a variable of the demand: the same, but
//     the demand before mentions one thread more.
//
// Assignments are linear in most programs, and what comes out is a demand again. An
// input, or a term that is not linear, is a number of its own within the block and then
// replaced by its largest (or smallest) value, as far as intervals know. A flag, one of
// two constants chosen by an inequality, has to be the other constant where one of them
// is too large, so the demand before is about the inequality. Conditions of
// blocks are used in three ways: by these intervals; a block is passed over that cannot
// be taken where the demand has one of the other threads; and if a block waits for a
// thread that changes the demand's variables, so that this thread can be at one or two
// locations only (after a join, at its last one), the demand before says so, one for
// each location. When nothing new comes and no demand contradicts the initial state,
// then all demands together are an inductive invariant. For threads without other
// conditions this is exact: if the assertion holds, that is found.
//
// # Stronger demands
//
// Where other conditions matter, the exact demand may end nowhere. Then a stronger one is
// tried, which the assertion holds with as well: before a block whose conditions bound a
// variable the bound takes the variable's place, unless the demand is a relation between
// shared variables; so an input counts as what was assumed of it one step later. And a demand
// is about one place more wherever the locations of a thread that changes its variables are
// few: what a thread waited for tells where another one is, and that one's place what it
// waited for itself.
//
// Only the threads matter that had to do with the variables, so there are far fewer
// demands than vectors of locations: in a ring of K threads that each add their
// neighbour's number to their own, twice, 3^K places rather than 5^K, with a few
// demands each. All other things of the program (who creates whom, what main does)
// do not occur in them.
//
// # What is left out
//
// A demand that another one implies is not traced: one with the same or fewer places
// of which the left side is larger (by a sum of multiples of variables with known lower
// bounds, most often 0) and the bound smaller in comparison. In a program where i and
// j are added to each other five times each this leaves 1,700 of 88,000 demands.
//
// Demands about two threads at places that exclude each other, as package locpairs
// knows, are not traced either. The reasons are facts as well: those of package locpairs,
// and the few of their consequences that were used, in a simple form (Fact.Holds false
// for places that exclude each other, bounds of one variable). The checker proves nearly
// all demands without a solver, see check/sums.go.
//
// The demands that prove the assertions themselves are the only ones that env_move
// gets (Fact.Goal): their number does not matter to the sequential checker.
//
// # Where it gives up
//
// In loops on data there are ever more demands, and often one is soon wrong in the
// initial state: that ends the search for this assertion at once. There are limits for
// the number of demands traced and for the time, small enough that programs for which
// this package can do nothing do not notice. Nothing is looked for where intervals show
// that an assertion holds.
package linear
