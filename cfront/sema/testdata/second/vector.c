typedef int v4 __attribute__((vector_size(16)));
v4 a, b;
typedef struct { char c; v4 v; } holds;
