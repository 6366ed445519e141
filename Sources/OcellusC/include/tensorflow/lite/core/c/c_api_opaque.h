#ifndef TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_
#define TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_

/* The official library's other name of this header. */

#include "../../c/c_api_opaque.h"

#endif  // TENSORFLOW_LITE_CORE_C_C_API_OPAQUE_H_
