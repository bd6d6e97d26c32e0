package sema

import (
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// arg is what an argument of an atomic builtin is.
type arg uint8

const (
	ptrArg   arg = iota // the pointer to the object
	valueArg            // a value of the object's type
	stepArg             // what is added or combined: a value, for pointers a number of bytes
	otherPtr            // a pointer to another object of the type
	orderArg
	boolArg
	sizeArg
	anyPtr // a pointer to anything
)

// result is what an atomic builtin returns.
type result uint8

const (
	noResult result = iota
	valueResult
	boolResult
)

type atomicShape struct {
	args   []arg
	result result
	whole  bool // objects of any type and size
}

// atomicShapes are the __atomic builtins.
var atomicShapes = map[string]atomicShape{
	"load_n": {[]arg{ptrArg, orderArg}, valueResult, false}, "store_n": {[]arg{ptrArg, valueArg, orderArg}, noResult, false},
	"exchange_n":         {[]arg{ptrArg, valueArg, orderArg}, valueResult, false},
	"compare_exchange_n": {[]arg{ptrArg, otherPtr, valueArg, boolArg, orderArg, orderArg}, boolResult, false},
	"load":               {[]arg{ptrArg, otherPtr, orderArg}, noResult, true}, "store": {[]arg{ptrArg, otherPtr, orderArg}, noResult, true},
	"exchange":         {[]arg{ptrArg, otherPtr, otherPtr, orderArg}, noResult, true},
	"compare_exchange": {[]arg{ptrArg, otherPtr, otherPtr, boolArg, orderArg, orderArg}, boolResult, true},
	"test_and_set":     {[]arg{anyPtr, orderArg}, boolResult, true}, "clear": {[]arg{anyPtr, orderArg}, noResult, true},
	"thread_fence": {[]arg{orderArg}, noResult, true}, "signal_fence": {[]arg{orderArg}, noResult, true},
	"always_lock_free": {[]arg{sizeArg, anyPtr}, boolResult, true}, "is_lock_free": {[]arg{sizeArg, anyPtr}, boolResult, true},
}

// syncShapes are the __sync builtins, which may have more arguments.
var syncShapes = map[string]atomicShape{
	"bool_compare_and_swap": {[]arg{ptrArg, valueArg, valueArg}, boolResult, false},
	"val_compare_and_swap":  {[]arg{ptrArg, valueArg, valueArg}, valueResult, false},
	"lock_test_and_set":     {[]arg{ptrArg, valueArg}, valueResult, false},
	"lock_release":          {[]arg{ptrArg}, noResult, false},
	"synchronize":           {nil, noResult, true},
}

func init() {
	for _, op := range []string{"add", "sub", "and", "or", "xor", "nand"} {
		atomicShapes["fetch_"+op] = atomicShape{[]arg{ptrArg, stepArg, orderArg}, valueResult, false}
		atomicShapes[op+"_fetch"] = atomicShapes["fetch_"+op]
		syncShapes["fetch_and_"+op] = atomicShape{[]arg{ptrArg, stepArg}, valueResult, false}
		syncShapes[op+"_and_fetch"] = syncShapes["fetch_and_"+op]
	}
}

// sized takes the size off a builtin's name: 0 if it has none.
func sized(name string) (string, int64) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return name, 0
	}
	n := map[string]int64{"1": 1, "2": 2, "4": 4, "8": 8, "16": 16}[name[i+1:]]
	if n == 0 {
		return name, 0
	}
	return name[:i], n
}

// atomic checks an __atomic builtin.
func (c *checker) atomic(e *syntax.Call, full string) tree.Expr {
	name, size := sized(strings.TrimPrefix(full, "__atomic_"))
	if size > 0 && atomicShapes[name+"_n"].args != nil {
		name += "_n"
	}
	sh, ok := atomicShapes[name]
	if !ok || size > 0 && sh.whole {
		return nil
	}
	c.need(e, len(sh.args), len(sh.args))
	if name == "always_lock_free" || name == "is_lock_free" {
		return c.lockFree(e, name)
	}
	return c.atomicCall(e, full, "atomic_"+name, sh, size)
}

// sync checks a __sync builtin.
func (c *checker) sync(e *syntax.Call, full string) tree.Expr {
	name, size := sized(strings.TrimPrefix(full, "__sync_"))
	sh, ok := syncShapes[name]
	if !ok {
		return nil
	}
	c.need(e, len(sh.args), -1)
	return c.atomicCall(e, full, "sync_"+name, sh, size)
}

