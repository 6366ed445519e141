#ifndef OCELLUS_C_H_
#define OCELLUS_C_H_

/* The functions that this library adds to the official interface. Like all options, set these
   options before creating an interpreter. */

#include "tensorflow/lite/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes floats bit-exact with the official reference kernels on every processor, at lower speed.
   Integers are always bit-exact. */
TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetExact(TfLiteInterpreterOptions* options, bool exact);

/* Chooses the rules for numbers: "fast"; "exact", as above; "bfloat16", which rounds the factors of
   float matrix multiplications to bfloat16; or "litert", the bits of what LiteRT 2.3 computes by
   default on this processor, integers included. "litert-2.3/avx2" (AMD's), "litert-2.3/avx2-intel",
   "litert-2.3/avx512" and "litert-2.3/neon" name the processor. Returns kTfLiteError for other names. */
TFL_CAPI_EXPORT TfLiteStatus OcellusInterpreterOptionsSetNumerics(TfLiteInterpreterOptions* options,
                                                                  const char* name);

/* Times the strategies of kernels that accept each node when tensors are allocated, for at most so
   many seconds in all, and takes the fastest; results do not change. `file`, which may be NULL,
   remembers the choices, and need not exist; with 0 seconds they are only read from it, and it must
   exist. With 0 seconds and NULL, nothing is measured, as by default. Returns kTfLiteError for
   seconds that are negative or no number. */
TFL_CAPI_EXPORT TfLiteStatus OcellusInterpreterOptionsSetTuning(TfLiteInterpreterOptions* options,
                                                                double seconds, const char* file);

/* The limits of planning and of one run, as a guard against untrusted models and inputs.
   Exceeding a limit is an error. The value 0 selects the default, which real models do not come
   near. */
typedef struct OcellusBudget {
  /* The memory of tensors, in addition to an amount equal to the model's size. */
  uint64_t bytes;
  uint64_t multiply_adds;
  /* The time limit of planning and of one run: one minute if 0, none if infinite. */
  double seconds;
} OcellusBudget;

TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetBudget(TfLiteInterpreterOptions* options,
                                                        const OcellusBudget* budget);

/* Gives every intermediate result memory of its own, so that TfLiteInterpreterGetTensor can read
   it after a run. Runs are slower, and the arena is as large as all results together. */
TFL_CAPI_EXPORT void OcellusInterpreterOptionsSetKeepsTensors(TfLiteInterpreterOptions* options,
                                                              bool keeps);

/* Like TfLiteSignatureRunnerResizeInputTensor, but any dimension may change, not only dynamic
   ones. */
TFL_CAPI_EXPORT TfLiteStatus OcellusSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
                                                                     const char* input_name,
                                                                     const int* input_dims,
                                                                     int32_t input_dims_size);

/* The instruction set of an interpreter's kernels, such as "avx512". */
TFL_CAPI_EXPORT const char* OcellusInterpreterGetInstructionSet(
    const TfLiteInterpreter* interpreter);

/* Profiles runs on the current inputs. Returns a JSON object, whose members the documentation
   lists on the page about profiles. Runs the model `runs` times (1 to 10000) with step timing,
   as many times without, and a few times to warm up. Returns NULL, after a message to the error
   reporter, if the model cannot run. The caller owns the string; free it with
   OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterProfile(TfLiteInterpreter* interpreter, int32_t runs);

/* Describes a run on the current inputs layer by layer and compares it with the reference
   kernels. Returns the JSON object that `ocellus audit --json` prints. The interpreter stays as
   it is: the runs use new interpreters with initial values of variables. Returns NULL, after a
   message to the error reporter, if that is impossible, as with operators of the program. The
   caller owns the string; free it with OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterAudit(TfLiteInterpreter* interpreter);

/* Records a run on the current inputs as hashes that anyone can check. Returns the JSON receipt
   that `ocellus receipt` writes. Otherwise like OcellusInterpreterAudit. */
TFL_CAPI_EXPORT char* OcellusInterpreterReceipt(TfLiteInterpreter* interpreter);

/* Computes statistics of every tensor of a run on the current inputs. Returns the JSON object
   that `ocellus trace --json` prints. Otherwise like OcellusInterpreterAudit. */
TFL_CAPI_EXPORT char* OcellusInterpreterTrace(TfLiteInterpreter* interpreter);

/* Returns the nodes of the main subgraph in execution order as JSON:
   {"nodes":[{"index":0,"op_name":"CONV_2D","inputs":[0,1,-1],"outputs":[3]}]}, where -1 stands
   for an omitted operand. Custom operators have their own names. The caller owns the string;
   free it with OcellusStringDelete. */
TFL_CAPI_EXPORT char* OcellusInterpreterNodes(const TfLiteInterpreter* interpreter);

TFL_CAPI_EXPORT void OcellusStringDelete(char* string);

#ifdef __cplusplus
}
#endif

#endif  // OCELLUS_C_H_
