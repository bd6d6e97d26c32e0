// Command mutate breaks the analyses of scan on purpose, one place at a time, and runs the tests: what no test notices is a test that is missing, or a
// change that does not matter. It is a tool for people, and part of no test:
//
//	go run ./internal/mutate -n 10                    # ten changes of each package of scan
//	go run ./internal/mutate -n 0 -packages scan/values -only arithmetic.go:120
//	go run ./internal/mutate -n 90 -packages check/valuecheck -only arith.go -run TestArithmetic
//
// The changes are those that lose facts (see mutations.go): a case that does nothing, a call that is not made, a loop over the first
// element only. The tree is not touched: the compiler is given other files in place of those (go test -overlay), with all changes in them, each of which is there
// only if an environment variable asks for its number when the tests run. So nothing is compiled twice.
//
// Some that were drawn at random, of November 2026, on a machine that was busy; survivors were read one by one:
//
//	                              changes  noticed  no difference, or less known  hole
//	check/valuecheck, arithmetic      100       48                            52     0
//	check/valuecheck, the rest         49       20                            24     5
//	check/valuecheck, relations        10        7                             1     2
//	scan/pointsto                         9        4                             4     1
//	scan/solve                          6        5                             1     0
//	scan/lockset                       25       16                             8     1
//	scan/race                          20        9                             9     2
//	scan/zones                         20       10                             9     1
//	scan/values, strings and relations 30       14                            15     1
//
// The holes were that writes of unknown length or of all locks of an object break a lock (memory.go, breaks), what read and assembler
// spoil (step.go, writes), and locks after a call that returns in two ways (call.go, after). TestLenders and TestLockInCell notice them now, but
// for what read and assembler spoil: nothing is claimed of what these write, as package pointsto has it known outside. Those of the others were rows that are
// numbers and cells of several objects in relations (related.go, proved; relations.go, relatable), who calls a function that changes a pointer to a lock (points/once.go, Callers), a lock that is named by a
// pointer which its caller changes (lockset/call.go, outward), the groups of accesses where these are too many to be looked at pair by pair (race/coarse.go), the
// library's hidden state (race/collect.go, visitStates), products that do not fit (zones/zone.go, times), and strings at a pointer that another one changes
// (values/exact.go, home). TestRowsThatAreNumbers, TestRelatable, TestNames, TestManyGroups, TestHiddenState, TestTimes and a pair of package randstr notice them now.
//
// Of specialise, of changes in what is done to memory and locks (memory, lockset, heap, object, cells, bytes, atomics, intrinsic; seed 28): of the first 13, 6 are noticed by
// the simulation check and 1 by executions that runs follow. 6 survive, which were read: they cost time, or add executions (heap.go, counter, aliveVar; lockset_step.go, solve;
// intrinsic.go, assumeCond; cells.go, rowAt, resolveElement).
//
// What survives is of three kinds: what makes no difference; what makes the analysis know less, so that it is right still; and what makes it claim more. Only the last
// kind is a hole. In the checkers most changes are of the second kind: a case that does nothing is something that the checker does not know.
//
// What is noticed because it does not end may only have been slow: it is no answer. Of what survives, most is one of these: bounds and tables that save time, what is
// implied by another condition (a loop that is run once in a turn, as package valuenum has symbols of its own for the locals of a loop in it), facts that are lost (then
// there are suspects more). What may let a suspect go is what a test is to be written for. By what the programs of the tables in scan show of locations, of the changes of
//
//	             changes  noticed  endless  survive
//	scan/thread      648      389       18      241
package main
