/// The C API's type of a delegate, of which only the name is needed.
public struct TfLiteDelegate {
  init() {}
}

/// A delegate that runs parts of a graph on an accelerator.
///
/// No accelerators are supported here. The interpreter keeps the delegates for
/// `Interpreter.delegates`, the CPU kernels run the whole graph, and the log says so.
public protocol Delegate: AnyObject {
  /// The C API's handle.
  typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>

  /// The handle of the delegate for the C API.
  var cDelegate: CDelegate { get }
}

extension UnsafeMutablePointer<TfLiteDelegate> {
  /// Allocates a unique handle, whose content is never read.
  static func makeHandle() -> Self {
    let handle = allocate(capacity: 1)
    handle.initialize(to: TfLiteDelegate())
    return handle
  }
}
