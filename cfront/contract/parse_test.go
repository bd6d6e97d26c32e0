package contract

import (
	"errors"
	"testing"
)

func TestDefault(t *testing.T) {
	table, err := Parse(nil, files()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d contracts", len(table.All()))
}

var _ = errors.New
