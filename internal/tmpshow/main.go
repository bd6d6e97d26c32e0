package main

import (
	"fmt"
	"os"

	"comus/cfront"
	"comus/internal/csource"
	"comus/specialise"
)

func main() {
	src, _ := os.ReadFile(os.Args[1])
	how := csource.Options{Parametric: true, Check: specialise.Checks{NoAssert: true, Race: true}}
	_ = cfront.ILP32
	res, err := csource.Parse(os.Args[1], src, how)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(res.Program)
}
