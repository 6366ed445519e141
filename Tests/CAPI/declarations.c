/* The functions as the official headers declare them, after ours: the compiler refuses what differs. And the
   layout of the structures that programs look into, as measured in the official library. */

#include <stddef.h>

#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/delegates/nnapi/nnapi_delegate_c_api.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

#ifdef __cplusplus
#define STATIC_ASSERT static_assert
extern "C" {
#else
#define STATIC_ASSERT _Static_assert
#endif

const char* TfLiteVersion(void);
const char* TfLiteExtensionApisVersion(void);
int TfLiteSchemaVersion(void);
TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size);
TfLiteModel* TfLiteModelCreateWithErrorReporter(const void* model_data, size_t model_size, void
    (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
TfLiteModel* TfLiteModelCreateFromFile(const char* model_path);
TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(const char* model_path, void
    (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
void TfLiteModelDelete(TfLiteModel* model);
TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void);
TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(const TfLiteInterpreterOptions* from);
void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options);
void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options, int32_t num_threads);
void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
    TfLiteOpaqueDelegate* delegate);
void TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions* options, void
    (*reporter)(void* user_data, const char* format, va_list args), void* user_data);
void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options, TfLiteOperator*
    registration);
TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options, bool
    enable);
TfLiteInterpreter* TfLiteInterpreterCreate(const TfLiteModel* model, const
    TfLiteInterpreterOptions* optional_options);
void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter);
int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter);
const int* TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter* interpreter);
TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter, int32_t
    input_index);
TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter, int32_t
    input_index, const int* input_dims, int32_t input_dims_size);
TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter);
TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter);
int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter);
const int* TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter* interpreter);
const TfLiteTensor* TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter* interpreter,
    int32_t output_index);
TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter, int index);
TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter);
int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter);
const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter, int32_t
    signature_index);
TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter,
    const char* signature_key);
size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner);
const char* TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner* signature_runner,
    int32_t input_index);
TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
    const char* input_name, const int* input_dims, int32_t input_dims_size);
TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner);
TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner* signature_runner, const
    char* input_name);
TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner);
size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner);
const char* TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner* signature_runner,
    int32_t output_index);
const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(const TfLiteSignatureRunner*
    signature_runner, const char* output_name);
TfLiteType TfLiteTensorType(const TfLiteTensor* tensor);
int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor);
int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index);
size_t TfLiteTensorByteSize(const TfLiteTensor* tensor);
void* TfLiteTensorData(const TfLiteTensor* tensor);
const char* TfLiteTensorName(const TfLiteTensor* tensor);
TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor);
TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data, size_t
    input_data_size);
TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor, void* output_data,
    size_t output_data_size);
void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner);
TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter* interpreter);
int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter* interpreter);
TfLiteTensor* TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter* interpreter, int32_t
    variable_index);
void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options,
    TfLiteBuiltinOperator op, const TfLiteRegistration* registration, int32_t min_version,
    int32_t max_version);
void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options, const char* name,
    const TfLiteRegistration* registration, int32_t min_version, int32_t max_version);
TfLiteInterpreter* TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel* model, const
    TfLiteInterpreterOptions* options);
void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* options, bool enable);
void TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions* options, bool
    enable);
TfLiteStatus TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter* interpreter,
    TfLiteDelegate* delegate);
int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter, int32_t
    input_index);
int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter, int32_t
    output_index);
TfLiteStatus TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter* interpreter, int
    tensor_index, const TfLiteCustomAllocation* allocation, int64_t flags);
TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter, TfLiteTensor*
    tensor, TfLiteBufferHandle buffer_handle, TfLiteOpaqueDelegate* delegate);
TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter, int tensor_index,
    TfLiteBufferHandle* buffer_handle, TfLiteOpaqueDelegate** delegate);
void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter, bool
    allow_buffer_handle_output);
TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner);
void TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions* options, struct
    TfLiteTelemetryProfilerStruct* profiler);
TfLiteStatus TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter* interpreter, int
    tensor_index);
TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code, const char*
    custom_name, int version, void* user_data);
void TfLiteOperatorDelete(TfLiteOperator* registration);
TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(const TfLiteOperator* registration);
const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration);
int TfLiteOperatorGetVersion(const TfLiteOperator* registration);
void* TfLiteOperatorGetUserData(const TfLiteOperator* registration);
void TfLiteOperatorSetInit(TfLiteOperator* registration, void* (*init)(TfLiteOpaqueContext*
    context, const char* buffer, size_t length));
TfLiteStatus TfLiteOperatorSetInitWithData(TfLiteOperator* registration, void* (*init)(void*
    user_data, TfLiteOpaqueContext* context, const char* buffer, size_t length));
