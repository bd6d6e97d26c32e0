package race

import (
	"fmt"
	"os"
)

func dbg(s string) {
	if os.Getenv("DBGC") != "" {
		fmt.Fprintln(os.Stderr, "counted:", s)
	}
}
