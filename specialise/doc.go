// Package specialise takes a whole program of package cir apart for a question: it makes
// the ir.Program that the engines decide.
//
// It is a partial evaluator. Starting with the entry, and then with each thread that is created on
// the way, it runs the code on symbolic values and writes down the steps that remain: calls are
// inlined, loops that constants decide are unrolled, pointers that are known are followed,
// and objects become variables, one for each scalar ([object]). What is not known stays
// as it is: a branch on it is a branch in ir, a loop is a loop.
//
// # Values and steps
//
// A register holds a [value]: a term over the variables of ir, evaluated by the edge that uses it. So
// that a step touches one shared location only, and sees what memory held when the instruction ran,
// a value is first copied to a temporary (materialised) when another shared location is accessed, or
// something that it mentions is overwritten, while it is still needed.
//
// # Flows
//
// A [flow] is a point of control with what is known there: the registers that are needed
// later, constant values of private variables, which locals are indeterminate. The blocks of a function are
// visited in an order in which all that leads to a block comes before it, but for jumps back to the
// head of a loop; where flows meet they are joined. A loop is first tried to be unrolled,
// and what was written is taken back if constants do not decide it; then its head forgets what the loop may change,
// which package scan/pointsto tells.
//
// # Memory
//
// Each activation of a function has objects of its own for its locals, each call of an allocator a
// bounded number of objects. An object lies at a constant address of ours. An access through a pointer that is not
// known chooses among the cells that points says it may point to, by the address. Objects come to
// be while threads are taken apart, one after the other; so all is done twice, the second time
// with the objects of all threads known ([facts]).
//
// # Data races
//
// Which locks a thread holds at each location, and which threads may run then, is computed on the graphs of all threads when
// they are complete (lockset.go). The next run asks about those accesses only that this does not order.
//
// # What is not exact
//
// Steps that stand for more than the program does are marked with the name of the approximation
// (ir.Edge.Approx); what is taken for granted is in ir.Program.Assumptions.
package specialise
