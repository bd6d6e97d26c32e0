// Command mutate breaks the analyses of scan on purpose, one place at a time, and runs the tests: what no test notices is a test that is missing, or a
// change that does not matter. It is a tool for people, and part of no test:
//
//	go run ./internal/mutate -n 10                    # ten changes of each package of scan
//	go run ./internal/mutate -n 0 -packages scan/values -only arithmetic.go:120
//
// The changes are those that lose facts (see mutations.go): a case that does nothing, a call that is not made, a loop over the first
// element only. The tree is not touched: the compiler is given other files in place of those (go test -overlay), with all changes in them, each of which is there
// only if an environment variable asks for its number when the tests run. So nothing is compiled twice.
package main
