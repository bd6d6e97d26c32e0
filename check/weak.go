package check

import "comus/memory"

// Weak returns the memory model that allows the execution of a certificate, if it is not sequentially consistent. The certificate may be nil.
func (c *Certificate) Weak() (m memory.Model, weak bool) {
	if c == nil || c.Execution == nil || c.Execution.Graph == nil || c.Execution.Graph.Consistent(memory.SC) {
		return memory.SC, false
	}
	if m, err := memory.ParseModel(c.Program.MemoryModel); err == nil {
		return m, true
	}
	return memory.RC11, true
}
