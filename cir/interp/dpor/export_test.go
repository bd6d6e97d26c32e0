package dpor

// Everything has all executions run, without any reduction.
func (o Options) Everything() Options {
	o.everything = true
	return o
}
