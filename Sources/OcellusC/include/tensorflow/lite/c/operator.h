#ifndef TENSORFLOW_LITE_C_OPERATOR_H_
#define TENSORFLOW_LITE_C_OPERATOR_H_

/* Operators of the program, written against opaque contexts and nodes. Every function accepts
   NULL and then returns NULL, 0 or kTfLiteError. */

#include "../builtin_ops.h"
#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates an operator without functions and copies custom_name. The operator must outlive
   interpreters that use it. */
TFL_CAPI_EXPORT TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code,
                                                     const char* custom_name, int version,
                                                     void* user_data);
/* Another name of TfLiteOperatorCreate. */
TFL_CAPI_EXPORT TfLiteOperator* TfLiteOperatorCreateWithData(TfLiteBuiltinOperator builtin_code,
                                                             const char* custom_name, int version,
                                                             void* user_data);
TFL_CAPI_EXPORT void TfLiteOperatorDelete(TfLiteOperator* registration);

TFL_CAPI_EXPORT TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(
    const TfLiteOperator* registration);
/* Returns the pointer that the operator was created with. */
TFL_CAPI_EXPORT const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration);
/* Returns -1 for NULL. */
TFL_CAPI_EXPORT int TfLiteOperatorGetVersion(const TfLiteOperator* registration);
TFL_CAPI_EXPORT void* TfLiteOperatorGetUserData(const TfLiteOperator* registration);

/* The functions are those of TfLiteRegistration. Functions set by WithData receive the user data
   as first argument and take precedence over the others. */
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
/* Ignored: asynchronous kernels are never called. */
TFL_CAPI_EXPORT void TfLiteOperatorSetAsyncKernel(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(
    TfLiteOperator* registration,
    struct TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node));
/* Ignored: results never share memory with operands. */
TFL_CAPI_EXPORT void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration,
                                                      uint64_t inplace_operator);

/* Older names. */
#define TfLiteRegistrationExternalCreate TfLiteOperatorCreate
#define TfLiteRegistrationExternalDelete TfLiteOperatorDelete
#define TfLiteRegistrationExternalGetBuiltInCode TfLiteOperatorGetBuiltInCode
#define TfLiteRegistrationExternalGetCustomName TfLiteOperatorGetCustomName
#define TfLiteRegistrationExternalGetVersion TfLiteOperatorGetVersion
#define TfLiteRegistrationExternalSetInit TfLiteOperatorSetInit
#define TfLiteRegistrationExternalSetFree TfLiteOperatorSetFree
#define TfLiteRegistrationExternalSetPrepare TfLiteOperatorSetPrepare
#define TfLiteRegistrationExternalSetInvoke TfLiteOperatorSetInvoke

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_OPERATOR_H_
