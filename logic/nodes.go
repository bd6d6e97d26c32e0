package logic

import (
	"fmt"
	"slices"
)

// Node is a term as it stands in a list that is written to another process: operands are places in
// the list, before its own.
type Node struct {
	Op   Op
	Sort Sort
	Name string // OpVar
	Num  string // OpInt, in decimal
	Args []int32
}

// Nodes returns terms as a list, with all that they consist of, and the places of the terms in it. Older
// terms come first, as IDs tell; so the terms that [Store.Terms] makes of the list are in the same order.
func Nodes(roots []*Term) (list []Node, places map[*Term]int32) {
	places = map[*Term]int32{}
	var all []*Term
	for todo := slices.Clone(roots); len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := places[t]; !seen {
			places[t] = 0
			all = append(all, t)
			todo = append(todo, t.args...)
		}
	}
	slices.SortFunc(all, func(a, b *Term) int { return int(a.id) - int(b.id) })
	for i, t := range all {
		places[t] = int32(i)
		n := Node{Op: t.op, Sort: t.sort, Name: t.name}
		if t.op == OpInt {
			n.Num = t.val.String()
		}
		for _, a := range t.args {
			n.Args = append(n.Args, places[a])
		}
		list = append(list, n)
	}
	return list, places
}

// Terms makes the terms of a list that [Nodes] returned, as they were: nothing is simplified. The error is for a
// list that is no such one.
func (s *Store) Terms(list []Node) ([]*Term, error) {
	terms := make([]*Term, len(list))
	for i, n := range list {
		var args []*Term
		for _, a := range n.Args {
			if a < 0 || int(a) >= i {
				return nil, fmt.Errorf("logic: term %d has an operand %d", i, a)
			}
			args = append(args, terms[a])
		}
		switch {
		case n.Sort > Int || n.Op > OpShr || (n.Op <= OpVar) != (len(args) == 0):
			return nil, fmt.Errorf("logic: term %d is none", i)
		case n.Op == OpTrue || n.Op == OpFalse:
			terms[i] = s.Bool(n.Op == OpTrue)
		case n.Op == OpVar:
			if v, ok := s.vars[n.Name]; ok && v.sort != n.Sort {
				return nil, fmt.Errorf("logic: variable %s has two sorts", n.Name)
			}
			terms[i] = s.Var(n.Name, n.Sort)
		case n.Op == OpInt:
			v, ok := ParseValue(n.Num)
			if !ok {
				return nil, fmt.Errorf("logic: %q is no number", n.Num)
			}
			terms[i] = s.Value(v)
		default:
			terms[i] = s.intern(n.Op, n.Sort, "", Value{}, args)
		}
	}
	return terms, nil
}
