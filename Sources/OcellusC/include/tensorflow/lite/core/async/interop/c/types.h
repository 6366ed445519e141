#ifndef TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_
#define TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_

/* Boxes for pointers that asynchronous hardware kernels would exchange. */

#include "../../../../c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteBackendBuffer TfLiteBackendBuffer;
typedef struct TfLiteSynchronization TfLiteSynchronization;

TFL_CAPI_EXPORT TfLiteBackendBuffer* TfLiteBackendBufferCreate(void);
TFL_CAPI_EXPORT void TfLiteBackendBufferDelete(TfLiteBackendBuffer* buf);
TFL_CAPI_EXPORT void TfLiteBackendBufferSetPtr(TfLiteBackendBuffer* buf, void* ptr);
TFL_CAPI_EXPORT void* TfLiteBackendBufferGetPtr(const TfLiteBackendBuffer* buf);

TFL_CAPI_EXPORT TfLiteSynchronization* TfLiteSynchronizationCreate(void);
TFL_CAPI_EXPORT void TfLiteSynchronizationDelete(TfLiteSynchronization* sync);
TFL_CAPI_EXPORT void TfLiteSynchronizationSetPtr(TfLiteSynchronization* sync, void* ptr);
TFL_CAPI_EXPORT void* TfLiteSynchronizationGetPtr(const TfLiteSynchronization* sync);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_TYPES_H_
