package pointsto

import "slices"

// numbers is a set of numbers that may be large, and into which numbers come one by one, in no order: of the edges from a node, thousands
// where memory is known to all of a large program. (A sparse set of bits is a list, which is searched for each of them.)
type numbers struct {
	list   []int
	sorted bool
	has    map[int]struct{} // nil while the list is short
}

// short is the length of a list that is searched.
const short = 12

// insert puts a number into the set. It reports whether it is new.
func (s *numbers) insert(n int) bool {
	if s.has == nil && len(s.list) >= short {
		s.has = make(map[int]struct{}, 4*short)
		for _, m := range s.list {
			s.has[m] = struct{}{}
		}
	}
	if s.has == nil && slices.Contains(s.list, n) {
		return false
	}
	if s.has != nil {
		if _, ok := s.has[n]; ok {
			return false
		}
		s.has[n] = struct{}{}
	}
	s.list, s.sorted = append(s.list, n), false
	return true
}

// order sorts the list.
func (s *numbers) order() {
	if !s.sorted {
		slices.Sort(s.list)
		s.sorted = true
	}
}

// rename puts other numbers in the place of some; those that become bad are left out.
func (s *numbers) rename(to func(int) int, bad int) {
	var all numbers
	for _, n := range s.list {
		if n = to(n); n != bad {
			all.insert(n)
		}
	}
	*s = all
}
