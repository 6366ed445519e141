/// The Metal delegate; here the CPU runs the whole graph, and the log says so.
public final class MetalDelegate: Delegate {
  /// The options with which the delegate was created.
  public let options: Options
  /// A valid handle without content.
  public private(set) var cDelegate: CDelegate

  /// Creates a delegate.
  public init(options: Options = Options()) {
    self.options = options
    cDelegate = .makeHandle()
  }

  deinit { cDelegate.deallocate() }
}

extension MetalDelegate {
  /// The options for the GPU.
  public struct Options: Equatable, Hashable {
    /// Whether half precision is allowed.
    public var isPrecisionLossAllowed = false
    /// The old name of `isPrecisionLossAllowed`.
    @available(
      *, deprecated, message: "Deprecated since TensorFlow Lite 2.4",
      renamed: "isPrecisionLossAllowed"
    )
    public var allowsPrecisionLoss: Bool {
      get { isPrecisionLossAllowed }
      set { isPrecisionLossAllowed = newValue }
    }
    /// The way in which the caller waits for the GPU.
    public var waitType: ThreadWaitType = .passive
    /// Whether quantized models are supported.
    public var isQuantizationEnabled = true

    /// Creates the default options.
    public init() {}
  }
}

/// The way in which a thread waits for the GPU.
public enum ThreadWaitType: Equatable, Hashable {
  /// Does not wait.
  case none
  /// Sleeps until the GPU has finished.
  case passive
  /// Waits with minimal latency, at the cost of CPU time.
  case active
  /// Keeps the GPU from entering sleep mode while waiting.
  case aggressive
}
