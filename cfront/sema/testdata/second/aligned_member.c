// An attribute before the type of a member is the member's.
struct s {
  long a;
  short b;
} __attribute__((packed));
struct t {
  int n;
  __attribute__((aligned(8))) struct s m;
};
