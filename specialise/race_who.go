package specialise

// who is a set of threads, as far as that matters.
type who struct {
	some     bool // there are threads that are not replicated
	min, max int  // the smallest and largest number of them
	common   bool // among them is one that is not told apart
	single   bool // among them is one that is told apart
	crowd    bool // there are replicated threads
}

// add adds a thread, which is one of any number, or the one of them that is told apart.
func (w *who) add(thread int, many, single bool) {
	if many {
		w.crowd = true
		return
	}
	w.join(who{some: true, min: thread, max: thread, common: !single, single: single})
}

// byKind says who accesses a place, by what the accesses do.
type byKind [accessKinds]who

// and returns the accesses of both.
func (by *byKind) and(more *byKind) *byKind {
	if more == nil {
		return by
	}
	sum := *by
	for k, w := range more {
		sum[k].join(w)
	}
	return &sum
}

// join adds another set.
func (w *who) join(v who) {
	switch {
	case !w.some:
		w.min, w.max = v.min, v.max
	case v.some:
		w.min, w.max = min(w.min, v.min), max(w.max, v.max)
	}
	w.some, w.common, w.single, w.crowd = w.some || v.some, w.common || v.common, w.single || v.single, w.crowd || v.crowd
}

// other reports whether there is another thread than this one with which it may race. Of two of any number of threads, one is
// the one that is told apart ([builder.tellsApart]), and so is one that races with any other thread.
func (w who) other(t *thread) bool {
	if t.replicated {
		return w.single
	}
	return w.some && (w.min != t.index || w.max != t.index) || t.single && w.crowd
}
