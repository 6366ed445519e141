#ifndef TENSORFLOW_LITE_C_COMMON_H_
#define TENSORFLOW_LITE_C_COMMON_H_

/* The structures of tensors, nodes and contexts, for operators of the program and for delegates. */

#include <stdarg.h>

#include "c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stands for an omitted operand. */
#define kTfLiteOptionalTensor (-1)
/* The null handle. */
#define kTfLiteNullBufferHandle (-1)
/* Stands for a tensor that belongs to no buffer of the model. */
enum { kTfLiteNoBufferIdentifier = SIZE_MAX };

/* ---- Lists ---- */

typedef struct TfLiteIntArray {
  int size;
  int data[];
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
  int size;
  float data[];
} TfLiteFloatArray;

/* Returns the size in bytes of a list with this number of elements. */
TFL_CAPI_EXPORT size_t TfLiteIntArrayGetSizeInBytes(int size);
/* Creates a list with uninitialized elements. Returns NULL if the size is negative or there is
   no memory. */
TFL_CAPI_EXPORT TfLiteIntArray* TfLiteIntArrayCreate(int size);
/* Returns whether both lists have equal elements; two NULLs are equal. */
TFL_CAPI_EXPORT int TfLiteIntArrayEqual(const TfLiteIntArray* a, const TfLiteIntArray* b);
/* Returns whether the list equals an array; NULL equals no array. */
TFL_CAPI_EXPORT int TfLiteIntArrayEqualsArray(const TfLiteIntArray* a, int b_size,
                                              const int b_data[]);
TFL_CAPI_EXPORT TfLiteIntArray* TfLiteIntArrayCopy(const TfLiteIntArray* src);
TFL_CAPI_EXPORT void TfLiteIntArrayFree(TfLiteIntArray* a);
TFL_CAPI_EXPORT int TfLiteFloatArrayGetSizeInBytes(int size);
TFL_CAPI_EXPORT TfLiteFloatArray* TfLiteFloatArrayCreate(int size);
TFL_CAPI_EXPORT TfLiteFloatArray* TfLiteFloatArrayCopy(const TfLiteFloatArray* src);
TFL_CAPI_EXPORT void TfLiteFloatArrayFree(TfLiteFloatArray* a);

/* ---- Tensors ---- */

typedef struct TfLiteComplex64 {
  float re, im;
} TfLiteComplex64;

typedef struct TfLiteComplex128 {
  double re, im;
} TfLiteComplex128;

typedef struct TfLiteFloat16 {
  uint16_t data;
} TfLiteFloat16;

typedef struct TfLiteBFloat16 {
  uint16_t data;
} TfLiteBFloat16;

/* The name of a type, such as FLOAT32. */
TFL_CAPI_EXPORT const char* TfLiteTypeGetName(TfLiteType type);

typedef enum TfLiteQuantizationType {
  kTfLiteNoQuantization = 0,
  kTfLiteAffineQuantization = 1,
  kTfLiteBlockwiseQuantization = 2,
  kTfLiteMultiAxisQuantization = 3,
} TfLiteQuantizationType;

/* params points to a TfLiteAffineQuantization if the type is kTfLiteAffineQuantization. */
typedef struct TfLiteQuantization {
  TfLiteQuantizationType type;
  void* params;
} TfLiteQuantization;

/* One scale and zero point, or one of each for every slice along quantized_dimension. */
typedef struct TfLiteAffineQuantization {
  TfLiteFloatArray* scale;
  TfLiteIntArray* zero_point;
  int32_t quantized_dimension;
} TfLiteAffineQuantization;

/* The tensors that hold scales and zero points for blocks of elements. */
typedef struct TfLiteBlockwiseQuantization {
  int32_t scale;
  int32_t zero_point;
  int32_t blocksize;
  int32_t quantized_dimension;
} TfLiteBlockwiseQuantization;

/* The same along several dimensions; a block size of 0 means one block per slice. */
typedef struct TfLiteMultiAxisQuantization {
  int32_t scales;
  int32_t zero_points;
  int32_t blocksize;
  TfLiteIntArray* quantized_dimensions;
} TfLiteMultiAxisQuantization;

typedef union TfLitePtrUnion {
  int32_t* i32;
  uint32_t* u32;
  int64_t* i64;
  uint64_t* u64;
  float* f;
  TfLiteFloat16* f16;
  double* f64;
  char* raw;
  const char* raw_const;
  uint8_t* uint8;
  bool* b;
  int16_t* i16;
  uint16_t* ui16;
  TfLiteComplex64* c64;
  TfLiteComplex128* c128;
  int8_t* int8;
  void* data;
} TfLitePtrUnion;

