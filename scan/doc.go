// Package scan analyses whole programs for data races without unrolling or inlining anything: what
// most accesses have in common (a lock, a time when there is only one thread, an object that only one thread knows) is found
// cheaply, thread by thread, and what is left are suspects, pairs of accesses, each a small question for
// the precise engines. It is modular verification with the plainest of abstractions: a thread is analysed alone, and all it
// learns of the others is what they may access, which locks they hold there, and when they live.
//
// [Analyse] puts it together from packages below it, which bear the names that the field has for them:
//
//   - pointsto: what pointers may point to, and who calls whom (points-to analysis);
//   - thread: which threads there are, and which of them live when an access is made;
//   - valuenum and lockset: which locks are held there (lockset analysis), named relative to what is accessed, by value numbering: p->lock protects p->data;
//   - escape: which objects have not escaped from the thread that made them (escape analysis);
//   - transfer: objects whose ownership containers under locks transfer from thread to thread;
//   - race: which pairs of accesses are left.
//
// The checker (check/scancheck) finds out itself which elements and objects belong to one thread of many, and what flags, semaphores, pthread_once, barriers and
// counters of threads order. So race asks it, and what it does not find is not claimed.
//
// Beside these, slice reduces a program to what all this looks at, and directed looks for executions that show a suspect, by directed testing.
//
// What it says is a claim, which package comus does not call SAFE as it is: a location is race-free if the analysis is right
// about each pair of accesses, under the assumptions that the result lists.
package scan
