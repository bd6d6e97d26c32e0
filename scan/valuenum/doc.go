// Package valuenum says what registers of a function hold, by names that mean the same wherever they occur: the value of a
// parameter, the address of a global, what a load gave, plus a constant, plus another one times a constant.
//
// Two registers with the same [Value] hold the same, which is how p->lock and p->data are known to belong to one struct though p is
// loaded anew for each. Locals whose addresses go nowhere are followed through stores and loads, along the control
// flow; where different values meet, there is a new symbol for what the local holds at that block. A symbol of an instruction or of a
// block is what that gave the *latest* time. That needs no care along the way: what holds whenever control is
// somewhere holds there the first time, too, before the instruction was executed at all, so that nothing
// which still rests on the time before last is ever true of all paths.
//
// Memory that others may write gives a new symbol with each load, but where it is known not to change (a stable cell): what is
// there is named by its address, [Load], so that g->lock is the same lock in all functions and threads.
package valuenum
