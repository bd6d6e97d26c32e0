package certificate

// Orders says why a program has no deadlock: an order of all that threads wait for. Wherever a thread waits, all that it may owe then stands before what it waits
// for. Package check/waits finds out what may be owed where, and so verifies it.
type Orders struct {
	Version int       `json:"version"`
	Order   []Awaited `json:"order"`
}

// Awaited is something that threads wait for. Kind is one of
//
//	lock    a lock at Off of an object
//	thread  the end of a thread: Object is its control block, 0 of main
//	barrier all threads that meet at the barrier at Off of an object have come there
//	flag    a number at Off of an object is not 0 any more
//
// Objects are numbered as package pointsto does.
type Awaited struct {
	Kind   string `json:"kind"`
	Object int    `json:"object"`
	Off    int64  `json:"off,omitempty"`
}
