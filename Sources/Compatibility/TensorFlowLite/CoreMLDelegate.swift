/// Hands a graph to Core ML on Apple's systems; here the processor runs all of it, and the log says so.
public final class CoreMLDelegate: Delegate {
  /// What the delegate was made with.
  public let options: Options
  /// A handle that is there, and leads nowhere.
  public private(set) var cDelegate: CDelegate

  /// Makes a delegate; `nil` where a neural engine is wanted, as on Apple's systems without one.
  ///
  /// Programs have code for that case, as most devices had none; `EnabledDevices.all` is always made.
  public init?(options: Options = Options()) {
    guard options.enabledDevices == .all else { return nil }
    self.options = options
    cDelegate = .makeHandle()
  }

  deinit { cDelegate.deallocate() }
}

extension CoreMLDelegate {
  /// On which devices the delegate is made.
  public enum EnabledDevices: Equatable, Hashable {
    /// Those with a neural engine.
    case neuralEngine
    /// All.
    case all
  }

  /// How Core ML would be used.
  public struct Options: Equatable, Hashable {
    /// On which devices the delegate is made.
    public var enabledDevices: EnabledDevices = .neuralEngine
    /// The version of Core ML; 0 is the newest.
    public var coreMLVersion = 0
    /// The most parts of a graph that it is handed; 0 is all.
    public var maxDelegatedPartitions = 0
    /// The least operators of such a part.
    public var minNodesPerPartition = 2

    /// The default options.
    public init() {}
  }
}
