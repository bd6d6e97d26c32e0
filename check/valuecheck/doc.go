// Package valuecheck verifies what is claimed of the values of registers and memory in a whole program ([certificate.Values]), and which assertions follow.
//
// It finds nothing out itself. What is claimed at the beginning of a block is carried through the block, instruction by instruction, and has to be within what is claimed
// at the beginning of the blocks that follow; a call needs what is claimed of its callee's beginning, and goes on with what is claimed of its end. Values are sets of
// numbers (set.go), and what instructions make of them is said here again, as package cir/interp has it, without any code of the analysis: only the
// program, package pointsto and the contracts of library functions are shared, which are trusted anyway.
//
// Threads are looked at one by one (Miné 2012). A cell of memory that others access has one claim for the whole program, which everything that others may see has to be
// within: all that is there when the first thread is created, and all that is written from then on; but a thread that holds the lock which guards the cell
// follows it from step to step, and others see what it leaves there when it gives the lock back. That a lock guards a cell is claimed, and asked at each access. A
// thread in an atomic section follows all cells of which there is one.
//
// What several cells have to do with each other is claimed and verified beside the sets (relations.go), by proofs about sums of them (prove.go, linear.go).
//
// What is claimed of the length of a string (strings.go) is verified with each byte that may be in its array; where strings begin is found out by following
// addresses, elements of arrays told apart (origins.go).
//
// A claim that is not confirmed is refused, and dropped: what is known from then on is that the register or cell may hold anything. What was
// looked at before is looked at again where it rested on that, until nothing more is dropped. So what is left at the end holds at the program's beginning and is kept
// by each step, and an assertion is confirmed if what is left has its condition hold wherever control gets to it. All of it is about executions in
// which no assertion has failed so far.
package valuecheck
