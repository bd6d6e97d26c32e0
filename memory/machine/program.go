package machine

import (
	"fmt"
	"strings"

	"comus/cir"
)

// The largest programs. Events are members of sets in one word, so an execution has at most 64 of them beside the initial writes.
const (
	MaxThreads   = 4
	MaxLocations = 4
	MaxEvents    = 16 // of a thread; a read-modify-write is two
	Registers    = 9  // of a thread; number 0 is always 0
)

// Op is what an instruction does.
type Op uint8

// The operations.
const (
	Load            Op = iota // Into = Loc
	Store                     // Loc = Value
	Add                       // Into = Loc; Loc += Value: a read-modify-write
	Exchange                  // Into = Loc; Loc = Value: a read-modify-write
	CompareExchange           // Into = Loc; if that is Expected: Loc = Value. Otherwise it is a read of order Failure
	Fence                     //
	Jump                      // if Value is Expected, the next Skip instructions are left out; below 0, it goes back
	Spawn                     // lets thread Thread begin, which has a higher number; threads that nobody spawns have begun already
	Join                      // waits for the end of thread Thread, which was spawned
)

// Value is the sum of a register and a constant.
type Value struct {
	Register int
	Plus     uint64
}

// Instruction is one step of a thread.
type Instruction struct {
	Op              Op
	Order, Failure  cir.Order
	Loc             int
	Into            int // a register; 0: the value is not needed
	Value, Expected Value
	Skip            int
	Thread          int
	Await           bool // of a CompareExchange: it waits until it does not fail, as for a lock
}

// Program has the instructions of each thread. All locations and registers begin with 0.
type Program [][]Instruction

// spawned reports whether another thread spawns one.
func (p Program) spawned(thread int) bool {
	for _, instructions := range p {
		for _, in := range instructions {
			if in.Op == Spawn && in.Thread == thread {
				return true
			}
		}
	}
	return false
}

// check reports what is wrong with a program.
func (p Program) check() error {
	if len(p) > MaxThreads {
		return fmt.Errorf("%d threads are more than %d", len(p), MaxThreads)
	}
	for t, thread := range p {
		for k, in := range thread {
			into := in.Loc < 0 || in.Loc >= MaxLocations
			for _, register := range []int{in.Into, in.Value.Register, in.Expected.Register} {
				into = into || register < 0 || register >= Registers
			}
			switch {
			case into:
				return fmt.Errorf("thread %d, %d: no such location or register", t, k)
			case in.Op == Jump && (k+1+in.Skip < 0 || k+1+in.Skip > len(thread)):
				return fmt.Errorf("thread %d, %d: jump out of the thread", t, k)
			case (in.Op == Spawn || in.Op == Join) && (in.Thread <= t || in.Thread >= len(p) || !p.spawned(in.Thread)):
				return fmt.Errorf("thread %d, %d: thread %d cannot be spawned or joined", t, k, in.Thread)
			case in.Op == Store && (in.Order == cir.Acquire || in.Order == cir.AcqRel), in.Op == Load && (in.Order == cir.Release || in.Order == cir.AcqRel):
				return fmt.Errorf("thread %d, %d: no such order", t, k)
			case in.Await && in.Op != CompareExchange:
				return fmt.Errorf("thread %d, %d: nothing to wait for", t, k)
			case in.Order == cir.Plain && in.Op != Load && in.Op != Store && in.Op <= Fence, in.Op == CompareExchange && in.Failure == cir.Plain:
				return fmt.Errorf("thread %d, %d: a read-modify-write or fence is atomic", t, k)
			}
		}
	}
	return nil
}

// String returns a program line by line, one thread in each.
func (p Program) String() string {
	var b strings.Builder
	for t, thread := range p {
		fmt.Fprintf(&b, "T%d:", t)
		for _, in := range thread {
			fmt.Fprintf(&b, " %v;", in)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns a value as an expression.
func (v Value) String() string {
	if v.Register == 0 {
		return fmt.Sprint(v.Plus)
	}
	return fmt.Sprintf("r%d+%d", v.Register, v.Plus)
}

// String returns an instruction as a statement.
func (in Instruction) String() string {
	loc := string("wxyz"[in.Loc])
	switch in.Op {
	case Load:
		return fmt.Sprintf("r%d = %s %v", in.Into, loc, in.Order)
	case Store:
		return fmt.Sprintf("%s = %v %v", loc, in.Value, in.Order)
	case Add:
		return fmt.Sprintf("r%d = %s += %v %v", in.Into, loc, in.Value, in.Order)
	case Exchange:
		return fmt.Sprintf("r%d = swap %s %v %v", in.Into, loc, in.Value, in.Order)
	case CompareExchange:
		return fmt.Sprintf("r%d = %s %s %v %v %v %v", in.Into, map[bool]string{true: "await cas", false: "cas"}[in.Await], loc, in.Expected, in.Value, in.Order, in.Failure)
	case Fence:
		return fmt.Sprintf("fence %v", in.Order)
	case Jump:
		return fmt.Sprintf("if %v == %v skip %d", in.Value, in.Expected, in.Skip)
	case Spawn:
		return fmt.Sprintf("spawn T%d", in.Thread)
	}
	return fmt.Sprintf("join T%d", in.Thread)
}

// onlyFencesAreSeqCst reports whether no access is seq_cst.
func (p Program) onlyFencesAreSeqCst() bool {
	for _, thread := range p {
		for _, in := range thread {
			if in.Op != Fence && in.Op < Jump && (in.Order == cir.SeqCst || in.Failure == cir.SeqCst) {
				return false
			}
		}
	}
	return true
}
