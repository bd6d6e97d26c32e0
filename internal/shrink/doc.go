// Package shrink makes a C program that shows a failure smaller, as far as it still
// shows it. It knows the statements and expressions of C well enough to take out
// what belongs together, a thread with its creation and join or a lock with its
// unlock, but nothing of types: whether a candidate is a program at all, the caller
// has to find out.
package shrink
