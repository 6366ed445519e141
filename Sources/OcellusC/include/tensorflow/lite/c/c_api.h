#ifndef TENSORFLOW_LITE_C_C_API_H_
#define TENSORFLOW_LITE_C_C_API_H_

/* Runs .tflite models.

     TfLiteModel* model = TfLiteModelCreateFromFile("model.tflite");
     TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
     TfLiteInterpreterAllocateTensors(interpreter);
     TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), input, inputBytes);
     TfLiteInterpreterInvoke(interpreter);
     TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), output, outputBytes);
     TfLiteInterpreterDelete(interpreter);
     TfLiteModelDelete(model);

   Several threads may use a model at a time, but only one may use an interpreter, its tensors, or
   options. Functions accept NULL pointers wherever possible and then return NULL, 0 or kTfLiteError. */

#include "../builtin_ops.h"
#include "common.h"
#include "operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteModel TfLiteModel;
typedef struct TfLiteInterpreterOptions TfLiteInterpreterOptions;
typedef struct TfLiteInterpreter TfLiteInterpreter;
typedef struct TfLiteSignatureRunner TfLiteSignatureRunner;

/* ---- Versions ---- */

/* The version of the interface: 2.17.1. */
TFL_CAPI_EXPORT const char* TfLiteVersion(void);
TFL_CAPI_EXPORT const char* TfLiteExtensionApisVersion(void);
/* The version of the format: 3. */
TFL_CAPI_EXPORT int TfLiteSchemaVersion(void);

/* ---- Models ---- */

/* Creates a model from memory, which must stay unchanged until the model and its interpreters
   are deleted. Returns NULL if it is not a model. */
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateWithErrorReporter(
    const void* model_data, size_t model_size,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* Creates a model from a file, which stays mapped. */
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* Interpreters of the model stay valid. */
TFL_CAPI_EXPORT void TfLiteModelDelete(TfLiteModel* model);

/* ---- Options ---- */

TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(
    const TfLiteInterpreterOptions* from);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);
/* Sets the number of threads that share large steps; -1 selects the default, which is one
   thread. Interpreters report smaller numbers when they are created, and use the default. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options,
                                                           int32_t num_threads);
/* Adds a delegate that interpreters consult when they are created; see TfLiteDelegate. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                                         TfLiteOpaqueDelegate* delegate);
/* Sets the function that receives error messages; the default is standard error. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetErrorReporter(
    TfLiteInterpreterOptions* options,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* Adds an operator for the custom operators of its name. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                                         TfLiteOperator* registration);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(
    TfLiteInterpreterOptions* options, bool enable);

/* ---- Interpreters ---- */

/* Returns NULL if the model has an unknown builtin operator or a delegate refuses. The model and
   the options may be deleted afterwards. */
TFL_CAPI_EXPORT TfLiteInterpreter* TfLiteInterpreterCreate(
    const TfLiteModel* model, const TfLiteInterpreterOptions* optional_options);
TFL_CAPI_EXPORT void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterInputTensorIndices(
    const TfLiteInterpreter* interpreter);
/* Returns NULL if there is no such input. */
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                                              int32_t input_index);
/* Sets the shape of an input for the next TfLiteInterpreterAllocateTensors. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter,
                                                                int32_t input_index,
                                                                const int* input_dims,
                                                                int32_t input_dims_size);
/* Allocates the memory of tensors; required before the first run and after resizing inputs. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterOutputTensorIndices(
    const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const TfLiteTensor* TfLiteInterpreterGetOutputTensor(
    const TfLiteInterpreter* interpreter, int32_t output_index);
/* Returns any tensor of the main subgraph. Intermediate results have no memory of their own
   unless OcellusInterpreterOptionsSetKeepsTensors requests it. */
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter,
                                                         int index);
/* Cancels the run in progress; call it from another thread. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);

/* ---- Signatures ---- */

TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                                             int32_t signature_index);
/* A NULL key selects the first signature, or else the main subgraph by its tensors' names. */
TFL_CAPI_EXPORT TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key);
TFL_CAPI_EXPORT size_t TfLiteSignatureRunnerGetInputCount(
    const TfLiteSignatureRunner* signature_runner);
/* Names are sorted by their bytes. */
TFL_CAPI_EXPORT const char* TfLiteSignatureRunnerGetInputName(
    const TfLiteSignatureRunner* signature_runner, int32_t input_index);
/* Only dimensions may change that are dynamic in the model. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(
    TfLiteSignatureRunner* signature_runner, const char* input_name, const int* input_dims,
    int32_t input_dims_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerAllocateTensors(
    TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(
    TfLiteSignatureRunner* signature_runner, const char* input_name);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT size_t TfLiteSignatureRunnerGetOutputCount(
    const TfLiteSignatureRunner* signature_runner);
TFL_CAPI_EXPORT const char* TfLiteSignatureRunnerGetOutputName(
    const TfLiteSignatureRunner* signature_runner, int32_t output_index);
TFL_CAPI_EXPORT const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(
    const TfLiteSignatureRunner* signature_runner, const char* output_name);
/* A runner may outlive its interpreter; its functions then return the same as for NULL. */
TFL_CAPI_EXPORT void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);

/* ---- Tensors ---- */

TFL_CAPI_EXPORT TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);
/* Returns -1 if the tensor has no shape. */
TFL_CAPI_EXPORT int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);
TFL_CAPI_EXPORT size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);
/* Returns NULL before allocation, and for tensors without elements. */
TFL_CAPI_EXPORT void* TfLiteTensorData(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT const char* TfLiteTensorName(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);
/* The size must equal that of the tensor. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor,
                                                        const void* input_data,
                                                        size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor,
                                                      void* output_data, size_t output_data_size);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_C_API_H_