void TfLiteOperatorSetFree(TfLiteOperator* registration, void (*free)(TfLiteOpaqueContext*
    context, void* data));
TfLiteStatus TfLiteOperatorSetFreeWithData(TfLiteOperator* registration, void (*free)(void*
    user_data, TfLiteOpaqueContext* context, void* data));
void TfLiteOperatorSetPrepare(TfLiteOperator* registration, TfLiteStatus
    (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TfLiteStatus TfLiteOperatorSetPrepareWithData(TfLiteOperator* registration, TfLiteStatus
    (*prepare)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
void TfLiteOperatorSetInvoke(TfLiteOperator* registration, TfLiteStatus
    (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TfLiteStatus TfLiteOperatorSetInvokeWithData(TfLiteOperator* registration, TfLiteStatus
    (*invoke)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
void TfLiteOperatorSetAsyncKernel(TfLiteOperator* registration, struct TfLiteAsyncKernel*
    (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(TfLiteOperator* registration, struct
    TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
    TfLiteOpaqueNode* node));
void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration, uint64_t inplace_operator);
TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor);
int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor);
int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index);
TfLiteStatus TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor,
    int32_t* num_dims);
TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor* opaque_tensor, int32_t
    dim_index, int32_t* dim_length);
int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor);
size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor);
void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor);
TfLiteAllocationType TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor);
TfLiteAllocationStrategy TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t);
TfLiteRunStability TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t);
TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t);
TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t);
TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t);
const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor);
TfLiteQuantization TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor);
TfLiteQuantizationParams TfLiteOpaqueTensorGetQuantizationParams(const TfLiteOpaqueTensor*
    opaque_tensor);
TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor, const void*
    input_data, size_t input_data_size);
TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor, void*
    output_data, size_t output_data_size);
const TfLiteOpaqueTensor* TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext* opaque_context,
    const TfLiteOpaqueNode* opaque_node, int index);
TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context, const
    TfLiteOpaqueNode* opaque_node, int index);
int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node);
int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node);
void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node);
void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node);
TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode* opaque_node, const
    void** init_data, int* size);
TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node, const int** inputs,
    int* num_inputs);
TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node, const int** outputs,
    int* num_outputs);
TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node, const int*
    temporaries, int num_temporaries);
TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node, const int**
    temporaries, int* num_temporaries);
int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_input);
int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_output);
TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext* opaque_context,
    TfLiteIntArray** execution_plan);
TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(struct TfLiteOpaqueContext*
    opaque_context, int node_index, TfLiteOpaqueNode** node, TfLiteOperator**
    registration_external);
TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(struct
    TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external, const
    TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate);
TfLiteOpaqueTensor* TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext*
    opaque_context, int index);
TfLiteStatus TfLiteOpaqueContextGetInputs(const struct TfLiteOpaqueContext* opaque_context,
    const int** inputs, int* num_inputs);
TfLiteStatus TfLiteOpaqueContextGetOutputs(const struct TfLiteOpaqueContext* opaque_context,
    const int** outputs, int* num_outputs);
TfLiteStatus TfLiteOpaqueContextGetVariables(const struct TfLiteOpaqueContext* opaque_context,
    const int** variables, int* num_variables);
size_t TfLiteOpaqueContextGetNumNodes(const struct TfLiteOpaqueContext* opaque_context);
size_t TfLiteOpaqueContextGetNumTensors(const struct TfLiteOpaqueContext* opaque_context);
const char* TfLiteOpaqueContextGetName(const struct TfLiteOpaqueContext* opaque_context);
TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context, TfLiteOpaqueTensor*
    tensor, TfLiteIntArray* new_size);
TfLiteStatus TfLiteOpaqueContextAcquireSubgraphContext(struct TfLiteOpaqueContext*
    opaque_context, int subgraph_index, TfLiteOpaqueContext** acquired_opaque_context);
TfLiteStatus TfLiteOpaqueContextReleaseSubgraphContext(struct TfLiteOpaqueContext*
    opaque_context, int subgraph_index);
TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(TfLiteOpaqueContext*
    opaque_context, int subgraph_index);
TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext* context,
    const TfLiteOpaqueNode* node, int* fd, int64_t* custom_initial_data_offset_in_file, int64_t*
    custom_initial_data_size);
TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
    TfLiteOpaqueTensorBuilder* builder, int* new_tensor_index);
TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context, TfLiteType type,
    size_t* bytes);
void TfLiteOpaqueContextReportError(struct TfLiteOpaqueContext* opaque_context, const char*
    format, ...);
void TfLiteOpaqueContextReportErrorVa(struct TfLiteOpaqueContext* opaque_context, const char*
    format, va_list vlist);
TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context, const char* name, const
    char** ptr, size_t* bytes);
TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext* opaque_context, void**
    external_context, TfLiteExternalContextType type);
const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t);
int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor);
TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor, int index, const
    char** str, int* len);
TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor, const char* const*
    str_array, int str_array_len, const int* str_n_len);
TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor, const char* str, int len);
void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor);
TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void);
void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder*);
TfLiteOpaqueDelegate* TfLiteOpaqueDelegateCreate(const TfLiteOpaqueDelegateBuilder*);
void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate*);
void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate*);

#ifdef __cplusplus
}
#endif

#define AT(type, field, offset) \
  STATIC_ASSERT(offsetof(type, field) == offset, #type "." #field " is elsewhere")

STATIC_ASSERT(sizeof(TfLiteTensor) == 112, "TfLiteTensor has another size");
AT(TfLiteTensor, type, 0);
AT(TfLiteTensor, data, 8);
AT(TfLiteTensor, dims, 16);
AT(TfLiteTensor, params, 24);
AT(TfLiteTensor, allocation_type, 32);
AT(TfLiteTensor, bytes, 40);
AT(TfLiteTensor, allocation, 48);
AT(TfLiteTensor, name, 56);
AT(TfLiteTensor, delegate, 64);
AT(TfLiteTensor, buffer_handle, 72);
AT(TfLiteTensor, data_is_stale, 76);
AT(TfLiteTensor, is_variable, 77);
AT(TfLiteTensor, quantization, 80);
AT(TfLiteTensor, sparsity, 96);
AT(TfLiteTensor, dims_signature, 104);
AT(TfLiteDelegate, flags, 40);
STATIC_ASSERT(sizeof(TfLiteDelegate) == 56, "TfLiteDelegate has another size");
AT(TfLiteRegistration, builtin_code, 40);
AT(TfLiteRegistration, registration_external, 64);
AT(TfLiteRegistration, inplace_operator, 80);
STATIC_ASSERT(sizeof(TfLiteRegistration_V3) == 80, "TfLiteRegistration_V3 has another size");
STATIC_ASSERT(sizeof(TfLiteRegistration_V2) == 72, "TfLiteRegistration_V2 has another size");
STATIC_ASSERT(sizeof(TfLiteRegistration_V1) == 64, "TfLiteRegistration_V1 has another size");
AT(TfLiteContext, tensors, 16);
AT(TfLiteContext, ReportError, 40);
AT(TfLiteContext, recommended_num_threads, 72);
AT(TfLiteContext, AllocatePersistentBuffer, 112);
AT(TfLiteContext, GetTensor, 160);
AT(TfLiteContext, ReleaseSubgraphContext, 192);
AT(TfLiteNode, user_data, 32);
AT(TfLiteNode, custom_initial_data_size, 56);
AT(TfLiteNode, might_have_side_effect, 72);
STATIC_ASSERT(sizeof(TfLiteXNNPackDelegateOptions) == 32, "the options have another size");
STATIC_ASSERT(sizeof(TfLiteNnapiDelegateOptions) == 56, "the options have another size");

/* What operators' options look like. */
#define SIZE(type, size) STATIC_ASSERT(sizeof(type) == size, #type " has another size")
AT(TfLiteDelegateParams, output_tensors, 24);
AT(TfLiteOpaqueDelegateParams, delegate_data, 8);
AT(TfLiteOpaqueDelegateParams, output_tensors, 32);
AT(TfLiteEvalTensor, type, 16);
AT(TfLiteConvParams, quantized_bias_type, 24);
AT(TfLiteDepthwiseConvParams, activation, 16);
AT(TfLitePoolParams, activation, 20);
AT(TfLitePoolParams, computed, 24);
AT(TfLiteFullyConnectedParams, keep_num_dims, 8);
AT(TfLiteLSTMParams, kernel_type, 12);
AT(TfLiteBidirectionalSequenceLSTMParams, merge_outputs, 12);
AT(TfLiteReshapeParams, num_dimensions, 32);
AT(TfLiteSqueezeParams, num_squeeze_dims, 32);
AT(TfLiteStridedSliceParams, shrink_axis_mask, 16);
AT(TfLiteStablehloScatterParams, index_vector_dim, 224);
AT(TfLiteStablehloGatherParams, slice_sizes, 224);
AT(TfLiteStablehloCompositeParams, attributes, 16);
STATIC_ASSERT(kTfLiteActSigmoid == 6, "kTfLiteActSigmoid");
STATIC_ASSERT(kTfLitePaddingValid == 2, "kTfLitePaddingValid");
STATIC_ASSERT(kTfLiteMirrorPaddingSymmetric == 2, "kTfLiteMirrorPaddingSymmetric");
STATIC_ASSERT(kTfLiteLSTMBasicKernel == 1, "kTfLiteLSTMBasicKernel");
STATIC_ASSERT(kTfLiteCombinerTypeSqrtn == 2, "kTfLiteCombinerTypeSqrtn");
STATIC_ASSERT(kTfLiteRngAlgorithmThreefry == 3, "kTfLiteRngAlgorithmThreefry");
STATIC_ASSERT(kTfLiteMaxExternalContexts == 5, "kTfLiteMaxExternalContexts");
STATIC_ASSERT(kTfLiteInplaceOpInput2Shared == 16, "kTfLiteInplaceOpInput2Shared");
SIZE(TfLiteMirrorPaddingParams, 4);
SIZE(TfLiteConvParams, 28);
SIZE(TfLiteConv3DParams, 32);
SIZE(TfLitePoolParams, 40);
SIZE(TfLiteDepthwiseConvParams, 28);
SIZE(TfLiteSVDFParams, 12);
SIZE(TfLiteRNNParams, 8);
SIZE(TfLiteSequenceRNNParams, 12);
SIZE(TfLiteBidirectionalSequenceRNNParams, 12);
SIZE(TfLiteFullyConnectedParams, 16);
SIZE(TfLiteLSHProjectionParams, 4);
SIZE(TfLiteSoftmaxParams, 4);
SIZE(TfLiteConcatenationParams, 8);
SIZE(TfLiteAddParams, 8);
SIZE(TfLiteSpaceToBatchNDParams, 1);
SIZE(TfLiteBatchToSpaceNDParams, 1);
SIZE(TfLiteBatchMatMulParams, 3);
SIZE(TfLiteMulParams, 4);
SIZE(TfLiteSubParams, 8);
SIZE(TfLiteDivParams, 4);
SIZE(TfLiteL2NormParams, 4);
SIZE(TfLiteLocalResponseNormParams, 16);
SIZE(TfLiteLSTMParams, 20);
SIZE(TfLiteUnidirectionalSequenceLSTMParams, 16);
SIZE(TfLiteBidirectionalSequenceLSTMParams, 16);
SIZE(TfLiteResizeBilinearParams, 2);
SIZE(TfLiteResizeNearestNeighborParams, 2);
SIZE(TfLitePadParams, 1);
SIZE(TfLitePadV2Params, 1);
SIZE(TfLiteReshapeParams, 36);
SIZE(TfLiteSkipGramParams, 12);
SIZE(TfLiteSpaceToDepthParams, 4);
SIZE(TfLiteDepthToSpaceParams, 4);
SIZE(TfLiteCastParams, 8);
SIZE(TfLiteEmbeddingLookupSparseParams, 4);
SIZE(TfLiteGatherParams, 8);
SIZE(TfLiteTransposeParams, 1);
SIZE(TfLiteReducerParams, 1);
SIZE(TfLiteSplitParams, 4);
SIZE(TfLiteSplitVParams, 4);
SIZE(TfLiteSqueezeParams, 36);
SIZE(TfLiteStridedSliceParams, 24);
SIZE(TfLiteArgMaxParams, 4);
SIZE(TfLiteArgMinParams, 4);
SIZE(TfLiteTransposeConvParams, 20);
SIZE(TfLiteSparseToDenseParams, 1);
SIZE(TfLiteShapeParams, 4);
SIZE(TfLiteRankParams, 1);
SIZE(TfLiteFakeQuantParams, 16);
SIZE(TfLitePackParams, 8);
SIZE(TfLiteOneHotParams, 4);
SIZE(TfLiteUnpackParams, 8);
SIZE(TfLiteLeakyReluParams, 4);
SIZE(TfLiteUniqueParams, 4);
SIZE(TfLiteReverseSequenceParams, 8);
SIZE(TfLiteMatrixDiagParams, 1);
SIZE(TfLiteMatrixSetDiagParams, 1);
SIZE(TfLiteIfParams, 8);
SIZE(TfLiteWhileParams, 8);
SIZE(TfLiteCumsumParams, 2);
SIZE(TfLiteCallOnceParams, 4);
SIZE(TfLiteHashtableParams, 12);
SIZE(TfLiteVarHandleParams, 16);
SIZE(TfLiteRandomParams, 8);
SIZE(TfLiteBucketizeParams, 16);
SIZE(TfLiteGeluParams, 1);
SIZE(TfLiteStablehloConcatenateParams, 8);
SIZE(TfLiteStablehloScatterParams, 240);
SIZE(TfLiteStablehloRngBitGeneratorParams, 4);
SIZE(TfLiteStablehloGatherParams, 296);
SIZE(TfLiteStablehloReduceWindowParams, 392);
SIZE(TfLiteReduceWindowParams, 4);
SIZE(TfLiteStablehloPadParams, 192);
SIZE(TfLiteStablehloCompositeParams, 32);
SIZE(TfLiteStablehloCaseParams, 84);

int main(void) { return 0; }
