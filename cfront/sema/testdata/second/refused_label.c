int f(void) { int n = 0; int g(void) { return 1; } { if (n > 6) goto end; n = g(); end: ; } return n; }
