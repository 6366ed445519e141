#ifndef TENSORFLOW_LITE_CORE_C_BUILTIN_OP_DATA_H_
#define TENSORFLOW_LITE_CORE_C_BUILTIN_OP_DATA_H_

/* The official library's other name of this header. */

#include "../../c/builtin_op_data.h"

#endif  // TENSORFLOW_LITE_CORE_C_BUILTIN_OP_DATA_H_
