// Package simulate looks for violations by running a program many times, each time
// with another order of the threads and other inputs. It proves nothing: a run that
// reaches an error location is a schedule, which the caller has to replay.
//
// # Orders
//
// The threads of a run are in an order of priority, drawn at random; the first that has
// a possible step takes it. What changes the order is one of four things, in turn from
// run to run:
//
//   - nothing: each thread runs until it has to wait or ends;
//   - a few steps, drawn beforehand, after which the running thread becomes the last.
//     This is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and
//     Nagarakatte, ASPLOS 2010): a violation that needs d-1 such changes is found with
//     a probability of at least 1/(n k^(d-1)), for n threads and k steps;
//   - chance, at each step;
//   - a fixed number of steps after which the next thread gets its turn.
//
// Only steps that touch shared variables count. In some runs, the threads with
// assertions are first or last. A thread that has taken many steps in a row, because
// it waits in a loop perhaps, becomes the last in any case.
//
// # Inputs
//
// Inputs and uninitialised variables get constants of the program, numbers next to
// them and between them, small numbers, the ends of the type's range, and random
// ones. Some values end a run at the next assumption. So the thread is first tried out
// alone with several values for an input, and the one that it gets furthest with is
// taken. In half of the runs, an input of a thread is mostly what another thread that does
// the same was given there: threads collide that choose the same element, and independent
// draws hardly ever agree.
//
// Everything is drawn from a generator with a fixed seed: a search of a given number
// of runs always does the same.
package simulate