typedef enum TfLiteDimensionType {
  kTfLiteDimDense = 0,
  kTfLiteDimSparseCSR,
} TfLiteDimensionType;

typedef struct TfLiteDimensionMetadata {
  TfLiteDimensionType format;
  int dense_size;
  TfLiteIntArray* array_segments;
  TfLiteIntArray* array_indices;
} TfLiteDimensionMetadata;

/* The storage format of a sparse constant. */
typedef struct TfLiteSparsity {
  TfLiteIntArray* traversal_order;
  TfLiteIntArray* block_map;
  TfLiteDimensionMetadata* dim_metadata;
  int dim_metadata_size;
} TfLiteSparsity;

typedef int TfLiteBufferHandle;

/* The caller's memory for a tensor. */
typedef struct TfLiteCustomAllocation {
  void* data;
  size_t bytes;
} TfLiteCustomAllocation;

typedef enum TfLiteCustomAllocationFlags {
  kTfLiteCustomAllocationFlagsNone = 0,
  /* Accepts memory that is not aligned to 64 bytes. */
  kTfLiteCustomAllocationFlagsSkipAlignCheck = 1,
} TfLiteCustomAllocationFlags;

/* A tensor. Its fields may be read; change them only by the functions of c_api.h. */
typedef struct TfLiteTensor {
  TfLiteType type;
  /* NULL before allocation. */
  TfLitePtrUnion data;
  TfLiteIntArray* dims;
  /* {0, 0} without quantization and for per-slice scales. */
  TfLiteQuantizationParams params;
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const void* allocation;
  const char* name;
  TfLiteDelegate* delegate;
  TfLiteBufferHandle buffer_handle;
  bool data_is_stale;
  bool is_variable;
  TfLiteQuantization quantization;
  TfLiteSparsity* sparsity;
  /* The dimensions, with -1 for dynamic ones; empty if the model does not specify them. */
  const TfLiteIntArray* dims_signature;
} TfLiteTensor;

/* Frees a tensor's heap memory or variant, or sets the pointer to any other memory to NULL. */
TFL_CAPI_EXPORT void TfLiteTensorDataFree(TfLiteTensor* t);
/* Frees the tensor's lists too. Not for tensors of an interpreter, which owns them. */
TFL_CAPI_EXPORT void TfLiteTensorFree(TfLiteTensor* t);
TFL_CAPI_EXPORT void TfLiteQuantizationFree(TfLiteQuantization* quantization);
TFL_CAPI_EXPORT void TfLiteSparsityFree(TfLiteSparsity* sparsity);
/* Frees a tensor's contents and sets all fields; takes ownership of dims. */
TFL_CAPI_EXPORT void TfLiteTensorReset(TfLiteType type, const char* name, TfLiteIntArray* dims,
                                       TfLiteQuantizationParams quantization, char* buffer,
                                       size_t size, TfLiteAllocationType allocation_type,
                                       const void* allocation, bool is_variable,
                                       TfLiteTensor* tensor);
/* Copies type, shape and bytes, or clones the variant, to a tensor of equal size in bytes. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopy(const TfLiteTensor* src, TfLiteTensor* dst);
/* Resizes a tensor on the heap; does nothing to other tensors. If there is no memory, the tensor's
   pointer becomes NULL, and memory that was to be preserved is the caller's. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor* tensor,
                                                         bool preserve_data);
/* Resizes a tensor on the heap and preserves its data. */
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor* tensor);
/* Returns dims_signature if the model specifies it, and dims otherwise. */
TFL_CAPI_EXPORT const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor* t);

/* ---- Nodes and contexts ---- */

/* One operation of the graph; the lists are indices of the context's tensors. */
typedef struct TfLiteNode {
  TfLiteIntArray* inputs;
  TfLiteIntArray* outputs;
  TfLiteIntArray* intermediates;
  TfLiteIntArray* temporaries;
  /* The value that the operator's init returned. */
  void* user_data;
  /* NULL: the options of builtin operators are not decoded for the program's kernels. */
  void* builtin_data;
  /* The node's options in the model. */
  const void* custom_initial_data;
  int custom_initial_data_size;
  TfLiteDelegate* delegate;
  bool might_have_side_effect;
} TfLiteNode;

typedef struct TfLiteContext TfLiteContext;

struct TfLiteAsyncKernel;

/* An older name. */
typedef TfLiteOperator TfLiteRegistrationExternal;

