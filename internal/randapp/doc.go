// Package randapp writes random C programs as people write them, of 30 to 150 lines.
package randapp
