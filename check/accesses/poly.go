package accesses

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// poly is a sum of products of symbols, each of which stands for one number in all of an execution, or in an activation of a function: a polynomial with whole coefficients. Equal ones are the same
// pointer; nil stands for one that is not known, or too large to be followed. A passing one has symbols of an activation, and means nothing outside of that.
type poly struct {
	terms   []term
	key     string
	passing bool
}

// term is a coefficient, not 0, and the symbols of a product, with those that are there more than once repeated: each has four bytes, in ascending order.
type term struct {
	product string
	factor  int64
}

// passes reports whether a symbol of an activation is a factor.
func (t term) passes() bool {
	for f := range slices.Chunk([]byte(t.product), 4) {
		if f[0]&passing != 0 {
			return true
		}
	}
	return false
}

// passing is a bit of the first byte of symbols that stand for a number in an activation only.
const passing = 0x80

const (
	maxTerms  = 12
	maxDegree = 4
	maxFactor = 1 << 40
)

// polys are all polynomials that there are.
type polys struct{ all map[string]*poly }

// of returns the polynomial with some terms.
func (ps *polys) of(terms map[string]int64) *poly {
	list := make([]term, 0, len(terms))
	for product, k := range terms {
		if k > maxFactor || k < -maxFactor || len(product) > 4*maxDegree {
			return nil
		}
		if k != 0 {
			list = append(list, term{product, k})
		}
	}
	if len(list) > maxTerms {
		return nil
	}
	slices.SortFunc(list, func(a, b term) int { return cmp.Compare(a.product, b.product) })
	var key strings.Builder
	for _, t := range list {
		key.WriteString(strconv.Itoa(len(t.product)))
		key.WriteString(t.product)
		key.WriteString(strconv.FormatInt(t.factor, 10))
		key.WriteByte(' ')
	}
	a := ps.all[key.String()]
	if a == nil {
		a = &poly{list, key.String(), slices.ContainsFunc(list, func(t term) bool { return t.passes() })}
		ps.all[a.key] = a
	}
	return a
}

func (ps *polys) number(n int64) *poly { return ps.of(map[string]int64{"": n}) }

// symbol returns a symbol with a number, for all of an execution or for an activation.
func (ps *polys) symbol(id int, once bool) *poly {
	name := binary.BigEndian.AppendUint32(nil, uint32(id))
	if !once {
		name[0] |= passing
	}
	return ps.of(map[string]int64{string(name): 1})
}

func (a *poly) asMap() map[string]int64 {
	m := make(map[string]int64, len(a.terms))
	for _, t := range a.terms {
		m[t.product] = t.factor
	}
	return m
}

// constant returns the number that it is, if it is one.
func (a *poly) constant() (int64, bool) {
	switch {
	case a == nil || len(a.terms) > 1 || len(a.terms) == 1 && a.terms[0].product != "":
		return 0, false
	case len(a.terms) == 0:
		return 0, true
	}
	return a.terms[0].factor, true
}

// plus returns a + k*b.
func (ps *polys) plus(a *poly, k int64, b *poly) *poly {
	if a == nil || b == nil || k > maxFactor || k < -maxFactor {
		return nil
	}
	m := a.asMap()
	for _, t := range b.terms {
		x := times(t.factor, k)
		if x > maxFactor || x < -maxFactor {
			return nil
		}
		m[t.product] += x
	}
	return ps.of(m)
}

// product returns a * b.
func (ps *polys) product(a, b *poly) *poly {
	if a == nil || b == nil {
		return nil
	}
	m := map[string]int64{}
	for _, s := range a.terms {
		for _, t := range b.terms {
			x := times(s.factor, t.factor)
			if x > maxFactor || x < -maxFactor {
				return nil
			}
			m[merge(s.product, t.product)] += x
		}
	}
	return ps.of(m)
}

// merge is the product of two products.
func merge(a, b string) string {
	all := slices.Collect(slices.Chunk([]byte(a+b), 4))
	slices.SortFunc(all, slices.Compare)
	return string(slices.Concat(all...))
}

// quotient returns the polynomial that times d is a; nil if there is none, or d has more than one term.
func (ps *polys) quotient(a, d *poly) *poly {
	if a == nil || d == nil || len(d.terms) != 1 {
		return nil
	}
	m := map[string]int64{}
	for _, t := range a.terms {
		rest, ok := without(t.product, d.terms[0].product)
		if !ok || t.factor%d.terms[0].factor != 0 {
			return nil
		}
		m[rest] = t.factor / d.terms[0].factor
	}
	return ps.of(m)
}

