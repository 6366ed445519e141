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

   Models may be used by any number of threads at a time; interpreters, their tensors and options by one.
   Pointers may be NULL wherever that can be answered: with NULL, 0 or kTfLiteError. */

#include "builtin_ops.h"
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

/* A model in memory, which must stay as it is until the model and its interpreters are deleted; NULL
   where it is not one. */
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateWithErrorReporter(
    const void* model_data, size_t model_size,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* A model in a file, which stays mapped. */
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TFL_CAPI_EXPORT TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* Interpreters of the model go on. */
TFL_CAPI_EXPORT void TfLiteModelDelete(TfLiteModel* model);

/* ---- Options ---- */

TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(
    const TfLiteInterpreterOptions* from);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);
/* The threads that share large steps; -1 leaves the choice to the library, which takes one. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options,
                                                           int32_t num_threads);
/* A delegate that interpreters ask before they are made; see TfLiteDelegate. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                                         TfLiteOpaqueDelegate* delegate);
/* Who is told what went wrong; standard error where nobody is. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetErrorReporter(
    TfLiteInterpreterOptions* options,
    void (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
/* An operator for custom operators of its name. */
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                                         TfLiteOperator* registration);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(
    TfLiteInterpreterOptions* options, bool enable);

/* ---- Interpreters ---- */

/* NULL where the model has an operator of the format that is not known, or a delegate refuses. Model and
   options may be deleted afterwards. */
TFL_CAPI_EXPORT TfLiteInterpreter* TfLiteInterpreterCreate(
    const TfLiteModel* model, const TfLiteInterpreterOptions* optional_options);
TFL_CAPI_EXPORT void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterInputTensorIndices(
    const TfLiteInterpreter* interpreter);
/* NULL where there is no such input. */
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                                              int32_t input_index);
/* Asks for other extents, from the next TfLiteInterpreterAllocateTensors on. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter,
                                                                int32_t input_index,
                                                                const int* input_dims,
                                                                int32_t input_dims_size);
/* Gives tensors their memory: before the first run, and after extents have changed. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const int* TfLiteInterpreterOutputTensorIndices(
    const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const TfLiteTensor* TfLiteInterpreterGetOutputTensor(
    const TfLiteInterpreter* interpreter, int32_t output_index);
/* Any tensor of the main subgraph. Results in between have no memory of their own, unless
   OcellusInterpreterOptionsSetKeepsTensors asks for it. */
TFL_CAPI_EXPORT TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter,
                                                         int index);
/* Stops the run in progress, from another thread. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);

/* ---- Signatures ---- */

TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
TFL_CAPI_EXPORT const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                                             int32_t signature_index);
/* NULL as the key stands for the first signature, or the main subgraph by its tensors' names. */
TFL_CAPI_EXPORT TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key);
TFL_CAPI_EXPORT size_t TfLiteSignatureRunnerGetInputCount(
    const TfLiteSignatureRunner* signature_runner);
/* Names are in the order of their bytes. */
TFL_CAPI_EXPORT const char* TfLiteSignatureRunnerGetInputName(
    const TfLiteSignatureRunner* signature_runner, int32_t input_index);
/* Only extents may change that the model leaves open. */
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
/* A runner may outlive its interpreter, and answers as for NULL then. */
TFL_CAPI_EXPORT void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);

/* ---- Tensors ---- */

TFL_CAPI_EXPORT TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);
/* -1 where there are no extents. */
TFL_CAPI_EXPORT int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);
TFL_CAPI_EXPORT size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);
/* NULL while there is no memory, and for tensors without elements. */
TFL_CAPI_EXPORT void* TfLiteTensorData(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT const char* TfLiteTensorName(const TfLiteTensor* tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);
/* The size must be that of the tensor. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor,
                                                        const void* input_data,
                                                        size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor,
                                                      void* output_data, size_t output_data_size);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_C_API_H_
