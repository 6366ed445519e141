/* What the official library's own suites, and programs that rely on its habits, expect beyond what the
   interface promises. */

#include "odd_path.h"

#include "check.h"

static TfLiteInterpreterOptions* reporting(Messages* messages) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  memset(messages, 0, sizeof *messages);
  TfLiteInterpreterOptionsSetErrorReporter(options, collect, messages);
  return options;
}

/* An interpreter whose context a delegate looks at. */
static TfLiteInterpreter* looked_at(const char* model, TfLiteDelegate* delegate,
                                    TfLiteInterpreterOptions* options) {
  TfLiteInterpreterOptionsAddDelegate(options, delegate);
  return open_interpreter(model, options);
}

/* ---- Delegates ---- */

static int prepared;

static TfLiteStatus look(TfLiteContext* context, TfLiteDelegate* delegate) {
  CHECK(context != NULL && TfLiteOpaqueDelegateGetData(delegate) == &prepared);
  prepared++;
  return kTfLiteOk;
}

static TfLiteStatus take_over(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteIntArray* plan = NULL;
  TfLiteRegistration registration;
  memset(&registration, 0, sizeof registration);
  prepared++;
  if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, plan, delegate);
}

/* Programs that know the structure from before it had its last field leave that as it is. */
static void uninitialised_builders(void) {
  TfLiteDelegate delegate;
  memset(&delegate, 0xa5, sizeof delegate);
  delegate.data_ = &prepared;
  delegate.Prepare = look;
  delegate.flags = kTfLiteDelegateFlagsNone;
  Messages messages;
  TfLiteInterpreter* interpreter = looked_at("add", &delegate, reporting(&messages));
  CHECK(interpreter != NULL && prepared == 1);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  delegate.Prepare = take_over;
  CHECK(!looked_at("add", &delegate, reporting(&messages)) && prepared == 2);
  CHECK(says(&messages, "Delegates cannot take over nodes"));
}

/* ---- Paths, which are bytes ---- */

static void paths(void) {
  char plain[PATH_MAX];
  snprintf(plain, sizeof plain, "%s/add.tflite", model_folder);
  OddPath odd = make_odd_path(plain);
  TfLiteModel* model = TfLiteModelCreateFromFile(odd.file);
  CHECK(model != NULL);
  TfLiteModelDelete(model);
  remove_odd_path(&odd);
  Messages messages = {0, ""};
  CHECK(!TfLiteModelCreateFromFileWithErrorReporter(odd.file, collect, &messages));
  CHECK(says(&messages, odd.file) && says(&messages, "Could not open '"));
}

/* ---- Threads ---- */

static int recommended;

static TfLiteStatus count_threads(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)delegate;
  recommended = context->recommended_num_threads;
  return kTfLiteOk;
}

static void threads(void) {
  Messages messages;
  TfLiteInterpreterOptions* options = reporting(&messages);
  TfLiteInterpreterOptionsSetNumThreads(options, -2);
  CHECK(messages.count == 0);
  TfLiteInterpreter* interpreter = open_interpreter("add", options);
  CHECK(messages.count == 1);
  CHECK(strcmp(messages.text,
               "num_threads should be >=0 or just -1 to let TFLite runtime set the value.") == 0);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  for (int count = -1; count < 2; count++) {
    options = reporting(&messages);
    TfLiteInterpreterOptionsSetNumThreads(options, -2);
    TfLiteInterpreterOptionsSetNumThreads(options, count);
    TfLiteInterpreterDelete(open_interpreter("add", options));
    CHECK(messages.count == 0);
  }
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = count_threads;
  options = reporting(&messages);
  TfLiteInterpreterOptionsSetNumThreads(options, 3);
  TfLiteInterpreterDelete(looked_at("add", &delegate, options));
  CHECK(recommended == 3);
}

/* ---- Shapes ---- */

static TfLiteIntArray* list(int first, int second) {
  TfLiteIntArray* list = TfLiteIntArrayCreate(2);
  list->data[0] = first;
  list->data[1] = second;
  return list;
}

/* Operators go on reading a list that they have given away. */
static TfLiteStatus resize(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)delegate;
  TfLiteTensor* tensor = &context->tensors[0];
  TfLiteIntArray* shape = list(5, 7);
  CHECK(context->ResizeTensor(context, tensor, shape) == kTfLiteOk);
  CHECK(tensor->dims == shape && shape->data[1] == 7 && tensor->bytes == 140);
  CHECK(context->ResizeTensor(context, tensor, tensor->dims) == kTfLiteOk);
  CHECK(tensor->dims == shape && shape->size == 2);
  shape = list(5, 7);
  CHECK(context->ResizeTensor(context, tensor, shape) == kTfLiteOk && tensor->dims == shape);
  CHECK(context->ResizeTensor(context, tensor, list(-5, 7)) == kTfLiteError);
  CHECK(tensor->dims == shape);
  shape = list(2, 3);
  CHECK(TfLiteOpaqueContextResizeTensor((TfLiteOpaqueContext*)context, (TfLiteOpaqueTensor*)tensor,
                                        shape) == kTfLiteOk);
  CHECK(tensor->dims == shape);
  /* Memory that is large enough already stays. */
  static float memory[6];
  tensor->data.f = memory;
  CHECK(context->ResizeTensor(context, tensor, list(2, 3)) == kTfLiteOk);
  CHECK(tensor->data.f == memory);
  CHECK(context->ResizeTensor(context, tensor, list(3, 2)) == kTfLiteOk);
  CHECK(tensor->data.f == NULL);
  return kTfLiteOk;
}

