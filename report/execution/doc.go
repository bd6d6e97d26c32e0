// Package execution is what people are shown of an execution of a program, whatever the form of the report.
//
// A trace (ir/interp) has a step for each access of shared memory, and names like those of a compiler. An [Execution] makes of it
// what one follows with a finger in the source: [Row]s, a statement of a thread each; the [Order]s between rows of different
// threads, because one creates, joins or reads from the other, or hands it a lock; and after each row what has changed: the
// variables that the program's text knows, who holds which lock, and where each thread stands or what it waits for.
package execution
