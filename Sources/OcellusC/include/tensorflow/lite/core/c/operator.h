#ifndef TENSORFLOW_LITE_CORE_C_OPERATOR_H_
#define TENSORFLOW_LITE_CORE_C_OPERATOR_H_

/* The official library's other name of this header. */

#include "../../c/operator.h"

#endif  // TENSORFLOW_LITE_CORE_C_OPERATOR_H_
