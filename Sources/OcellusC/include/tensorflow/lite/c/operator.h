#ifndef TENSORFLOW_LITE_C_OPERATOR_H_
#define TENSORFLOW_LITE_C_OPERATOR_H_

/* Operators of a program's own, written against opaque contexts and nodes. Every function may be
   called with NULL, and then answers NULL, 0 or kTfLiteError. */

#include "builtin_ops.h"
#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operator without functions; custom_name is copied. It must outlive interpreters that use it. */
TFL_CAPI_EXPORT TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code,
                                                     const char* custom_name, int version,
                                                     void* user_data);
/* The older name. */
TFL_CAPI_EXPORT TfLiteOperator* TfLiteOperatorCreateWithData(TfLiteBuiltinOperator builtin_code,
                                                             const char* custom_name, int version,
                                                             void* user_data);
TFL_CAPI_EXPORT void TfLiteOperatorDelete(TfLiteOperator* registration);

TFL_CAPI_EXPORT TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(
    const TfLiteOperator* registration);
TFL_CAPI_EXPORT const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration);
TFL_CAPI_EXPORT int TfLiteOperatorGetVersion(const TfLiteOperator* registration);
TFL_CAPI_EXPORT void* TfLiteOperatorGetUserData(const TfLiteOperator* registration);

/* The functions, which TfLiteRegistration explains. Those WithData get the user data first, and
   come before the others. */
TFL_CAPI_EXPORT void TfLiteOperatorSetInit(TfLiteOperator* registration,
                                           void* (*init)(TfLiteOpaqueContext* context,
                                                         const char* buffer, size_t length));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetInitWithData(
    TfLiteOperator* registration,
    void* (*init)(void* user_data, TfLiteOpaqueContext* context, const char* buffer,
                  size_t length));
TFL_CAPI_EXPORT void TfLiteOperatorSetFree(TfLiteOperator* registration,
                                           void (*free)(TfLiteOpaqueContext* context, void* data));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetFreeWithData(
    TfLiteOperator* registration,
    void (*free)(void* user_data, TfLiteOpaqueContext* context, void* data));
TFL_CAPI_EXPORT void TfLiteOperatorSetPrepare(TfLiteOperator* registration,
                                              TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                                      TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetPrepareWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*prepare)(void* user_data, TfLiteOpaqueContext* context,
                            TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT void TfLiteOperatorSetInvoke(TfLiteOperator* registration,
                                             TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                    TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetInvokeWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*invoke)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
/* Kept, and never called. */
TFL_CAPI_EXPORT void TfLiteOperatorSetAsyncKernel(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node));
/* Results never share memory with operands here, whatever this allows. */
TFL_CAPI_EXPORT void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration,
                                                      uint64_t inplace_operator);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_OPERATOR_H_
