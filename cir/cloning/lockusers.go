package cloning

import (
	"fmt"

	"comus/cir"
)

// lockAt are the functions of the library that use a lock, with the number of the parameter that it is.
var lockAt = map[string]int{
	"pthread_mutex_init": 0, "pthread_mutex_destroy": 0, "pthread_mutex_lock": 0, "pthread_mutex_trylock": 0, "pthread_mutex_timedlock": 0, "pthread_mutex_unlock": 0,
	"pthread_rwlock_init": 0, "pthread_rwlock_destroy": 0, "pthread_rwlock_rdlock": 0, "pthread_rwlock_wrlock": 0, "pthread_rwlock_unlock": 0,
	"pthread_spin_init": 0, "pthread_spin_destroy": 0, "pthread_spin_lock": 0, "pthread_spin_trylock": 0, "pthread_spin_unlock": 0,
	"mtx_init": 0, "mtx_destroy": 0, "mtx_lock": 0, "mtx_trylock": 0, "mtx_unlock": 0,
	"pthread_cond_wait": 1, "pthread_cond_timedwait": 1, "cnd_wait": 1,
}

// lockUsersOf returns the functions that use a lock which stands at an offset from one of their parameters, with the numbers of these: what the parameter leads to is a container. Those
// that give a container to such, or get it from one, are among them. from gets where the addresses of functions come from.
func lockUsersOf(p *cir.Program, from map[*cir.Func]*sources) map[*cir.Func]map[int]bool {
	all := map[*cir.Func]map[int]bool{}
	add := func(f *cir.Func, k int) bool {
		if f.Library || len(f.Blocks) == 0 || k >= len(f.Params) || all[f][k] {
			return false
		}
		if all[f] == nil {
			all[f] = map[int]bool{}
		}
		all[f][k] = true
		return true
	}
	for _, f := range p.Funcs {
		if !f.Library {
			from[f] = sourcesOf(f)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			from := from[f]
			if from == nil {
				continue
			}
			eachCall(f, func(call *cir.Call, to *cir.Func) {
				for i := range call.Args {
					k := from.param(call.Args[i].X)
					if k < 0 {
						continue
					}
					at, locks := lockAt[to.Source]
					switch {
					case locks && at == i && (to.Library || len(to.Blocks) == 0), all[to][i]:
						changed = add(f, k) || changed
					case all[f][k]:
						changed = add(to, i) || changed
					}
				}
			})
		}
	}
	return all
}

// givenTo says which containers a call gives to some parameters of a function: the same text for the same ones.
func (s site) givenTo(params map[int]bool, from *sources) (text string) {
	if from == nil { // the library calls it
		from = sourcesOf(s.in)
	}
	for i := range s.call.Args {
		if params[i] {
			text += from.text(s.call.Args[i].X, deep) + "/"
		}
	}
	return text
}

// deep is how many instructions between a container and a parameter are looked at.
const deep = 8

// sources is where the addresses of a function come from.
type sources struct {
	f      *cir.Func
	made   map[*cir.Reg]cir.Instr
	stores map[*cir.Local][]cir.Value
	params map[*cir.Reg]int
}

func sourcesOf(f *cir.Func) *sources {
	s := &sources{f, map[*cir.Reg]cir.Instr{}, map[*cir.Local][]cir.Value{}, map[*cir.Reg]int{}}
	for i, p := range f.Params {
		s.params[p.Reg] = i
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				s.made[r] = in
			}
			if st, ok := in.(*cir.Store); ok {
				if l, ok := st.Addr.(*cir.Local); ok {
					s.stores[l] = append(s.stores[l], st.X)
				}
			}
		}
	}
	return s
}

// param returns the number of the parameter that an address is computed from, -1 if it is none.
func (s *sources) param(v cir.Value) int {
	for range deep {
		r, ok := v.(*cir.Reg)
		if !ok {
			return -1
		}
		if k, ok := s.params[r]; ok {
			return k
		}
		switch in := s.made[r].(type) {
		case *cir.Offset:
			v = in.P
		case *cir.Convert:
			v = in.X
		case *cir.Load:
			l, ok := in.Addr.(*cir.Local)
			if !ok || len(s.stores[l]) != 1 {
				return -1
			}
			v = s.stores[l][0]
		default:
			return -1
		}
	}
	return -1
}

// text says what an address is, as far as that is seen in the function.
func (s *sources) text(v cir.Value, deep int) string {
	r, ok := v.(*cir.Reg)
	switch v := v.(type) {
	case *cir.Local:
		return fmt.Sprint(s.f.Name, " local ", v.Index)
	case *cir.Global:
		return "global " + v.Name
	}
	if !ok || deep == 0 {
		return "?"
	}
	if k, ok := s.params[r]; ok {
		return fmt.Sprint(s.f.Name, " parameter ", k)
	}
	switch in := s.made[r].(type) {
	case *cir.Offset:
		if in.Index == nil {
			return fmt.Sprint(s.text(in.P, deep-1), "+", in.Disp)
		}
		return s.text(in.P, deep-1) + "[]"
	case *cir.Convert:
		return s.text(in.X, deep-1)
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && len(s.stores[l]) == 1 {
			return s.text(s.stores[l][0], deep-1)
		}
		return "*" + s.text(in.Addr, deep-1)
	}
	return "?"
}