/* Values of inplace_operator, which is ignored: results never share memory with operands. */
typedef enum {
  kTfLiteInplaceOpNone = 0,
  kTfLiteInplaceOpDataUnmodified = 1,
  kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
  kTfLiteInplaceOpInput0Shared = 4,
  kTfLiteInplaceOpInput1Shared = 8,
  kTfLiteInplaceOpInput2Shared = 16,
  kTfLiteInplaceOpMaxValue = UINT64_MAX,
} TfLiteInPlaceOp;

static const int kTfLiteMaxSharableOpInputs = 3;

/* The functions with which a program computes a node. A NULL function is not called. */
typedef struct TfLiteRegistration {
  /* Called once for each node, with the options of custom operators. */
  void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
  /* Called with the value of init when the interpreter is deleted. */
  void (*free)(TfLiteContext* context, void* buffer);
  /* Called when the operands' shapes are known; sets the results' shapes with ResizeTensor. */
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
  /* Called in every run. */
  TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
  const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
  TfLiteOperator* registration_external;
  struct TfLiteAsyncKernel* (*async_kernel)(TfLiteContext* context, TfLiteNode* node);
  uint64_t inplace_operator;
} TfLiteRegistration;

/* The structure without inplace_operator, for older programs. */
typedef struct TfLiteRegistration_V3 {
  void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
  TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
  const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
  TfLiteOperator* registration_external;
  struct TfLiteAsyncKernel* (*async_kernel)(TfLiteContext* context, TfLiteNode* node);
} TfLiteRegistration_V3;

/* The structure without async_kernel, for older programs. */
typedef struct TfLiteRegistration_V2 {
  void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
  TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
  const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
  TfLiteOperator* registration_external;
} TfLiteRegistration_V2;

/* The structure without registration_external, for older programs. */
typedef struct TfLiteRegistration_V1 {
  void* (*init)(TfLiteContext* context, const char* buffer, size_t length);
  void (*free)(TfLiteContext* context, void* buffer);
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
  TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
  const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
  int32_t builtin_code;
  const char* custom_name;
  int version;
} TfLiteRegistration_V1;

typedef enum TfLiteExternalContextType {
  kTfLiteEigenContext = 0,
  kTfLiteGemmLowpContext = 1,
  kTfLiteEdgeTpuContext = 2,
  kTfLiteCpuBackendContext = 3,
  kTfLiteLiteRtBufferContext = 4,
  kTfLiteMaxExternalContexts = 5,
} TfLiteExternalContextType;

/* What operators of the program share through an interpreter. Refresh is never called. */
typedef struct TfLiteExternalContext {
  TfLiteExternalContextType type;
  TfLiteStatus (*Refresh)(TfLiteContext* context);
} TfLiteExternalContext;

/* The nodes that a delegate's kernel would replace, passed to the kernel's init as its buffer. */
typedef struct TfLiteDelegateParams {
  TfLiteDelegate* delegate;
  TfLiteIntArray* nodes_to_replace;
  TfLiteIntArray* input_tensors;
  TfLiteIntArray* output_tensors;
} TfLiteDelegateParams;

/* The same for a delegate with an opaque builder. */
typedef struct TfLiteOpaqueDelegateParams {
  TfLiteOpaqueDelegate* delegate;
  void* delegate_data;
  TfLiteIntArray* nodes_to_replace;
  TfLiteIntArray* input_tensors;
  TfLiteIntArray* output_tensors;
} TfLiteOpaqueDelegateParams;

/* A tensor of microcontrollers. */
typedef struct TfLiteEvalTensor {
  TfLitePtrUnion data;
  TfLiteIntArray* dims;
  TfLiteType type;
} TfLiteEvalTensor;

