// The instructions of Intel's matrix unit (AMX). Tile registers are immediates of the instructions,
// which Swift cannot pass: the intrinsics are macros, and LLVM's take vectors that Swift lacks.
//
// Registers 0 to 3 hold the sums of two groups of rows times two panels, 4 and 5 the rows, 6 and 7
// the weights.
#if defined(__AMX_INT8__) && defined(__AMX_BF16__)
#include <immintrin.h>
#include <unistd.h>

#define TILE_FUNCTION static inline __attribute__((always_inline))

// Asks Linux for the permission to use tile data (arch_prctl, ARCH_REQ_XCOMP_PERM,
// XFEATURE_XTILEDATA); returns 0 if it is granted.
static inline long tiles_request_permission(void) { return syscall(158, 0x1023L, 18L); }

TILE_FUNCTION void tiles_configure(const void *configuration) { _tile_loadconfig(configuration); }
TILE_FUNCTION void tiles_release(void) { _tile_release(); }

TILE_FUNCTION void tiles_load_sums_0(const void *a, long stride) { _tile_loadd(0, a, stride); }
TILE_FUNCTION void tiles_load_sums_1(const void *a, long stride) { _tile_loadd(1, a, stride); }
TILE_FUNCTION void tiles_load_sums_2(const void *a, long stride) { _tile_loadd(2, a, stride); }
TILE_FUNCTION void tiles_load_sums_3(const void *a, long stride) { _tile_loadd(3, a, stride); }

TILE_FUNCTION void tiles_store_sums_0(void *a, long stride) { _tile_stored(0, a, stride); }
TILE_FUNCTION void tiles_store_sums_1(void *a, long stride) { _tile_stored(1, a, stride); }
TILE_FUNCTION void tiles_store_sums_2(void *a, long stride) { _tile_stored(2, a, stride); }
TILE_FUNCTION void tiles_store_sums_3(void *a, long stride) { _tile_stored(3, a, stride); }

TILE_FUNCTION void tiles_load_rows_0(const void *a, long stride) { _tile_loadd(4, a, stride); }
TILE_FUNCTION void tiles_load_rows_1(const void *a, long stride) { _tile_loadd(5, a, stride); }
TILE_FUNCTION void tiles_load_weights_0(const void *a, long stride) { _tile_loadd(6, a, stride); }
TILE_FUNCTION void tiles_load_weights_1(const void *a, long stride) { _tile_loadd(7, a, stride); }

// Products of signed bytes.
TILE_FUNCTION void tiles_multiply_0(void) { _tile_dpbssd(0, 4, 6); }
TILE_FUNCTION void tiles_multiply_1(void) { _tile_dpbssd(1, 4, 7); }
TILE_FUNCTION void tiles_multiply_2(void) { _tile_dpbssd(2, 5, 6); }
TILE_FUNCTION void tiles_multiply_3(void) { _tile_dpbssd(3, 5, 7); }

// Products of bfloat16 numbers.
TILE_FUNCTION void tiles_multiply_bfloat16_0(void) { _tile_dpbf16ps(0, 4, 6); }
TILE_FUNCTION void tiles_multiply_bfloat16_1(void) { _tile_dpbf16ps(1, 4, 7); }
TILE_FUNCTION void tiles_multiply_bfloat16_2(void) { _tile_dpbf16ps(2, 5, 6); }
TILE_FUNCTION void tiles_multiply_bfloat16_3(void) { _tile_dpbf16ps(3, 5, 7); }

#undef TILE_FUNCTION
#endif
