// Package thread finds out which threads a whole cir.Program has, and which of them may run at the same time.
//
// An identity ([Thread]) is all threads that one call of pthread_create (or thrd_create, or the installation of a signal's handler) makes, apart
// for each function that they begin with and for each identity that makes the call: identities are a tree, whose root is the
// thread that the program begins with. Within the tree, what orders accesses of two threads is what the first thread that both descend
// from knows: a child of its that has not been created yet, or has been joined, does not run. So for each thread there is one analysis, forward
// along its calls: at each point, the set of identities that may be running which this thread created ([Set]), or which were left behind by
// one that it joined. Creation adds to the set; a join of the id of a child takes the child out if there is never more than one
// such child at a time, which the same analysis finds out: at the child's creation it is not in the set. What a function does to the set is
// the same whatever the set is (it adds some and takes some out), and is computed once for a thread, so that
// calls of a function at different times are not confused.
// A longjmp leads behind a setjmp of the same thread, or of one that a handler of a signal interrupts: there all may be running that the thread ever creates,
// and nothing is followed from turn to turn of the thread's loops.
//
// Functions of the program that code outside of it knows are called back from there: by the thread that calls that code, at each
// call that may ([pointsto.Result.CalledBack]). That code creates no threads of its own, but where a contract says so.
package thread
