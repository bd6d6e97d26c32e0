//go:build man

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand returns "comus man", which is there in a build with the tag man only: make install runs that, and the command itself starts
// faster without what makes the pages.
func (c *command) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages to a folder",
		Hidden: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("usage: comus man FOLDER")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writeManual(cmd.Root(), args[0]); err != nil {
				return fmt.Errorf("comus: %w", err)
			}
			return nil
		},
	}
}

// writeManual writes a page for each command. What the commands say of themselves is plain text, that of a page is
// Markdown.
func writeManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root.InitDefaultHelpFlag()
	plain(root)
	header := &doc.GenManHeader{Section: "1", Source: "comus " + version(), Manual: "User Commands"}
	if os.Getenv("SOURCE_DATE_EPOCH") == "" {
		now := time.Now()
		header.Date = &now
	}
	return doc.GenManTree(root, header, dir)
}

// plain prepares the texts of a command and those below it.
func plain(cmd *cobra.Command) {
	cmd.Long = markdown(cmd.Long)
	cmd.DisableAutoGenTag = true
	for _, sub := range cmd.Commands() {
		plain(sub)
	}
}

// markdown makes Markdown of plain text with lines of its own: a block with a line that is indented, or a list of
// words with explanations, stays as it is.
func markdown(text string) string {
	var out []string
	for _, block := range strings.Split(text, "\n\n") {
		if strings.Contains(block, "  ") || strings.Contains(block, "\n ") {
			out = append(out, "```\n"+block+"\n```")
			continue
		}
		out = append(out, special.Replace(block))
	}
	return strings.Join(out, "\n\n")
}

// special are the characters that mean something in Markdown.
var special = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "<", "\\<", "`", "\\`", "[", "\\[", "#", "\\#")
