// Package barrier tells how often a thread has waited at a barrier when it makes an access, and which barriers order what is done between such waits.
//
// If no more threads ever wait at a barrier than it was initialised for, each of its rounds has all of them, each once: a thread that is blocked does
// not wait a second time. So the k-th wait of each thread is in round k. What a thread does after a waits happens before its next wait, so before what
// another one does after b waits, if b > a; and the other way round if b < a. Two accesses are ordered, then, if the numbers of waits that their
// threads may have done by then, their phases, have none in common ([Phase]): a range, and a remainder, as loops that wait twice in a turn have.
//
// How many threads there are at most is known of those that are created once, and of those that a loop creates which counts to a constant, or to the number
// that the barrier was initialised for (bound.go): functions may be given that number. What threads have waited for is found by going along their calls, without contexts (flow.go). That nobody else writes to
// a barrier is for who asks to make sure of ([Barrier.Uses]).
package barrier
