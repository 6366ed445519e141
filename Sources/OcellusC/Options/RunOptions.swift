import CTensorFlowLite
import OcellusEngine
import OcellusHandles

/// What `TfLiteInterpreterOptions` are.
final class RunOptions: Handle {
  /// How a model is to be run; interpreters take a copy.
  struct Values {
    var engine = Interpreter.Options()
    var reporter = ErrorReporter()
    var allowsCancellation = false
    var delegates: [UnsafeMutablePointer<TfLiteDelegate>] = []
    var kernels = ProgramKernels()
  }

  var values: Values

  init(_ values: Values = Values()) { self.values = values }
}
