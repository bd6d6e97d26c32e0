// Package machine runs small programs under memory models step by step: the operational semantics beside the axiomatic one of package memory. Its tests show that both allow the same execution graphs.
//
// All states that a program can reach are visited, and each only once ([Explore]). A step is one instruction of a thread, or one write that leaves a store buffer. Programs are small ([Program]): a few threads, locations and registers,
// jumps, and creation and join of threads.
//
// # SC, TSO, PSO
//
// Memory has one value for each location. Under TSO a write waits in a buffer of its thread, first in, first out. A thread reads the newest write in its own buffer, or else memory. Writes that are seq_cst, fences that are, read-modify-writes
// (comparisons that fail, too), creation and join wait until the buffer is empty. Under PSO the writes to different locations leave the buffer in any order, but a release write does not pass earlier ones, and no write passes
// a release fence. Under SC there is no buffer.
//
// # C11
//
// The machine is that of J. Kang, C.-K. Hur, O. Lahav, V. Vafeiadis, D. Dreyer: A Promising Semantics for Relaxed-Memory Concurrency, POPL 2017, without promises. Memory has all writes of a location, in modification order. A view says how far
// one has seen each location. A thread has several: what it knows (cur), what it has read and a fence would acquire (acq), and, for each location, what a relaxed write to it releases (rel). A thread reads any write that is not older
// than what it has seen, and puts a write anywhere behind that. A write carries a view, which an acquire read joins to the thread's. A read-modify-write is next to the write that it reads, and carries what that one does, which
// makes release sequences. They are those of C11, as in package memory: a release write begins one, and all later writes of its thread to the location belong to it. So rel of the location keeps the view.
//
// Without promises, a step comes behind all that it depends on. So program order and reads-from have no cycle, which RC11 demands, too, and each graph without such a cycle has an order in which its events can be performed. Views are happens-before,
// location by location: what the rules above let be read and overwritten is what coherence and atomicity allow. So for programs without seq_cst the machine has exactly the graphs of RC11.
//
// # Seq_cst
//
// RC11 demands that seq_cst events can be ordered such that psc is in that order. Kang et al. have only seq_cst fences, which join a global view and so are ordered as they are performed. That is too strong for RC11: a graph may have psc from a
// fence to one that is performed before, as program order and reads-from lead to it by way of relaxed accesses of a third thread (the tests have one). Kang et al. get this with a promise. [Options.Global] is that machine. It has
// exactly the graphs of RC11 for which po ∪ rf ∪ psc has no cycle, and so no others than RC11. There is no such rule for seq_cst accesses.
//
// So that nothing is lost, the machine does not order seq_cst events as they are performed. It keeps which of them have to be before which, and a step that would make a cycle is not taken. What has to be before what is found with views:
// beside how far locations were seen, a view has sets of seq_cst events ([past]). A step of a thread looks at its own views, at the writes of its location with what was noted there by those who wrote and read them, and at the views that
// seq_cst fences had. That is exact, for all orders of accesses and fences:
//
//   - Sound: a step that completes a way of psc, by its first event, its last one, or one in between, requires that order. There is one exception. Psc has happens-before between a fence and another seq_cst event, or nearly.
//     These ways are left out. A cycle of psc is not within happens-before, so it has steps by mo, rb or eco. Between two such steps, let there be steps by happens-before, one of whose events is a fence. The step in front
//     leads to that fence, too (psc has [..] ; hb? ; [F SC]), and the step behind comes from it ([F SC] ; hb? ; [..]). So the others can be left out of the cycle.
//   - Complete: no more is required than psc, and the beginning of a consistent graph is consistent.
//
// A read-modify-write is two seq_cst events, as in package memory. They need not be next to one another in the order: what reads the write without acquiring it need not be behind the write, only behind the read.
//
// What is not here: reads that are given no write, mixed sizes, undefined behaviour of plain accesses that race (they are ordered by happens-before, as in package memory).
package machine
