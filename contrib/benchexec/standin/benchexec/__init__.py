"""A stand-in for BenchExec, see the README of the folder above."""
