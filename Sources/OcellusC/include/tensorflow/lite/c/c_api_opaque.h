#ifndef TENSORFLOW_LITE_C_C_API_OPAQUE_H_
#define TENSORFLOW_LITE_C_C_API_OPAQUE_H_

/* Access to opaque tensors, nodes and contexts, for operators of the program. Every function
   accepts NULL and then returns NULL, 0 or kTfLiteError. */

#include "c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tensors ---- */

TFL_CAPI_EXPORT TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor,
                                              int32_t dim_index);
/* Returns -1 if the model does not specify dynamic dimensions. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorGetNumDimsSignature(
    const TfLiteOpaqueTensor* opaque_tensor, int32_t* num_dims);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorGetDimSignature(
    const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index, int32_t* dim_length);
TFL_CAPI_EXPORT int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteAllocationType TfLiteOpaqueTensorGetAllocationType(
    const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteAllocationStrategy TfLiteOpaqueTensorGetAllocationStrategy(
    const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteOpaqueTensorGetBufferAddressStability(
    const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t);
TFL_CAPI_EXPORT const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteQuantization TfLiteOpaqueTensorGetQuantization(
    const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams TfLiteOpaqueTensorGetQuantizationParams(
    const TfLiteOpaqueTensor* opaque_tensor);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor,
                                                              const void* input_data,
                                                              size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(
    const TfLiteOpaqueTensor* opaque_tensor, void* output_data, size_t output_data_size);
/* Returns -1 if the tensor does not hold strings. */
TFL_CAPI_EXPORT int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor);
/* Returns the bytes of one string, which are not zero-terminated. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor,
                                                         int index, const char** str, int* len);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor,
                                                            const char* const* str_array,
                                                            int str_array_len,
                                                            const int* str_n_len);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor,
                                                           const char* str, int len);
/* Declares in prepare that the tensor's shape is known only in invoke. */
TFL_CAPI_EXPORT void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor);

/* Describes a tensor to be added by TfLiteOpaqueContextAddTensor. Setters return the builder. */
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void);
TFL_CAPI_EXPORT void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder* builder);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetType(
    TfLiteOpaqueTensorBuilder* builder, TfLiteType type);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetData(
    TfLiteOpaqueTensorBuilder* builder, void* data);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetAllocationType(
    TfLiteOpaqueTensorBuilder* builder, TfLiteAllocationType allocation_type);
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantizationParams(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantizationParams params);
/* The added tensor takes ownership of the parameters. */
TFL_CAPI_EXPORT TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantization(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantization quantization);

/* ---- Nodes ---- */

/* Returns NULL for an omitted operand. */
TFL_CAPI_EXPORT const TfLiteOpaqueTensor* TfLiteOpaqueNodeGetInput(
    const TfLiteOpaqueContext* opaque_context, const TfLiteOpaqueNode* opaque_node, int index);
TFL_CAPI_EXPORT TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                                              const TfLiteOpaqueNode* opaque_node,
                                                              int index);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node);
/* Returns the value that the operator's init returned. */
TFL_CAPI_EXPORT void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node);
/* Returns NULL; see TfLiteNode. */
TFL_CAPI_EXPORT void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(
    const TfLiteOpaqueNode* opaque_node, const void** init_data, int* size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node,
                                                    const int** inputs, int* num_inputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node,
                                                     const int** outputs, int* num_outputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node,
                                                            const int* temporaries,
                                                            int num_temporaries);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node,
                                                         const int** temporaries,
                                                         int* num_temporaries);
/* Returns -1 if there is no such operand. */
TFL_CAPI_EXPORT int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                        int index_of_input);
TFL_CAPI_EXPORT int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node,
                                                         int index_of_output);

/* ---- Contexts ---- */

TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(
    TfLiteOpaqueContext* opaque_context, TfLiteIntArray** execution_plan);
/* The operator is NULL for nodes that the library computes. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(
    TfLiteOpaqueContext* opaque_context, int node_index, TfLiteOpaqueNode** node,
    TfLiteOperator** registration_external);
/* Fails: delegates cannot execute nodes. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate);
TFL_CAPI_EXPORT TfLiteOpaqueTensor* TfLiteOpaqueContextGetOpaqueTensor(
    const TfLiteOpaqueContext* opaque_context, int index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetInputs(const TfLiteOpaqueContext* opaque_context,
                                                          const int** inputs, int* num_inputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetOutputs(
    const TfLiteOpaqueContext* opaque_context, const int** outputs, int* num_outputs);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetVariables(
    const TfLiteOpaqueContext* opaque_context, const int** variables, int* num_variables);
TFL_CAPI_EXPORT size_t TfLiteOpaqueContextGetNumNodes(const TfLiteOpaqueContext* opaque_context);
TFL_CAPI_EXPORT size_t TfLiteOpaqueContextGetNumTensors(const TfLiteOpaqueContext* opaque_context);
/* The subgraph's name in the model. */
TFL_CAPI_EXPORT const char* TfLiteOpaqueContextGetName(const TfLiteOpaqueContext* opaque_context);
/* Sets a tensor's shape; takes ownership of new_size. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context,
                                                             TfLiteOpaqueTensor* tensor,
                                                             TfLiteIntArray* new_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextAcquireSubgraphContext(
    TfLiteOpaqueContext* opaque_context, int subgraph_index,
    TfLiteOpaqueContext** acquired_opaque_context);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextReleaseSubgraphContext(
    TfLiteOpaqueContext* opaque_context, int subgraph_index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(
    TfLiteOpaqueContext* opaque_context, int subgraph_index);
/* Returns kTfLiteError: options are not guaranteed to be in a mapped file. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(
    const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, int* fd,
    int64_t* custom_initial_data_offset_in_file, int64_t* custom_initial_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextAddTensor(TfLiteOpaqueContext* context,
                                                          TfLiteOpaqueTensorBuilder* builder,
                                                          int* new_tensor_index);
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context,
                                                              TfLiteType type, size_t* bytes);
/* Finds a metadata entry of the model, whose bytes stay until the interpreter is deleted. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context,
                                                            const char* name, const char** ptr,
                                                            size_t* bytes);
/* Returns NULL in external_context if nobody has set one of this type. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteOpaqueContextGetExternalContext(
    TfLiteOpaqueContext* opaque_context, void** external_context, TfLiteExternalContextType type);
TFL_CAPI_EXPORT void TfLiteOpaqueContextReportError(TfLiteOpaqueContext* opaque_context,
                                                    const char* format, ...);
TFL_CAPI_EXPORT void TfLiteOpaqueContextReportErrorVa(TfLiteOpaqueContext* opaque_context,
                                                      const char* format, va_list vlist);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_LITE_C_C_API_OPAQUE_H_
