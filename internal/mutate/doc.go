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
//	scan/solve                          6        5                             1     0
//
// The holes: that writes of unknown length or of all locks of an object break a lock (memory.go, breaks), what read and assembler
// spoil (step.go, writes), and locks after a call that returns in two ways (call.go, after).
//
// What survives is of three kinds: what makes no difference; what makes the analysis know less, so that it is right still; and what makes it claim more. Only the last
// kind is a hole. In the checkers most changes are of the second kind: a case that does nothing is something that the checker does not know.
package main
