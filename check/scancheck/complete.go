package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// That all locations of a certificate are race-free says something about the program only if they are all that there is. So all
// accesses of objects that other threads may know are noted, whatever the certificate says, and each two that might race need a location that speaks of
// both (or it would have been refused for an access that is in no group). Two accesses of the library by which threads synchronise need none.

// user is an access of an object, as far as it decides whether a location has to speak of it.
type user struct {
	t             *thread
	bytes         extent
	write, atomic bool
	frees         bool // ends the object's life; of others the bytes are those that are accessed
}

// coverage is what is accessed.
type coverage struct {
	by map[*pointsto.Object]map[user]bool
}

func newCoverage() coverage { return coverage{map[*pointsto.Object]map[user]bool{}} }

// note notes an access of an object.
func (cv *coverage) note(t *thread, o *pointsto.Object, x *touch, bytes extent) {
	if o.IsFunc() || !o.Escaped || o.Global != nil && o.Global.Literal {
		return
	}
	if size := o.Size(); size >= 0 {
		bytes = extent{max(bytes.lo, 0), min(bytes.hi, size)}
	}
	if cv.by[o] == nil {
		cv.by[o] = map[user]bool{}
	}
	cv.by[o][user{t, bytes, x.write, x.atomic, x.frees}] = true
}

// uncovered returns the objects with accesses that might race and of which no location speaks.
func (ls *locations) uncovered() (list []string) {
	for _, o := range ls.pts.Objects {
		if len(ls.coverage.by[o]) > 0 && ls.gap(o) {
			list = append(list, o.String())
		}
	}
	return list
}

// gap reports whether no location speaks of two accesses of an object that might race.
func (ls *locations) gap(o *pointsto.Object) bool {
	life := slices.ContainsFunc(ls.of[o.ID], func(l *location) bool { return l.Kind == certificate.Freed })
	for a := range ls.coverage.by[o] {
		for b := range ls.coverage.by[o] {
			switch {
			case a.t == b.t && !a.t.Many:
			case a.frees:
				if !life {
					return true
				}
			case b.frees || !a.write && !b.write || a.atomic && b.atomic || !a.bytes.meets(b.bytes):
			case !ls.spoken(o, a.bytes, b.bytes):
				return true
			}
		}
	}
	return false
}

// remainder returns what else keeps the program from being race-free, though all locations are.
func (ls *locations) remainder() (list []string) {
	for _, o := range ls.uncovered() {
		list = append(list, "no location speaks of all accesses of "+o)
	}
	for k, why := range ls.hidden.open {
		list = append(list, k.String()+": "+why)
	}
	for _, t := range ls.threads.list {
		for _, n := range t.order {
			if f := ls.copies[n.copy].Func; f.Library && f.Source == "putenv" && !ls.single() {
				list = append(list, "what putenv makes a part of the environment is not looked at")
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Functions of the library whose models read, or write, less than their contracts say, or where what they read does not count.
var (
	unread = map[string]bool{"fopen": true, "freopen": true, "popen": true, "remove": true, "rename": true, "system": true,
		"execv": true, "execve": true, "execvp": true, "execvpe": true, "execl": true, "execlp": true, "execle": true,
		"pthread_create": true, "pthread_cond_init": true, "pthread_barrier_init": true,
		"pthread_attr_setscope": true, "pthread_attr_setaffinity_np": true, "pthread_attr_getaffinity_np": true}
	unwritten = map[string]bool{"nanosleep": true, "clock_nanosleep": true, "thrd_sleep": true,
		"pthread_attr_setscope": true, "pthread_attr_setaffinity_np": true, "pthread_attr_getaffinity_np": true}
)

// beyondModels returns what such functions access of what a call of the program's own gives them.
func (p *program) beyondModels(c pointsto.Copy, call *cir.Call) (ts []touch) {
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		k := statesContract(call, f)
		if c.Func.Library || k == nil || len(f.Blocks) == 0 {
			continue
		}
		for i, arg := range call.Args {
			q := k.Argument(i)
			if q == nil {
				continue
			}
			for _, a := range q.Accesses {
				if a.Reads && !a.Writes && unread[k.Name] || a.Writes && unwritten[k.Name] {
					ts = append(ts, touch{ptr: arg.X, size: -1, span: reachOf(k, i), write: a.Writes})
				}
			}
		}
	}
	return ts
}
