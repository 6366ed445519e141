#ifndef OCELLUS_C_H_
#define OCELLUS_C_H_

/* What this library can beyond the official interface. Set before an interpreter is made, like all options. */

#include "tensorflow/lite/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Floats with the very bits of the official reference kernels, on every processor; slower. Integers have
   them always. */
TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetExact(TfLiteInterpreterOptions* options, bool exact);

/* What planning or one run may use: the guard against models and inputs of strangers. What is beyond it is
   an error. A number of 0 leaves the default, which real models stay far below. */
typedef struct OcellusBudget {
  /* The memory of tensors, beside as much as the model has. */
  uint64_t bytes;
  uint64_t multiply_adds;
  /* The time of planning, and of one run: a minute where it is 0, without limit where it is infinite. */
  double seconds;
} OcellusBudget;

TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetBudget(TfLiteInterpreterOptions* options,
                                                        const OcellusBudget* budget);

/* Gives every result in between memory of its own, so that TfLiteInterpreterGetTensor tells it behind a run;
   slower, and the arena is as large as all results together. */
TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetKeepsTensors(TfLiteInterpreterOptions* options,
                                                              bool keeps);

/* As TfLiteSignatureRunnerResizeInputTensor, but any extent may change, not only those that the model leaves
   open. */
TFL_CAPI_EXPORT TfLiteStatus OcellusSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
                                                                     const char* input_name,
                                                                     const int* input_dims,
                                                                     int32_t input_dims_size);

/* The kernels that an interpreter runs: "avx512", say. */
TFL_CAPI_EXPORT const char* OcellusInterpreterGetInstructionSet(
    const TfLiteInterpreter* interpreter);

/* Where the time of runs on the inputs as they are goes: the object, in JSON, whose fields the page on
   profiles of the documentation lists. Runs the model `runs` times step by step, from 1 to 10000, as often
   as a whole beside that, and a few times before. NULL where it cannot run: the error reporter says why.
   What comes back is the caller's, for OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterProfile(TfLiteInterpreter* interpreter, int32_t runs);

/* What a run on the inputs as they are computes, layer by layer, and how far that is from what plain loops
   compute: the object, in JSON, that `ocellus audit --json` prints. It leaves the interpreter as it is: others
   like it run, with variables as they are at first. NULL where that cannot be, as with operators of the
   program's: the error reporter says why. What comes back is the caller's, for OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterAudit(TfLiteInterpreter* interpreter);

/* What a run on the inputs as they are computed, as numbers that somebody else can check: the receipt, in JSON,
   that `ocellus receipt` writes. Otherwise as OcellusInterpreterAudit. */
TFL_CAPI_EXPORT char* OcellusInterpreterReceipt(TfLiteInterpreter* interpreter);

/* Every tensor of a run on the inputs as they are, in figures: the object, in JSON, that `ocellus trace --json`
   prints. Otherwise as OcellusInterpreterAudit. */
TFL_CAPI_EXPORT char* OcellusInterpreterTrace(TfLiteInterpreter* interpreter);

/* The nodes of the main graph in the order in which they run, in JSON:
   {"nodes":[{"index":0,"op_name":"CONV_2D","inputs":[0,1,-1],"outputs":[3]}]}, where -1 stands for an operand that is
   left out. Names of custom operators are their own. What comes back is the caller's, for
   OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterNodes(const TfLiteInterpreter* interpreter);

TFL_CAPI_EXPORT void OcellusStringDelete(char* string);

#ifdef __cplusplus
}
#endif

#endif  // OCELLUS_C_H_
