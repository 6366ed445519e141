import CTensorFlowLite
import OcellusEngine
import OcellusHandles

/// The object behind `TfLiteInterpreterOptions`.
final class RunOptions: Handle {
  /// The options of interpreters, which take a copy.
  struct Values {
    var engine = Interpreter.Options()
    /// Whether the number of threads is below -1, which the official library reports only when it
    /// makes an interpreter.
    var hasWrongThreadCount = false
    var reporter = ErrorReporter()
    var allowsCancellation = false
    var delegates: [UnsafeMutablePointer<TfLiteDelegate>] = []
    var kernels = ProgramKernels()
  }

  var values: Values

  init(_ values: Values = Values()) { self.values = values }
}
