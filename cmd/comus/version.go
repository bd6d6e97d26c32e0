package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"comus/z3"
)

// release is the version that the Makefile gives the linker: what git describe says of the source. "" where go build
// was called by itself.
var release string

// versionCommand returns "comus version".
func (c *command) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print versions, and with --json the other tools that are installed",
		Long: `version prints the versions of comus, of Go and of Z3, which is a part of comus. With
--json it also lists the tools that comus can make use of, whether they are installed,
where and in which version, and the sanitizers that the C compiler has.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.json {
				out := jsonVersion{Comus: version(), Go: runtime.Version(), Z3: z3.Version()}
				out.Tools, out.Sanitizers = findTools(cmd.Context())
				return json.NewEncoder(c.con).Encode(out)
			}
			_, err := fmt.Fprintf(c.con, "comus %s (%s, Z3 %s)\n", version(), runtime.Version(), z3.Version())
			return err
		},
	}
	c.jsonFlag(cmd.Flags())
	return cmd
}

// jsonVersion is the object that comus version --json prints.
type jsonVersion struct {
	Comus      string     `json:"comus"`
	Go         string     `json:"go"`
	Z3         string     `json:"z3"`
	Tools      []jsonTool `json:"tools"`
	Sanitizers []string   `json:"sanitizers"` // those that programs can be linked with
}

// version returns the version that the binary was built from.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