static void shapes(void) {
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = resize;
  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  TfLiteInterpreterDelete(looked_at("add", &delegate, TfLiteInterpreterOptionsCreate()));

  TfLiteInterpreter* interpreter = open_interpreter("unresolved", NULL);
  const TfLiteTensor* open = TfLiteInterpreterGetTensor(interpreter, 0);
  const TfLiteTensor* closed = TfLiteInterpreterGetTensor(interpreter, 1);
  CHECK(TfLiteTensorGetDimsSignature(open)->data[0] == -1);
  CHECK(TfLiteTensorGetDimsSignature(closed) == closed->dims);
  CHECK(TfLiteTensorGetDimsSignature(NULL) == NULL);
  TfLiteInterpreterDelete(interpreter);
}

/* ---- Memory ---- */

static void failures_to_allocate(void) {
  const size_t sizes[] = {SIZE_MAX - 16, (size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1,
                          (size_t)1 << 62};
  for (int i = 0; i < 4; i++) {
    TfLiteTensor tensor;
    memset(&tensor, 0, sizeof tensor);
    tensor.allocation_type = kTfLiteDynamic;
    CHECK(TfLiteTensorRealloc(4, &tensor) == kTfLiteOk);
    int32_t* memory = tensor.data.i32;
    *memory = 42;
    CHECK(TfLiteTensorRealloc(sizes[i], &tensor) == kTfLiteError);
    CHECK(tensor.data.raw == NULL);
    TfLiteTensorFree(&tensor);
    CHECK(*memory == 42);
    free(memory);
    CHECK(TfLiteTensorRealloc(4, &tensor) == kTfLiteOk && tensor.data.raw != NULL);
    CHECK(TfLiteTensorResizeMaybeCopy(sizes[i], &tensor, false) == kTfLiteError);
    CHECK(tensor.data.raw == NULL);
  }
}

/* ---- Operators ---- */

static TfLiteExternalContext shared = {kTfLiteEdgeTpuContext, NULL};

static TfLiteStatus share(TfLiteContext* context, TfLiteDelegate* delegate) {
  (void)delegate;
  TfLiteOpaqueContext* opaque = (TfLiteOpaqueContext*)context;
  void* external = &shared;
  CHECK(TfLiteOpaqueContextGetExternalContext(opaque, &external, kTfLiteEdgeTpuContext) == kTfLiteOk);
  CHECK(external == NULL && context->GetExternalContext(context, kTfLiteEigenContext) == NULL);
  context->SetExternalContext(context, kTfLiteEdgeTpuContext, &shared);
  CHECK(context->GetExternalContext(context, kTfLiteEdgeTpuContext) == &shared);
  CHECK(TfLiteOpaqueContextGetExternalContext(opaque, &external, kTfLiteEdgeTpuContext) == kTfLiteOk);
  CHECK(external == &shared);
  context->SetExternalContext(context, (TfLiteExternalContextType)99, &shared);
  CHECK(context->GetExternalContext(context, (TfLiteExternalContextType)99) == NULL);

  const char* bytes = NULL;
  size_t count = 0;
  CHECK(TfLiteOpaqueContextGetMetadata(opaque, "note", &bytes, &count) == kTfLiteOk);
  CHECK(count == 5 && memcmp(bytes, "hello", 5) == 0);
  CHECK(context->GetModelMetadata(context, "note", &bytes, &count) == kTfLiteOk && count == 5);
  CHECK(TfLiteOpaqueContextGetMetadata(opaque, "other", &bytes, &count) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetMetadata(opaque, NULL, &bytes, &count) == kTfLiteError);
  prepared++;
  return kTfLiteOk;
}

static void contexts(void) {
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = share;
  prepared = 0;
  TfLiteInterpreterDelete(looked_at("variable", &delegate, TfLiteInterpreterOptionsCreate()));
  CHECK(prepared == 1);
  CHECK(TfLiteOpaqueContextGetMetadata(NULL, "note", NULL, NULL) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetExternalContext(NULL, NULL, kTfLiteEigenContext) == kTfLiteError);
}

static void operators(void) {
  CHECK(TfLiteOperatorGetVersion(NULL) == -1);
  char name[] = "Sinh";
  TfLiteOperator* operator = TfLiteOperatorCreate(kTfLiteBuiltinCustom, name, 1, NULL);
  CHECK(TfLiteOperatorGetCustomName(operator) == name);
  /* The name is copied, too: the program may change or free its own. */
  name[0] = 'K';
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, operator);
  TfLiteInterpreter* interpreter = open_interpreter("unresolved", options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  TfLiteOperatorDelete(operator);
}

int main(int count, char** arguments) {
  if (count > 1) model_folder = arguments[1];
  uninitialised_builders();
  paths();
  threads();
  shapes();
  failures_to_allocate();
  contexts();
  operators();
  return finish("conformance_test");
}
