// Package slice reduces a program to what an analysis for data races looks at: which memory is accessed by which pointers, under which locks, by which
// threads. What numbers are computed matters to it in few places, so most of that goes: a program with another constant, another condition or another
// sum often has the same slice, and what is known of the slice holds of both. That is what a cache of results lives on after an edit.
//
// [Of] changes the program itself. What is left does all that the program may do, and perhaps more, whatever the analysis looks at:
//
//   - a computation without an effect goes if nothing that is left uses its result; so do loads and stores of locals whose address nobody takes;
//   - a condition becomes "any" (cir.Undef) where nothing is known to depend on it that is of use (decide.go): it is kept if flags, results
//     of functions that lock or create threads, or counters that are used as an index take part;
//   - numbers that are stored by way of pointers, that are given to functions which do not use them, or are returned to callers who do not, become "any",
//     but for 0, and but for those that a function stores which creates or joins threads, or finds addresses in an array, as they may tell how many;
//     nor those that callers of such a function store, nor those that such a function gives to one which stores them, as they may be threads' numbers;
//   - functions that draw numbers from a counter, or wait at barriers, stay as they are, with what calls them and what these call (draws.go);
//   - so do functions that create threads, wait for conditions, or count a number up or down by one, if something may be a counter of threads;
//   - blocks that nothing is left of go, with the branches around them;
//   - of string literals the conversions of printf are left;
//   - functions and globals that nothing leads to go, and what is left is numbered anew.
//
// No two of these unknown numbers may be taken for the same. No analysis does, as none of what is left computes with one: an Undef is an
// operand only of a branch, of a return, of a store of a number by way of a pointer, and of a call whose callee does not use it.
//
// Texts of places go, too, but for the member that they name (cir.Site.Member). They come back with [Slice.Restore].
//
// Nothing here may be looked up in the program as it was: a slice has no use for executions or proofs.
package slice
