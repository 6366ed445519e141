#ifndef TENSORFLOW_LITE_CORE_C_COMMON_H_
#define TENSORFLOW_LITE_CORE_C_COMMON_H_

/* The official library's other name of this header. */

#include "../../c/common.h"

#endif  // TENSORFLOW_LITE_CORE_C_COMMON_H_
