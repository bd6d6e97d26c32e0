// Package validate decides whether witnesses of SV-COMP's format are right about a program, whoever made them ([Witness]), and makes witnesses of results ([Writer]).
//
// What a witness says is put into the program as C, before it is parsed (cfront/weave): waypoints of a violation become a count of the segments that were passed
// (waypoints.go), invariants and ghosts of a proof become assertions and updates (invariants.go, ghosts.go). What is an error of such a program is said anew
// (comus.Source.Restrict), and the verifier is asked as it is about any program.
package validate
