// A second initialiser of a member takes the place of all of the first.
struct { int a, b[2]; } x = {.b = {1, 2}, .b = {[0] = 3}};
// Bit-fields, ranges, unions, strings, floating-point numbers.
struct { unsigned a : 3, : 5, b : 7; long c : 40; } bits = {5, 100, -3};
int range[6] = {[1 ... 3] = 7, 8};
union { char c[4]; int n; } u = {.n = 0x01020304};
char s[] = "a\0b", t[5] = {"abc"};
double d[] = {1.5, -0.0, 1e300};
float e = 0.1f;
_Bool yes = 0.5;
