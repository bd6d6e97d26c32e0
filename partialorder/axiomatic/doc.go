// Package axiomatic looks for a bounded execution that violates an assertion and that a weak memory model allows: RC11, TSO or PSO (or sequential consistency, to compare).
//
// # Idea
//
// An execution is a graph of events: reads, writes and fences (package memory). Each thread is unrolled to a directed acyclic graph whose steps are edges of the program, or paths through an
// atomic section. A step is one event at most, or the two halves of a read-modify-write; a Boolean says whether it is taken. For each read, a Boolean for each write of the same variable says
// whether it reads from it: then it has its value. The axioms of the model are constraints over these. So a solver chooses inputs, branches, reads-from and the order of
// writes at once, and there is no enumeration of graphs.
//
// The idea is that of J. Alglave, D. Kroening, M. Tautschnig: Partial orders for efficient bounded model checking of concurrent software, CAV 2013, and of
// N. Gavrilenko, H. Ponce-de-León, F. Furbach, K. Heljanko, R. Meyer: BMC for weak memory models: relation analysis for compact SMT encodings, CAV 2019: relations that are known without solving
// stay out of the query, and others are only said to be as large as they have to be, as axioms only forbid.
//
// # The axioms
//
// The accesses to a variable have places, integers: the writes in modification order, each read one behind the write that it reads. Then one access is before another one in extended
// coherence order if and only if it has a smaller place. Coherence says that happens-before never leads to a smaller place; atomicity, that no write is between the halves of a read-modify-write. What must
// have no cycles (po and rf; psc; what TSO and PSO preserve) gets numbers that grow along it. Release sequences, synchronises-with, happens-before and psc of RC11 are conditions that rules
// make true (rc11.go, psc.go).
//
// Threads may stop anywhere: the events that come before an event in program order and reads-from are themselves a graph that the model allows. So an execution is found as soon as a thread comes to an error.
//
// # Loops
//
// Loops are gone around a number of times. An iteration that leaves the thread's variables as they were, and writes nothing but what is there, is left out: without it, there is an execution as
// well (check.Axioms has the argument). So loops that wait need no bound. If no execution leaves the bounds, that there is none means that there is none at all.
//
// # What is trusted
//
// Nothing of this. The program is run along an execution that is found, and an execution graph comes of it that is checked (cir/interp/graphs, Options.Guide). A proof is made once more by
// check.Axioms. What is trusted is that the program was taken apart with its memory orders (specialise.Options.Orders).
package axiomatic
