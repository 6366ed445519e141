/// The Core ML delegate; here the CPU runs the whole graph, and the log says so.
public final class CoreMLDelegate: Delegate {
  /// The options with which the delegate was created.
  public let options: Options
  /// A valid handle without content.
  public private(set) var cDelegate: CDelegate

  /// Creates a delegate; `nil` if a Neural Engine is required, as on Apple devices without one.
  ///
  /// Apps must handle that case anyway. With `EnabledDevices.all` the delegate is always created.
  public init?(options: Options = Options()) {
    guard options.enabledDevices == .all else { return nil }
    self.options = options
    cDelegate = .makeHandle()
  }

  deinit { cDelegate.deallocate() }
}

extension CoreMLDelegate {
  /// The devices on which the delegate is created.
  public enum EnabledDevices: Equatable, Hashable {
    /// Devices with a Neural Engine.
    case neuralEngine
    /// All devices.
    case all
  }

  /// The options for Core ML.
  public struct Options: Equatable, Hashable {
    /// The devices on which the delegate is created.
    public var enabledDevices: EnabledDevices = .neuralEngine
    /// The version of Core ML; 0 stands for the newest.
    public var coreMLVersion = 0
    /// The maximum number of delegated partitions of a graph; 0 stands for all.
    public var maxDelegatedPartitions = 0
    /// The minimum number of operators in a delegated partition.
    public var minNodesPerPartition = 2

    /// Creates the default options.
    public init() {}
  }
}
