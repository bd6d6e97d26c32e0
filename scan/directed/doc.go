// Package directed is directed testing (Sen 2008): it looks for executions of whole programs that violate a property, by running the program in the interpreter of cir, which finds races by
// happens-before, exact to the byte. What is looked for is a [Target]: a race of a suspect's two accesses, or any, an assertion that fails, a deadlock, what C leaves undefined, memory that is lost.
//
// At first all targets are looked for at once, by runs with random schedules. Runs are short at first where most programs that fail do so early ([Options.Grow]), and some go along races that
// others have shown ([Options.Races]). What they are given from outside (arguments, the standard input, files, the environment) follows
// from the runs before: what has been asked for is there the next time, a text that was compared with another one is replaced by that, and inputs that
// have led to a part of the program where no run was before are changed a little. Then runs are directed at one suspect: a thread that comes to one of its two
// accesses is kept there for a while, so that others may come to the other one before anything orders the two. What a run depends on is
// recorded, an [Execution]; a suspect is confirmed only by one that shows the race again when it is replayed without any direction, and in which nothing was
// approximated before the race. A run that has passed approximations (a function without a body that may do anything) may be none of the program's: it makes a suspect
// more likely, and no more.
//
// Another small part follows abstract schedules: that a read sees a write at another place of the program, or does not. It goes on from runs in which reads have seen what they seldom see ([Options.Feedback]).
//
// A small part of the runs are made by package dpor, with fixed inputs: each of them differs from all others in the order of something that matters. Where they come to their end, all executions with these inputs were run
// ([All]), of which it is told where all of them are exact and C gives them a meaning. It proves nothing, as there are other inputs, but it is more than that nothing was found. Most programs are too large for that, and it gives up.
//
// Memory that nobody has written holds some value, as it does on any machine. A run that reads some counts, but one that does not is preferred: it is looked for
// for some more time ([Unset], [Assumed]).
package directed
