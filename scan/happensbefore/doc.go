// Package happensbefore finds the happens-before edges between threads beside those of locks, creation and joins: one thread makes something happen, at most ever from a point
// of its on, and another one sees that it has.
//
// There are three kinds of such synchronisations. A flag is a global scalar into which only one thread ever stores what is not 0, and who reads that there has seen it; so the
// location has to be race-free itself, and no relaxed atomic, that a store which is read happens before what follows the load. A semaphore is one that
// is initialised with 0, and that only one thread counts up; who counts it down has seen that. What is done before the thread may have stored, or counted up, for
// the first time happens before all that it does so, and before what is done where it has been seen in any case. It has to be one thread, which is created once. The
// third kind is the function that pthread_once calls: it is called once, and what it does happens before what follows any return of
// pthread_once for the same object.
//
// What a thread may have set, has seen and is called by is found by going forward along its calls, without contexts. That all writes of
// a flag are those that are known here is for who asks to make sure of ([Sync.Allowed]).
package happensbefore
