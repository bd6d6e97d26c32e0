package read

import (
	"reflect"
	"strings"

	"modernc.org/cc/v4"
)

// children returns the nodes that a node has in its fields, in their order.
func children(n cc.Node) (out []cc.Node) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	v = v.Elem()
	for i := 0; i < v.NumField(); i++ {
		f := v.Type().Field(i)
		if !f.IsExported() || strings.HasPrefix(f.Name, "Token") {
			continue
		}
		if c, ok := v.Field(i).Interface().(cc.Node); ok && !reflect.ValueOf(c).IsZero() {
			out = append(out, c)
		}
	}
	return out
}
