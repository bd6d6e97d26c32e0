package main

import (
	"fmt"
	"os"
	"strconv"

	"comus/internal/randprog"
)

func main() { n, _ := strconv.ParseUint(os.Args[1], 10, 64); fmt.Print(randprog.Synchronised(n)) }
