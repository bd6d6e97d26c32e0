package certificate

// Values is what registers and memory may hold, from which it follows that assertions never fail. Package check/valuecheck verifies it.
//
// Sets of numbers are text: "any", "none", numbers in ascending order with commas, "LO..HI", or "LO..HI/STEP" for those in steps from LO on. Pointers are the numbers of
// their addresses. What is left out may be any value of its type; of a static cell, any that Ever has; of one that others access, any that Met has.
type Values struct {
	Version int `json:"version"`
	// Locks are locks that cells are guarded by.
	Locks []At        `json:"locks,omitempty"`
	Cells []ValueCell `json:"cells"`
	// Changes has, for each copy of a function, the cells that it may change, what it calls included.
	Changes     [][]int           `json:"changes"`
	Activations []ValueActivation `json:"activations"`
}

// ValuesVersion is that of the format of [Values].
const ValuesVersion = 1

// ValueCell is a scalar in memory, or all those of the elements of an array at an offset.
type ValueCell struct {
	Object int    `json:"object"`
	Off    int64  `json:"off"`
	Size   int64  `json:"size"`
	Bits   int    `json:"bits"`
	Kind   string `json:"kind"`           // "int", "uint", "ptr"; "str": the length of the string in an array of characters, Size if it does not end there
	Ever   string `json:"ever,omitempty"` // of a static one: what it ever holds
	Met    string `json:"met,omitempty"`  // what a thread may find there while there may be others
	Guard  []int  `json:"guard,omitempty"`
}

// ValueActivation is a copy of a function, called in some way.
type ValueActivation struct {
	Copy int `json:"copy"`
	// Root: it is the one for whoever begins with it: threads, the program, code outside.
	Root bool `json:"root,omitempty"`
	// Alone is what holds while the program has created no thread, Among what holds from then on. Nothing: control never gets there.
	Alone *ValueFlow `json:"alone,omitempty"`
	Among *ValueFlow `json:"among,omitempty"`
	Calls []Calls    `json:"calls,omitempty"`
}

// ValueFlow has what holds at the beginning of each block, and at the end. Nothing: control never gets there.
type ValueFlow struct {
	Blocks []*ValueState `json:"blocks"`
	Exit   *ValueState   `json:"exit,omitempty"`
}

// ValueState is what holds at a place. Regs and Cells are ascending.
type ValueState struct {
	Regs  []ValueOf `json:"regs,omitempty"`
	Cells []ValueOf `json:"cells,omitempty"` // that only this thread accesses, or any while there is one thread
	Held  []ValueOf `json:"held,omitempty"`  // that others access, but not now
	Locks []int     `json:"locks,omitempty"` // that are held
	Depth string    `json:"depth,omitempty"` // of atomic sections
	// Result is what the function returns, of its end.
	Result string `json:"result,omitempty"`
}

// ValueOf is what the register or cell with a number may hold.
type ValueOf struct {
	Of int    `json:"of"`
	Is string `json:"is"`
}
