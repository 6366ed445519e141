#ifndef TENSORFLOW_LITE_CORE_C_C_API_H_
#define TENSORFLOW_LITE_CORE_C_C_API_H_

/* The official library's other name of this header. */

#include "../../c/c_api.h"

#endif  // TENSORFLOW_LITE_CORE_C_C_API_H_