/* The graph that contains a node. Scratch buffers are for microcontrollers, and NULL here. */
struct TfLiteContext {
  size_t tensors_size;
  TfLiteStatus (*GetExecutionPlan)(TfLiteContext* context, TfLiteIntArray** execution_plan);
  TfLiteTensor* tensors;
  void* impl_;
  /* Takes ownership of new_size. */
  TfLiteStatus (*ResizeTensor)(TfLiteContext* context, TfLiteTensor* tensor,
                               TfLiteIntArray* new_size);
  void (*ReportError)(TfLiteContext* context, const char* msg, ...);
  TfLiteStatus (*AddTensors)(TfLiteContext* context, int tensors_to_add,
                             int* first_new_tensor_index);
  TfLiteStatus (*GetNodeAndRegistration)(TfLiteContext* context, int node_index, TfLiteNode** node,
                                         TfLiteRegistration** registration);
  TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(TfLiteContext* context,
                                                        TfLiteRegistration registration,
                                                        const TfLiteIntArray* nodes_to_replace,
                                                        TfLiteDelegate* delegate);
  int recommended_num_threads;
  TfLiteExternalContext* (*GetExternalContext)(TfLiteContext* context,
                                               TfLiteExternalContextType type);
  void (*SetExternalContext)(TfLiteContext* context, TfLiteExternalContextType type,
                             TfLiteExternalContext* external_context);
  bool allow_fp32_relax_to_fp16;
  void* profiler;
  void* (*AllocatePersistentBuffer)(TfLiteContext* context, size_t bytes);
  TfLiteStatus (*AllocateBufferForEval)(TfLiteContext* context, size_t bytes, void** ptr);
  TfLiteStatus (*RequestScratchBufferInArena)(TfLiteContext* context, size_t bytes,
                                              int* buffer_idx);
  void* (*GetScratchBuffer)(TfLiteContext* context, int buffer_idx);
  TfLiteStatus (*ResizeTensorExplicit)(TfLiteContext* context, TfLiteTensor* tensor, int dims,
                                       const int* shape);
  TfLiteStatus (*PreviewDelegatePartitioning)(TfLiteContext* context,
                                              const TfLiteIntArray* nodes_to_replace,
                                              TfLiteDelegateParams** partition_params_array,
                                              int* num_partitions);
  TfLiteTensor* (*GetTensor)(const TfLiteContext* context, int tensor_idx);
  TfLiteEvalTensor* (*GetEvalTensor)(const TfLiteContext* context, int tensor_idx);
  TfLiteStatus (*GetModelMetadata)(const TfLiteContext* context, const char* name,
                                   const char** ptr, size_t* bytes);
  TfLiteStatus (*AcquireSubgraphContext)(TfLiteContext* context, int subgraph_index,
                                         TfLiteContext** acquired_context);
  TfLiteStatus (*ReleaseSubgraphContext)(TfLiteContext* context, int subgraph_index);
};

/* ---- Delegates ---- */

typedef enum TfLiteDelegateFlags {
  kTfLiteDelegateFlagsNone = 0,
  kTfLiteDelegateFlagsAllowDynamicTensors = 1,
  kTfLiteDelegateFlagsRequirePropagatedShapes = 2,
  kTfLiteDelegateFlagsPerOperatorProfiling = 4,
  kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate = 8,
} TfLiteDelegateFlags;

typedef struct TfLiteOpaqueDelegateBuilder TfLiteOpaqueDelegateBuilder;

/* A delegate that would execute nodes. Prepare is called, but delegating a node is refused.
   opaque_delegate_builder is read only if Prepare is NULL. */
struct TfLiteDelegate {
  void* data_;
  TfLiteStatus (*Prepare)(TfLiteContext* context, TfLiteDelegate* delegate);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteContext* context, TfLiteDelegate* delegate,
                                       TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteContext* context, TfLiteDelegate* delegate,
                                     TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor);
  void (*FreeBufferHandle)(TfLiteContext* context, TfLiteDelegate* delegate,
                           TfLiteBufferHandle* handle);
  int64_t flags;
  TfLiteOpaqueDelegateBuilder* opaque_delegate_builder;
};

/* Returns a delegate with all fields zero. */
TFL_CAPI_EXPORT TfLiteDelegate TfLiteDelegateCreate(void);

/* A delegate whose functions see opaque contexts and tensors. */
struct TfLiteOpaqueDelegateBuilder {
  void* data;
  TfLiteStatus (*Prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                          void* data);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteOpaqueContext* context,
                                       TfLiteOpaqueDelegate* delegate, void* data,
                                       TfLiteBufferHandle buffer_handle,
                                       TfLiteOpaqueTensor* tensor);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data, TfLiteBufferHandle buffer_handle,
                                     TfLiteOpaqueTensor* tensor);
  void (*FreeBufferHandle)(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                           void* data, TfLiteBufferHandle* handle);
  int64_t flags;
};

TFL_CAPI_EXPORT TfLiteOpaqueDelegate* TfLiteOpaqueDelegateCreate(
    const TfLiteOpaqueDelegateBuilder* builder);
TFL_CAPI_EXPORT void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate* delegate);
/* Returns the builder's data, or data_ for a delegate without a builder. */
TFL_CAPI_EXPORT void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate* delegate);

#ifdef __cplusplus
}
#endif

#include "checks.h"
#ifdef __cplusplus
#include "variants.h"
#endif

#endif  // TENSORFLOW_LITE_C_COMMON_H_
