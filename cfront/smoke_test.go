package cfront

import (
	"fmt"
	"os"
	"testing"
)

func TestSmoke(t *testing.T) {
	f := os.Getenv("SMOKE")
	if f == "" {
		t.Skip()
	}
	o := Options{}
	if os.Getenv("ILP32") != "" {
		o.DataModel = ILP32
	}
	r, err := ParseFile(f, o)
	if err != nil {
		fmt.Println("ERR:", err)
		return
	}
	fmt.Println(r.Warnings, r.HasAssertions)
	fmt.Println(r.Program)
	fmt.Println("check:", r.Program.Check())
}
