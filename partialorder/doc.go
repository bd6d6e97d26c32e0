// Package partialorder looks for one execution that violates an assertion, with
// a single SMT query and without choosing a schedule beforehand.
//
// # Events
//
// Each thread's graph of blocks (package cutpoints) is unrolled to a directed
// acyclic graph. Its nodes are instances of cut-points, its steps are the
// segments between: paths of blocks without a context switch. Leaving a node is
// one event. An event has a clock, an integer, whatever segment is taken: the
// order of the clocks is the execution, and where clocks are equal, the thread
// with the lower index comes first. So any two events are ordered, and "a before
// b" is one difference constraint whose negation is "b before a".
//
// Values are symbolic. Locals, and shared variables that no other thread writes,
// are followed along the graph; where paths meet, they get a new symbol. What an
// event reads of any other variable is a symbol too, and it has to be the value
// of the last write before the event, or the initial value. A thread may stop at
// every cut-point: an event needs its predecessor, not its successor. The one
// thread that fails has to take a step to an error location.
//
// # What makes it fast
//
// What is known without solving stays out of the query (see order.go): program
// order; that a read whose condition only one write satisfies comes after that
// write, and what follows from this; writes that are hidden by later ones. A
// variable that only one thread writes needs a number of clauses linear in its
// writes for each read, because they are ordered among themselves; others need
// a choice of the write that is read. Iterations of loops that leave no trace
// (waiting for a flag) are left out, and so are variables that have one value at
// all cut-points, such as a mutex that is always released in the segment that
// takes it.
//
// Values are bounded before solving, too (see bounds.go): a read has the interval of
// what it can see. Conditions that hold by the intervals are left out, and what cannot
// fail by them needs no solver.
//
// The query is put to Z3 in two forms that race (see solver.go): over unbounded integers
// and, with the intervals for widths, over bit-vectors.
//
// # Exactness
//
// The graph's reduction, the segments and the omitted iterations keep, of the
// executions in which the given thread is the first to fail, at least one if
// there is any. So without a cut loop, none found means none there. Nothing of
// this is trusted: who uses an execution has to replay it.
package partialorder
