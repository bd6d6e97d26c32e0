extern int tentative;
extern _Thread_local int thread_local_value;
const char *b_name(void);
int b_counter(void), b_table_size(void), b_weak(void), b_pointer(int *), b_struct(void), b_callback(int (*)(void));
void b_add(int), b_thread_local(void);
inline int twice(int x) { return 2 * x; }
