package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"comus/bench"
)

// scheduler returns what makes the runs; nil: this process. limited tells whether --jobs was given: a cluster knows by
// itself what there is room for.
func (b benchFlags) scheduler(limited bool) (*bench.Slurm, error) {
	if b.executor.value == "local" {
		if b.slurm != "" {
			return nil, errors.New("--slurm has flags for --executor slurm")
		}
		return nil, nil
	}
	flags, err := shellwords.Parse(b.slurm)
	if err != nil {
		return nil, fmt.Errorf("--slurm: %w", err)
	}
	s := &bench.Slurm{Flags: flags}
	if limited {
		s.AtOnce = b.jobs
	}
	return s, nil
}

// benchStatusCommand returns "comus bench status".
func (c *command) benchStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status FOLDER",
		Short: "Tell how far a measurement has come",
		Long: `status looks at the output folder of a measurement (-o of comus bench) and tells how many
runs have a result, which verdicts there are and which are wrong; of --executor slurm
also in which states the tasks are, and how many results wait to be collected.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("usage: comus bench status [flags] FOLDER")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := bench.ReadStatus(cmd.Context(), args[0])
			if err != nil {
				return fmt.Errorf("comus: %w", err)
			}
			if c.json {
				return json.NewEncoder(c.con).Encode(s)
			}
			s.Text(c.con)
			return nil
		},
	}
	c.jsonFlag(cmd.Flags())
	return cmd
}

// benchTaskCommand returns "comus bench task", which a task of the scheduler runs: it is not for users.
func (c *command) benchTaskCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "task BATCH NUMBER",
		Short:  "Make one run of a batch",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[1])
			if err != nil {
				return fmt.Errorf("comus: not the number of a task: %s", args[1])
			}
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			if err := bench.Work(ctx, args[0], n); err != nil {
				return fmt.Errorf("comus: %w", err)
			}
			return nil
		},
	}
}
