typeof(int) x;
typeof(x) *p;
