// expect: error 3:25: unsupported: __builtin_types_compatible_p with enumerations, qualified pointers, functions, pointers to pointers or structs without a tag
enum e { A };
int main(void) { return __builtin_types_compatible_p(enum e, int); }
