/// What other work on the machine did during one run.
public struct Interference: Sendable, Equatable {
  /// The duration of the run in milliseconds.
  public var milliseconds: Double
  /// The number of times that a thread of the run had to leave its processor to others.
  public var involuntarySwitches: Int
  /// The milliseconds of the run in which its thread had no processor: it waited for its turn, or
  /// for memory; 0 for several threads, which also wait for each other.
  public var waitingMilliseconds: Double
  /// The share of the time around the run that the hypervisor gave to other machines.
  public var stolenShare: Double

  /// Describes a run.
  public init(
    milliseconds: Double, involuntarySwitches: Int = 0, waitingMilliseconds: Double = 0,
    stolenShare: Double = 0
  ) {
    self.milliseconds = milliseconds
    self.involuntarySwitches = involuntarySwitches
    self.waitingMilliseconds = waitingMilliseconds
    self.stolenShare = stolenShare
  }

  /// The milliseconds of a run for which one involuntary switch is tolerated.
  ///
  /// A program that competes for the processor causes a switch every few milliseconds, the kernel's
  /// own threads cause some each second. A shorter run tolerates none.
  private static let millisecondsPerSwitch = 50.0
  private static let maximumLostShare = 0.05

  /// Whether the run's time says more about other work than about the model.
  public var isDisturbed: Bool {
    let ownMilliseconds = milliseconds - waitingMilliseconds
    return Double(involuntarySwitches)
      > (ownMilliseconds / Self.millisecondsPerSwitch).rounded(.down)
      || waitingMilliseconds > Self.maximumLostShare * milliseconds
      || stolenShare > Self.maximumLostShare
  }

  /// Returns the fastest of some passes, or of more if other work interrupted all of them.
  ///
  /// If one pass was undisturbed, so is the result, even if a disturbed one was as fast.
  package static func fastest(of count: Int, atMost maximumCount: Int, _ pass: () -> Self) -> Self {
    var best = pass()
    var passes = 1
    var isDisturbed = best.isDisturbed
    while passes < count || isDisturbed && passes < maximumCount {
      let next = pass()
      passes += 1
      isDisturbed = isDisturbed && next.isDisturbed
      if next.milliseconds < best.milliseconds { best = next }
    }
    return isDisturbed ? best : Self(milliseconds: best.milliseconds)
  }
}
