#ifndef TENSORFLOW_LITE_C_CHECKS_H_
#define TENSORFLOW_LITE_C_CHECKS_H_

/* Checks for operators and delegates: a check that fails reports why and returns from the function
   around it. Included by common.h. Names that start with OCELLUS_ are for this file only. */

/* ---- Reporting ---- */

#ifdef TF_LITE_STRIP_ERROR_STRINGS
#define TF_LITE_KERNEL_LOG(context, ...) ((void)sizeof(#__VA_ARGS__))
#define TF_LITE_MAYBE_KERNEL_LOG(context, ...) ((void)sizeof(#__VA_ARGS__))
#define TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, ...) ((void)sizeof(#__VA_ARGS__))
#define TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(opaque_context, ...) ((void)sizeof(#__VA_ARGS__))
#else
/* Takes a printf format and its arguments. */
#define TF_LITE_KERNEL_LOG(context, ...) ((context)->ReportError((context), __VA_ARGS__))
/* The same, or nothing for a NULL context. */
#define TF_LITE_MAYBE_KERNEL_LOG(context, ...) \
  ((context) ? TF_LITE_KERNEL_LOG(context, __VA_ARGS__) : (void)0)
#ifndef TF_LITE_OPAQUE_KERNEL_LOG
#define TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, ...) \
  TfLiteOpaqueContextReportError((opaque_context), __VA_ARGS__)
#endif
#define TF_LITE_OPAQUE_MAYBE_KERNEL_LOG(opaque_context, ...) \
  ((opaque_context) ? TF_LITE_OPAQUE_KERNEL_LOG(opaque_context, __VA_ARGS__) : (void)0)
#endif

/* ---- Checks for functions that see structures ---- */

#define OCELLUS_ENSURE(log, condition, ...) \
  do {                                      \
    if (!(condition)) {                     \
      log(__VA_ARGS__);                     \
      return kTfLiteError;                  \
    }                                       \
  } while (0)

#define OCELLUS_DIFFERENCE(a, b) ((a) > (b) ? (a) - (b) : (b) - (a))

/* The message is a printf format, which must be a literal, and its arguments. */
#define TF_LITE_ENSURE_MSG(context, value, ...) \
  OCELLUS_ENSURE(TF_LITE_KERNEL_LOG, value, context, __FILE__ " " __VA_ARGS__)

#define TF_LITE_ENSURE(context, a)                                                           \
  OCELLUS_ENSURE(TF_LITE_KERNEL_LOG, a, context, "%s:%d %s was not true.", __FILE__, __LINE__, \
                 #a)

/* Compares integers. The operands of a check that fails are evaluated twice. */
#define TF_LITE_ENSURE_EQ(context, a, b)                                                    \
  OCELLUS_ENSURE(TF_LITE_KERNEL_LOG, (a) == (b), context, "%s:%d %s != %s (%d != %d)", __FILE__, \
                 __LINE__, #a, #b, (a), (b))

#define TF_LITE_ENSURE_TYPES_EQ(context, a, b)                                              \
  OCELLUS_ENSURE(TF_LITE_KERNEL_LOG, (a) == (b), context, "%s:%d %s != %s (%s != %s)", __FILE__, \
                 __LINE__, #a, #b, TfLiteTypeGetName(a), TfLiteTypeGetName(b))

#define TF_LITE_ENSURE_NEAR(context, a, b, epsilon)                                   \
  OCELLUS_ENSURE(TF_LITE_KERNEL_LOG, !(OCELLUS_DIFFERENCE(a, b) > (epsilon)), context, \
                 "%s:%d %s not near %s (%f != %f)", __FILE__, __LINE__, #a, #b, (double)(a), \
                 (double)(b))

/* Returns the status unless it is kTfLiteOk. */
#define TF_LITE_ENSURE_STATUS(a)                               \
  do {                                                         \
    const TfLiteStatus ocellus_status = (a);                   \
    if (ocellus_status != kTfLiteOk) return ocellus_status;    \
  } while (0)

#define OCELLUS_TEXT_OF(tokens) #tokens
#define OCELLUS_TEXT(tokens) OCELLUS_TEXT_OF(tokens)

/* The same; a message may follow, as a printf format and its arguments. */
#define TF_LITE_ENSURE_OK(context, status, ...)                                                  \
  do {                                                                                           \
    const TfLiteStatus ocellus_status = (status);                                                \
    if (ocellus_status != kTfLiteOk) {                                                           \
      if (sizeof(#__VA_ARGS__) > 1)                                                              \
        TF_LITE_MAYBE_KERNEL_LOG(context, __FILE__ ":" OCELLUS_TEXT(__LINE__) ": " __VA_ARGS__); \
      return ocellus_status;                                                                     \
    }                                                                                            \
  } while (0)

/* Tells the compiler that the program never gets here. */
#define TFL_UNREACHABLE() (__builtin_unreachable())

/* ---- The same for functions with opaque contexts ---- */

#define TF_LITE_OPAQUE_ENSURE_MSG(opaque_context, value, msg) \
  OCELLUS_ENSURE(TF_LITE_OPAQUE_KERNEL_LOG, value, opaque_context, __FILE__ " " msg)

#define TF_LITE_OPAQUE_ENSURE(opaque_context, a)                                             \
  OCELLUS_ENSURE(TF_LITE_OPAQUE_KERNEL_LOG, a, opaque_context, "%s:%d: %s was not true.", __FILE__, \
                 __LINE__, #a)

#define TF_LITE_OPAQUE_ENSURE_EQ(opaque_context, a, b)                 \
  OCELLUS_ENSURE(TF_LITE_OPAQUE_KERNEL_LOG, (a) == (b), opaque_context, \
                 "%s:%d: %s != %s (%d != %d)", __FILE__, __LINE__, #a, #b, (a), (b))

#define TF_LITE_OPAQUE_ENSURE_TYPES_EQ(opaque_context, a, b)                                     \
  OCELLUS_ENSURE(TF_LITE_OPAQUE_KERNEL_LOG, (a) == (b), opaque_context,                           \
                 "%s:%d: %s != %s (%s != %s)", __FILE__, __LINE__, #a, #b, TfLiteTypeGetName(a), \
                 TfLiteTypeGetName(b))

#define TF_LITE_OPAQUE_ENSURE_NEAR(opaque_context, a, b, epsilon)                                    \
  OCELLUS_ENSURE(TF_LITE_OPAQUE_KERNEL_LOG, !(OCELLUS_DIFFERENCE(a, b) > (epsilon)), opaque_context, \
                 "%s:%d: %s not near %s (%f != %f)", __FILE__, __LINE__, #a, #b, (double)(a),        \
                 (double)(b))

#endif  // TENSORFLOW_LITE_C_CHECKS_H_
