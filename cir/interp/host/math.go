package host

import (
	"math"

	"comus/cir"
	"comus/cir/interp"
)

// mathematics performs a function of <math.h> on floats of 32 or 64 bits.
func mathematics(name string, args []interp.Value) (interp.Value, bool, error) {
	var x [2]float64
	if len(args) == 0 || len(args) > 2 {
		return interp.Value{}, false, nil
	}
	ty := args[0].Type
	for i, a := range args {
		switch a.Type {
		case cir.F64:
			x[i] = math.Float64frombits(a.Lo)
		case cir.F32:
			x[i] = float64(math.Float32frombits(uint32(a.Lo)))
		default:
			return interp.Value{}, false, nil
		}
	}
	r, _, ok := interp.Math(name, x[0], x[1], ty == cir.F32)
	if !ok {
		return interp.Value{}, false, nil
	}
	if ty == cir.F32 {
		return interp.Value{Type: ty, Lo: uint64(math.Float32bits(float32(r)))}, true, nil
	}
	return interp.Value{Type: ty, Lo: math.Float64bits(r)}, true, nil
}
