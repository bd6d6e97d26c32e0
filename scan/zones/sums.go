package zones

import "slices"

// Case is one of the cases of a state as sums of its variables: those of Most are at most 0, those of Equal are 0. What follows from others of them is left out.
type Case struct{ Most, Equal []Linear }

// Cases returns the cases of a state.
func (s *State) Cases() (list []Case) {
	for _, c := range s.cases {
		list = append(list, c.sums(s.p.N))
	}
	return list
}

// sums writes a case down. Variables that differ by a constant are one but for an equation; of their bounds, those are left out that are sums of two
// others (Larsen et al. 1997).
func (c conj) sums(n int) (x Case) {
	x.Equal = slices.Clone(c.a.rows)
	z := c.z
	difference := func(i, j int, d int64) Linear { // v_i - v_j - d
		f := Constant(n, -d)
		if i > 0 {
			f.Coef[i-1] = 1
		}
		if j > 0 {
			f.Coef[j-1] = -1
		}
		return f
	}
	var leaders []int
	for i := range z.n {
		k := slices.IndexFunc(leaders, func(j int) bool { return z.at(i, j) != infinite && z.at(j, i) == -z.at(i, j) })
		if k < 0 {
			leaders = append(leaders, i)
			continue
		}
		f := difference(i, leaders[k], z.at(i, leaders[k]))
		if !slices.ContainsFunc(x.Equal, func(g Linear) bool { return f.equals(g) || f.minus().equals(g) }) {
			x.Equal = append(x.Equal, f)
		}
	}
	for _, i := range leaders {
		for _, j := range leaders {
			d := z.at(i, j)
			follows := func(k int) bool { return k != i && k != j && add(z.at(i, k), z.at(k, j)) <= d }
			if i != j && d != infinite && !slices.ContainsFunc(leaders, follows) {
				x.Most = append(x.Most, difference(i, j, d))
			}
		}
	}
	return x
}

func (f Linear) equals(g Linear) bool { return f.C == g.C && slices.Equal(f.Coef, g.Coef) }
