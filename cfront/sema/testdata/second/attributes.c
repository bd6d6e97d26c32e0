// Attributes that change layouts.
struct ms { char a : 3; int b : 5; short c : 4; } __attribute__((ms_struct)) by_microsoft;
struct big { int n; } __attribute__((scalar_storage_order("big-endian"))) big;
struct most { int n; } __attribute__((aligned)) most;
struct tight { char c; int n; } __attribute__((packed)) tight;
struct member { char c; int n __attribute__((packed)); short s __attribute__((aligned(8))); } member;
#pragma pack(2)
struct two { char c; int n; long l; } two;
#pragma pack()
typedef int wide __attribute__((aligned(16)));
struct holds { char c; wide w; } holds;
int here __attribute__((aligned(64))), there;
_Alignas(32) char buffer[5];
