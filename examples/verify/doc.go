// Package verify tests the example programs in the folder above: each is
// verified, and its verdict compared with the one its first line names. (The
// tests are not beside the programs because Go takes C files in a package for
// part of it.)
package verify
