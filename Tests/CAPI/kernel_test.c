/* Operators as they are written for the official library, in C and in C++: its names of headers, its checks,
   and the options of its own operators. This file is compiled as both. */

#include <math.h>

#include "tensorflow/lite/builtin_op_data.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/c_api_experimental.h"
#include "tensorflow/lite/core/c/c_api_opaque.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/c/operator.h"
/* LiteRT's names of the same. */
#include "tflite/c/c_api.h"
#include "tflite/core/c/common.h"

#include "check.h"

/* The check that is to fail. */
static int fault;

static TfLiteStatus status_of(TfLiteStatus status) { return status; }

/* ---- With structures ---- */

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  TF_LITE_ENSURE(context, fault != 1);
  TF_LITE_ENSURE_EQ(context, node->inputs->size, fault == 2 ? 5 : 1);
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, fault == 3 ? kTfLiteInt8 : kTfLiteFloat32);
  TF_LITE_ENSURE_NEAR(context, 1.5f, fault == 4 ? 1.75f : 1.5625f, 0.125f);
  TF_LITE_ENSURE_MSG(context, fault != 5, "has a fault.");
  TF_LITE_ENSURE_MSG(context, fault != 6, "has fault %d.", fault);
  TF_LITE_ENSURE_STATUS(status_of(fault == 7 ? kTfLiteDelegateError : kTfLiteOk));
  TF_LITE_ENSURE_OK(context, status_of(fault == 8 ? kTfLiteCancelled : kTfLiteOk), "stopped by %s",
                    "somebody");
  /* As a statement without braces, a check must not take an else that is not its own. */
  if (fault == 9)
    TF_LITE_KERNEL_LOG(context, "%s %d", "told", 9);
  else
    TF_LITE_MAYBE_KERNEL_LOG(fault == 10 ? context : NULL, "told ten");
  return context->ResizeTensor(context, output, TfLiteIntArrayCopy(input->dims));
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  for (size_t i = 0; i < input->bytes / sizeof(float); i++) {
    output->data.f[i] = sinhf(input->data.f[i]);
  }
  return kTfLiteOk;
}

/* ---- With opaque contexts ---- */

static TfLiteStatus prepare_opaque(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TF_LITE_OPAQUE_ENSURE(context, fault != 1);
  TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), fault == 2 ? 5 : 1);
  TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(input),
                                 fault == 3 ? kTfLiteInt8 : kTfLiteFloat32);
  TF_LITE_OPAQUE_ENSURE_NEAR(context, 1.5f, fault == 4 ? 1.75f : 1.5625f, 0.125f);
  TF_LITE_OPAQUE_ENSURE_MSG(context, fault != 5, "has a fault.");
  if (fault == 9)
    TF_LITE_OPAQUE_KERNEL_LOG(context, "%s %d", "told", 9);
  else
    TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(fault == 10 ? context : NULL, "told ten");
  return kTfLiteOk;
}

static TfLiteStatus invoke_opaque(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
  const float* values = (const float*)TfLiteOpaqueTensorData(input);
  float* results = (float*)TfLiteOpaqueTensorData(output);
  for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(input) / sizeof(float); i++) {
    results[i] = sinhf(values[i]);
  }
  return kTfLiteOk;
}

/* ---- Running them ---- */

/* What each fault leads to: a status, and a part of the message. */
static const struct {
  TfLiteStatus status;
  const char* text;
} outcomes[] = {
    {kTfLiteOk, ""},
    {kTfLiteError, " fault != 1 was not true."},
    {kTfLiteError, " != fault == 2 ? 5 : 1 (1 != 5)"},
    {kTfLiteError, " != fault == 3 ? kTfLiteInt8 : kTfLiteFloat32 (FLOAT32 != INT8)"},
    {kTfLiteError, " 1.5f not near fault == 4 ? 1.75f : 1.5625f (1.500000 != 1.750000)"},
    {kTfLiteError, "kernel_test.c has a fault."},
    {kTfLiteError, "kernel_test.c has fault 6."},
    {kTfLiteDelegateError, ""},
    {kTfLiteCancelled, ": stopped by somebody"},
    {kTfLiteOk, "told 9"},
    {kTfLiteOk, "told ten"},
};

static void run(TfLiteInterpreterOptions* options, Messages* messages) {
  memset(messages, 0, sizeof *messages);
  TfLiteInterpreterOptionsSetErrorReporter(options, collect, messages);
  TfLiteInterpreter* interpreter = open_interpreter("unresolved", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == outcomes[fault].status);
  CHECK(says(messages, outcomes[fault].text));
  if (outcomes[fault].status == kTfLiteOk) {
    const float values[] = {1, -1};
    float results[2];
    TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), values,
                               sizeof values);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), results,
                             sizeof results);
    CHECK(results[0] == sinhf(1) && results[1] == sinhf(-1));
  }
  TfLiteInterpreterDelete(interpreter);
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  Messages messages;
  for (fault = 0; fault <= 10; fault++) {
    TfLiteRegistration registration;
    memset(&registration, 0, sizeof registration);
    registration.prepare = prepare;
    registration.invoke = invoke;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddCustomOp(options, "Sinh", &registration, 1, 1);
    run(options, &messages);
    /* Structures' messages have no colon behind the line, and opaque contexts' have one. */
    CHECK(fault != 1 || says(&messages, "kernel_test.c:"));
    CHECK(fault != 1 || !says(&messages, ": fault"));
  }
  for (fault = 0; fault <= 10; fault = fault == 5 ? 9 : fault + 1) {
    TfLiteRegistrationExternal* object =
        TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "Sinh", 1, NULL);
    TfLiteRegistrationExternalSetPrepare(object, prepare_opaque);
    TfLiteRegistrationExternalSetInvoke(object, invoke_opaque);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddOperator(options, object);
    run(options, &messages);
    CHECK(fault != 1 || says(&messages, ": fault"));
    TfLiteRegistrationExternalDelete(object);
  }
  /* Structures that programs fill in by themselves. */
  TfLiteAddParams addition;
  memset(&addition, 0, sizeof addition);
  addition.activation = kTfLiteActRelu6;
  TfLiteDelegateParams params = {NULL, NULL, NULL, NULL};
  TfLiteOpaqueDelegateParams opaque = {NULL, &addition, NULL, NULL, NULL};
  CHECK(params.delegate == NULL && opaque.delegate_data == &addition);
  return finish("kernel_test");
}
