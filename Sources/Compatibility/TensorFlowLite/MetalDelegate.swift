/// Hands a graph to the GPU of Apple's systems; here the processor runs all of it, and the log says so.
public final class MetalDelegate: Delegate {
  /// What the delegate was made with.
  public let options: Options
  /// A handle that is there, and leads nowhere.
  public private(set) var cDelegate: CDelegate

  /// Makes a delegate.
  public init(options: Options = Options()) {
    self.options = options
    cDelegate = .makeHandle()
  }

  deinit { cDelegate.deallocate() }
}

extension MetalDelegate {
  /// How the GPU would be used.
  public struct Options: Equatable, Hashable {
    /// Whether it may compute in half precision.
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
    /// How the caller waits for it.
    public var waitType: ThreadWaitType = .passive
    /// Whether it runs quantized models.
    public var isQuantizationEnabled = true

    /// The default options.
    public init() {}
  }
}

/// How a thread waits for the GPU.
public enum ThreadWaitType: Equatable, Hashable {
  /// Not at all.
  case none
  /// Asleep.
  case passive
  /// Awake for a while.
  case active
  /// Awake all the time.
  case aggressive
}
