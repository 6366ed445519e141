#ifndef TENSORFLOW_LITE_C_C_API_TYPES_H_
#define TENSORFLOW_LITE_C_C_API_TYPES_H_

/* The types and constants that all headers share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TFL_CAPI_EXPORT
#define TFL_CAPI_EXPORT __attribute__((visibility("default")))
#endif

/* The outcome of a call. */
typedef enum TfLiteStatus {
  kTfLiteOk = 0,
  /* Any error without a status of its own; the error reporter receives a message. */
  kTfLiteError = 1,
  kTfLiteDelegateError = 2,
  /* A delegate is incompatible with the model or the program. */
  kTfLiteApplicationError = 3,
  kTfLiteDelegateDataNotFound = 4,
  kTfLiteDelegateDataWriteError = 5,
  kTfLiteDelegateDataReadError = 6,
  /* The model has an operator that neither the library nor the program provides. */
  kTfLiteUnresolvedOps = 7,
  /* Another thread cancelled the run. */
  kTfLiteCancelled = 8,
  kTfLiteOutputShapeNotKnown = 9,
} TfLiteStatus;

/* The type of a tensor's elements. */
typedef enum {
  kTfLiteNoType = 0,
  kTfLiteFloat32 = 1,
  kTfLiteInt32 = 2,
  kTfLiteUInt8 = 3,
  kTfLiteInt64 = 4,
  kTfLiteString = 5,
  kTfLiteBool = 6,
  kTfLiteInt16 = 7,
  kTfLiteComplex64 = 8,
  kTfLiteInt8 = 9,
  kTfLiteFloat16 = 10,
  kTfLiteFloat64 = 11,
  kTfLiteComplex128 = 12,
  kTfLiteUInt64 = 13,
  kTfLiteResource = 14,
  kTfLiteVariant = 15,
  kTfLiteUInt32 = 16,
  kTfLiteUInt16 = 17,
  kTfLiteInt4 = 18,
  kTfLiteBFloat16 = 19,
  kTfLiteInt2 = 20,
  kTfLiteUInt4 = 21,
  kTfLiteFloat8E4M3FN = 22,
  kTfLiteFloat8E5M2 = 23,
} TfLiteType;

/* real = scale * (integer - zero_point); a scale of 0 means that the tensor has no single scale. */
typedef struct TfLiteQuantizationParams {
  float scale;
  int32_t zero_point;
} TfLiteQuantizationParams;

/* The kind of a tensor's memory. */
typedef enum TfLiteAllocationType {
  kTfLiteMemNone = 0,
  /* A constant of the model. */
  kTfLiteMmapRo,
  /* Memory of the interpreter, which another tensor may reuse later in a run. */
  kTfLiteArenaRw,
  /* Memory of the interpreter that persists from run to run. */
  kTfLiteArenaRwPersistent,
  /* Heap memory, allocated during a run or by TfLiteTensorRealloc. */
  kTfLiteDynamic,
  kTfLitePersistentRo,
  /* The caller's memory; see TfLiteInterpreterSetCustomAllocationForTensor. */
  kTfLiteCustom,
  kTfLiteVariantObject,
  kTfLiteNonCpu,
} TfLiteAllocationType;

typedef enum TfLiteAllocationStrategy {
  kTfLiteAllocationStrategyUnknown = 0,
  kTfLiteAllocationStrategyNone,
  kTfLiteAllocationStrategyMMap,
  kTfLiteAllocationStrategyArena,
  kTfLiteAllocationStrategyMalloc,
  kTfLiteAllocationStrategyNew,
} TfLiteAllocationStrategy;

/* The period during which a property is stable. */
typedef enum TfLiteRunStability {
  kTfLiteRunStabilityUnknown = 0,
  kTfLiteRunStabilityUnstable,
  kTfLiteRunStabilitySingleRun,
  kTfLiteRunStabilityAcrossRuns,
} TfLiteRunStability;

/* The step from which a property is known. */
typedef enum TfLiteRunStep {
  kTfLiteRunStepUnknown = 0,
  kTfLiteRunStepInit,
  kTfLiteRunStepPrepare,
  kTfLiteRunStepEval,
} TfLiteRunStep;

typedef struct TfLiteOpaqueContext TfLiteOpaqueContext;
typedef struct TfLiteOpaqueNode TfLiteOpaqueNode;
typedef struct TfLiteOpaqueTensor TfLiteOpaqueTensor;
typedef struct TfLiteOpaqueTensorBuilder TfLiteOpaqueTensorBuilder;
typedef struct TfLiteOperator TfLiteOperator;
typedef struct TfLiteDelegate TfLiteDelegate;
typedef struct TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegateStruct;
/* An opaque name of TfLiteDelegate. */
#if TFLITE_WITH_STABLE_ABI || TFLITE_USE_OPAQUE_DELEGATE
typedef TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegate;
#else
typedef TfLiteDelegate TfLiteOpaqueDelegate;
#endif

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_C_API_TYPES_H_
