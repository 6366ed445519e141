/// The shortest time that some steps could take, compared with the time that they took.
///
/// This is the one definition of *of limit*: the sum of the limits, divided by the sum of the times
/// of the same steps. Steps without a limit, or whose times are noise, are in neither sum.
public struct LimitShare: Sendable, Equatable {
  /// The sum of the limits in milliseconds.
  public private(set) var limitMilliseconds = 0.0
  /// The sum of the times of the steps that have a limit, in milliseconds.
  public private(set) var milliseconds = 0.0

  /// Makes the share of no steps.
  public init() {}

  /// Adds a step, which may have no limit.
  public mutating func add(limit: Double?, milliseconds: Double) {
    guard let limit, milliseconds > 0 else { return }
    limitMilliseconds += limit
    self.milliseconds += milliseconds
  }

  /// The limit as a share of the time; `nil` if no step has a limit.
  public var share: Double? { milliseconds > 0 ? limitMilliseconds / milliseconds : nil }
}

extension MachineLimits {
  /// Returns the limit of some steps as a share of their median times.
  public func share(of steps: some Sequence<ProfiledStep>) -> LimitShare {
    steps.reduce(into: LimitShare()) { share, step in
      guard !step.time.isNoise else { return }
      share.add(limit: bound(on: step)?.milliseconds, milliseconds: step.time.median)
    }
  }
}
