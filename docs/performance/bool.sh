#!/bin/bash
# Measures comus bool on the Bluetooth driver model (the fixed one, so that no bug ends
# the search early) and prints a table: processor time against the number of threads
# with 3 contexts each, and against the number of contexts with 3 threads.
#   docs/performance/bool.sh ./comus > docs/performance/bool.csv
# A row without seconds took longer than the limit.
comus=$1
model=$(dirname "$0")/../../examples/boolprog/bluetooth_fixed.bp
prog=$(mktemp --suffix .bp)
trap 'rm -f "$prog"' EXIT
TIMEFORMAT=%U
measure() { # method threads contexts
	adders=adder
	for ((i = 2; i < $2; i++)); do adders+=", adder"; done
	sed "s/^thread .*/thread $adders, stopper;/" "$model" > "$prog"
	out=$(mktemp)
	seconds=$( { time "$comus" bool --timeout 60s --json --method "$1" --contexts "$3" "$prog" > "$out"; } 2>&1)
	nodes=$(sed -n 's/.*"bdd_nodes": \([0-9]*\),/\1/p' "$out")
	rm -f "$out"
	[ "$nodes" = 0 ] && seconds= nodes=
	echo "$1,$2,$3,$seconds,$nodes"
}
echo method,threads,contexts,cpu_seconds,bdd_nodes
for threads in 2 3 4 6 8 12 16 24 32; do
	measure lazy $threads 3
	measure eager $threads 3
done
for contexts in 1 2 4 5 6; do
	measure lazy 3 $contexts
	[ $contexts -lt 6 ] && measure eager 3 $contexts
done
