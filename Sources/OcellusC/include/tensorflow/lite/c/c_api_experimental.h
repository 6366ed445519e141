#ifndef TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_

/* The official interface's functions without a promise of stability. */

#include "c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Variables ---- */

/* Resets variables to their values before the first run. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetVariableTensorCount(
    const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetVariableTensor(
    const TfLiteInterpreter* interpreter, int32_t variable_index);

/* ---- Operators of the program ---- */

/* Replaces the library's kernel for a range of versions of an operator; registration is copied. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options,
                                                          TfLiteBuiltinOperator op,
                                                          const TfLiteRegistration* registration,
                                                          int32_t min_version,
                                                          int32_t max_version);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options,
                                                         const char* name,
                                                         const TfLiteRegistration* registration,
                                                         int32_t min_version, int32_t max_version);
/* Uses only the operators in the options, and none of the library's. */
TFL_CAPI_EXPORT TfLiteInterpreter* TfLiteInterpreterCreateWithSelectedOps(
    const TfLiteModel* model, const TfLiteInterpreterOptions* options);

/* Sets functions that find all operators and replace every other source of operators. Only the
   last setter that was called has an effect. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolver(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op,
                                                 int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* custom_op,
                                                int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolverV3(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V3* (*find_builtin_op_v3)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V3* (*find_custom_op_v3)(void* user_data, const char* op,
                                                      int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolverV2(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V2* (*find_builtin_op_v2)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V2* (*find_custom_op_v2)(void* user_data, const char* op,
                                                      int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolverV1(
    TfLiteInterpreterOptions* options,
    const TfLiteRegistration_V1* (*find_builtin_op_v1)(void* user_data, TfLiteBuiltinOperator op,
                                                       int version),
    const TfLiteRegistration_V1* (*find_custom_op_v1)(void* user_data, const char* op,
                                                      int version),
    void* op_resolver_user_data);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolverExternal(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op)(void* user_data, const char* custom_op, int version),
    void* op_resolver_user_data);
/* The second pair of functions is called if the first finds nothing. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
    TfLiteInterpreterOptions* options,
    const TfLiteOperator* (*find_builtin_op_external)(void* user_data, int op, int version),
    const TfLiteOperator* (*find_custom_op_external)(void* user_data, const char* custom_op,
                                                     int version),
    const TfLiteRegistration* (*find_builtin_op)(void* user_data, TfLiteBuiltinOperator op,
                                                 int version),
    const TfLiteRegistration* (*find_custom_op)(void* user_data, const char* op, int version),
    void* op_resolver_user_data);

/* ---- Memory and handles ---- */

TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter,
                                                             int32_t input_index);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter,
                                                              int32_t output_index);
/* Stores an input, output or variable in the caller's memory, which must outlive the
   interpreter. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterSetCustomAllocationForTensor(
    TfLiteInterpreter* interpreter, int tensor_index, const TfLiteCustomAllocation* allocation,
    int64_t flags);
/* Fails: buffer handles belong to delegates that execute nodes, and there are none. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter,
                                                              TfLiteTensor* tensor,
                                                              TfLiteBufferHandle buffer_handle,
                                                              TfLiteOpaqueDelegate* delegate);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter,
                                                              int tensor_index,
                                                              TfLiteBufferHandle* buffer_handle,
                                                              TfLiteOpaqueDelegate** delegate);
TFL_CAPI_EXPORT void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter,
                                                      bool allow_buffer_handle_output);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterEnsureTensorDataIsReadable(
    TfLiteInterpreter* interpreter, int tensor_index);

/* ---- Delegates and telemetry ---- */

/* Ignored: NNAPI is not supported. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* options,
                                                         bool enable);
/* Ignored: nothing is ever delegated. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetEnableDelegateFallback(
    TfLiteInterpreterOptions* options, bool enable);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterModifyGraphWithDelegate(
    const TfLiteInterpreter* interpreter, TfLiteDelegate* delegate);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner);

struct TfLiteTelemetryProfilerStruct;
/* Ignored: nothing is reported. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetTelemetryProfiler(
    TfLiteInterpreterOptions* options, struct TfLiteTelemetryProfilerStruct* profiler);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_C_API_EXPERIMENTAL_H_