// atomicCall checks the arguments of an atomic builtin.
func (c *checker) atomicCall(e *syntax.Call, full, name string, sh atomicShape, size int64) tree.Expr {
	x := &tree.Builtin{X: c.x(e, c.t.Void), Name: name}
	t := c.t.Int
	for i, a := range e.Args {
		v := c.value(a)
		if i >= len(sh.args) {
			continue // variables that __sync protects, says the manual
		}
		switch sh.args[i] {
		case ptrArg:
			v, t = c.atomicObject(a, v, full, sh, size)
		case valueArg:
			v = c.assignTo(v, t, reason{verb: "passing", arg: i + 1, f: full})
		case stepArg:
			if t.Kind == types.Pointer {
				v = c.assignTo(v, c.t.PtrDiff, reason{verb: "passing", arg: i + 1, f: full})
			} else {
				v = c.assignTo(v, t, reason{verb: "passing", arg: i + 1, f: full})
			}
		case otherPtr:
			v = c.atomicOther(a, v, t, full, i+1, sh)
		case anyPtr:
			if !v.Type().IsPointer() && !c.isNullConst(v) {
				c.fail(a, "argument %d of ‘%s’ must be a pointer type", i+1, full)
			}
		case orderArg:
			v = c.assignTo(v, c.t.Int, reason{verb: "passing", arg: i + 1, f: full})
		case boolArg:
			v = c.assignTo(v, c.t.Bool, reason{verb: "passing", arg: i + 1, f: full})
		}
		x.Args = append(x.Args, v)
	}
	switch sh.result {
	case valueResult:
		x.Typ = t
	case boolResult:
		x.Typ = c.t.Bool
	}
	return x
}

// atomicObject checks the pointer to the object; it returns the object's type as well.
func (c *checker) atomicObject(n syntax.Node, v tree.Expr, full string, sh atomicShape, size int64) (tree.Expr, *types.Type) {
	pt := v.Type()
	if pt.Kind != types.Pointer {
		c.fail(n, "argument 1 of ‘%s’ must be a pointer type", full)
	}
	if size > 0 {
		t := c.t.IntOf(int(size*8), false)
		if t == nil {
			c.fail(n, "‘%s’ is not supported on this target", full)
		}
		return c.convert(v, c.t.Pointer(t)), t
	}
	t := pt.Elem.Unqualified()
	if !t.IsComplete() {
		c.fail(n, "argument 1 of ‘%s’ must be a pointer to a complete type", full)
	}
	if sh.whole {
		return v, t
	}
	ok := t.IsInteger() || t.Kind == types.Pointer
	if !ok || t.Size > 16 {
		c.fail(n, "operand type ‘%s’ is incompatible with argument 1 of ‘%s’", pt, full)
	}
	if t.Kind == types.Bool && len(sh.args) > 1 && sh.args[1] == stepArg {
		c.fail(n, "operand type ‘%s’ is incompatible with argument 1 of ‘%s’", pt, full)
	}
	return v, t
}

// atomicOther checks a pointer to another object of the type.
func (c *checker) atomicOther(n syntax.Node, v tree.Expr, t *types.Type, full string, i int, sh atomicShape) tree.Expr {
	pt := v.Type()
	if pt.Kind != types.Pointer {
		if !sh.whole {
			return c.assignTo(v, c.t.Pointer(t), reason{verb: "passing", arg: i, f: full})
		}
		c.fail(n, "argument %d of ‘%s’ must be a pointer type", i, full)
	}
	if sh.whole && (!pt.Elem.IsComplete() || pt.Elem.Size != t.Size) {
		c.fail(n, "size mismatch in argument %d of ‘%s’", i, full)
	}
	return c.convert(v, c.t.Pointer(t))
}

// lockFree folds always_lock_free and is_lock_free for the sizes that have instructions.
func (c *checker) lockFree(e *syntax.Call, name string) tree.Expr {
	size := c.value(e.Args[0])
	p := c.value(e.Args[1])
	v, ok := c.evalInt(size)
	if !ok {
		if name == "always_lock_free" {
			c.fail(e, "non-constant argument 1 to ‘__atomic_always_lock_free’")
		}
		return &tree.Builtin{X: c.x(e, c.t.Bool), Name: "atomic_" + name, Args: []tree.Expr{c.convert(size, c.t.Size), p}}
	}
	free := false
	if v.IsInt64() {
		switch v.Int64() {
		case 1, 2, 4, 8:
			free = true
		}
	}
	return c.convert(boolNode(c, e, free), c.t.Bool)
}
