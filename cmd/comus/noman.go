//go:build !man

package main

import "github.com/spf13/cobra"

// manCommand returns nothing: see man.go.
func (c *command) manCommand() *cobra.Command { return nil }
