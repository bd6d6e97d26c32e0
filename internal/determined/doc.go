// Package determined has no code, but tests: the same program, read with the same flags on the same machine, has to become the same bytes
// of cir and of ir, whenever that is. A certificate is about one of them, and is checked, and an execution replayed, by another
// process.
package determined
