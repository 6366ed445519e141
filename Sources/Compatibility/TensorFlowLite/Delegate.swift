/// The C API's handle of a delegate; only its name is needed here.
public struct TfLiteDelegate {
  init() {}
}

/// Hands parts of a graph to an accelerator.
///
/// On Linux there are none behind this API: a delegate is kept, for programs that ask for
/// `Interpreter.delegates`, and the tuned kernels of the engine run the whole graph. The log says so.
public protocol Delegate: AnyObject {
  /// The C API's handle.
  typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>

  /// The delegate that the C API would be given.
  var cDelegate: CDelegate { get }
}

extension UnsafeMutablePointer<TfLiteDelegate> {
  /// A handle of its own for a delegate that nobody looks into.
  static func makeHandle() -> Self {
    let handle = allocate(capacity: 1)
    handle.initialize(to: TfLiteDelegate())
    return handle
  }
}