// without takes the factors of a product out of another one.
func without(a, b string) (string, bool) {
	all := slices.Collect(slices.Chunk([]byte(a), 4))
	for f := range slices.Chunk([]byte(b), 4) {
		i := slices.IndexFunc(all, func(x []byte) bool { return slices.Equal(x, f) })
		if i < 0 {
			return "", false
		}
		all = slices.Delete(all, i, i+1)
	}
	return string(slices.Concat(all...)), true
}

// atMost reports whether a polynomial is no larger than another one, whatever the symbols are.
func (ps *polys) atMost(a, b *poly) bool {
	n, ok := ps.plus(b, -1, a).constant()
	return ok && n >= 0
}

// upper are upper bounds of a number: of each list in it, the number is at most one of the polynomials. Equal ones are the same pointer; nil stands for none.
type upper struct {
	all [][]*poly
	key string
	in  *bounds
}

const (
	maxLists   = 6
	maxChoices = 3
)

// bounds are all upper bounds that there are.
type bounds struct {
	*polys
	uppers map[string]*upper
}

// upper returns the upper bounds with some lists, without those that say nothing more.
func (bs *bounds) upper(lists [][]*poly) *upper {
	seen := map[string][]*poly{}
	for _, l := range lists {
		if list, key := bs.choices(l); list != nil {
			seen[key] = list
		}
	}
	order := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(seen[a]), len(seen[b])), compareSizes(seen[a][0], seen[b][0]), cmp.Compare(a, b))
	})
	var all [][]*poly
	keys := ""
	for _, key := range order {
		if len(all) < maxLists && !slices.ContainsFunc(all, func(l []*poly) bool { return bs.implies(l, seen[key]) }) {
			all = append(all, seen[key])
			keys += key + "|"
		}
	}
	if len(all) == 0 {
		return nil
	}
	u := bs.uppers[keys]
	if u == nil {
		u = &upper{all, keys, bs}
		bs.uppers[keys] = u
	}
	return u
}

// compareSizes puts those with few terms first, and with long products: they were made of symbols only, and not of what numbers are at most.
func compareSizes(a, b *poly) int {
	degree := func(x *poly) (n int) {
		for _, t := range x.terms {
			n = max(n, len(t.product))
		}
		return n
	}
	return cmp.Or(cmp.Compare(len(a.terms), len(b.terms)), cmp.Compare(degree(b), degree(a)))
}

// implies reports whether each polynomial of a list is at most one of another list.
func (bs *bounds) implies(l, m []*poly) bool {
	return !slices.ContainsFunc(l, func(a *poly) bool { return !slices.ContainsFunc(m, func(b *poly) bool { return bs.atMost(a, b) }) })
}

// choices returns a list without those that are no larger than others, sorted; nil if it says nothing: what is only a number is told by intervals.
func (bs *bounds) choices(l []*poly) ([]*poly, string) {
	var list []*poly
	symbols := false
	for i, a := range l {
		if a == nil {
			return nil, ""
		}
		less := false
		for k, b := range l {
			less = less || i != k && bs.atMost(a, b) && (a != b || k < i)
		}
		if !less {
			list = append(list, a)
			_, number := a.constant()
			symbols = symbols || !number
		}
	}
	if !symbols || len(list) > maxChoices {
		return nil, ""
	}
	slices.SortFunc(list, func(a, b *poly) int { return cmp.Compare(a.key, b.key) })
	key := ""
	for _, a := range list {
		key += a.key + ","
	}
	return list, key
}

// outside are those of the upper bounds that mean something outside of an activation.
func (a *upper) outside() *upper {
	if a == nil {
		return nil
	}
	return a.in.upper(slices.DeleteFunc(slices.Clone(a.all), func(l []*poly) bool {
		return slices.ContainsFunc(l, func(b *poly) bool { return b.passing })
	}))
}

// or are upper bounds of two numbers.
func (a *upper) or(b *upper) *upper {
	if a == nil || b == nil || a == b {
		return either(a, b)
	}
	var all [][]*poly
	for _, x := range a.all {
		for _, y := range b.all {
			all = append(all, slices.Concat(x, y))
		}
	}
	return a.in.upper(all)
}

// either returns what is the same.
func either(a, b *upper) *upper {
	if a == b {
		return a
	}
	return nil
}

// stable returns the lists that both have.
func (a *upper) stable(b *upper) *upper {
	if a == nil || b == nil {
		return nil
	}
	bs := a.in
	has := map[string]bool{}
	for _, l := range a.all {
		_, key := bs.choices(l)
		has[key] = true
	}
	return bs.upper(slices.DeleteFunc(slices.Clone(b.all), func(l []*poly) bool { _, key := bs.choices(l); return !has[key] }))
}

// symbolID numbers what symbols stand for.
type symbolIDs map[string]int

func (s symbolIDs) of(key string) int {
	id, ok := s[key]
	if !ok {
		id = len(s)
		s[key] = id
	}
	return id
}
