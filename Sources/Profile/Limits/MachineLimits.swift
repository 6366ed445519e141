import OcellusKernelABI
import OcellusKernelDispatch

/// The peak rates of this machine, measured with short loops.
///
/// They are the multiply-adds in registers and the read bandwidth of each level of the memory
/// hierarchy.
public struct MachineLimits: Sendable {
  /// A level of the memory hierarchy.
  public struct Level: Sendable {
    /// `L1`, `L2`, `L3`, or `memory`.
    public let name: String
    /// The capacity for all threads together in bytes; unbounded for the main memory.
    public let byteCount: Int
    /// The read bandwidth of all threads together, in gigabytes (10⁹ bytes) per second.
    public let gigabytesPerSecond: Double

    /// Makes a level by hand.
    package init(name: String, byteCount: Int, gigabytesPerSecond: Double) {
      self.name = name
      self.byteCount = byteCount
      self.gigabytesPerSecond = gigabytesPerSecond
    }
  }

  /// A lower bound on the time of a step.
  public struct Bound: Sendable, Equatable {
    /// The minimum time in milliseconds.
    public let milliseconds: Double
    /// The limiting rate: `float products`, `8-bit products`, or the name of a memory level.
    public let name: String
  }

  /// The instruction set whose loops were measured.
  public let instructionSet: String
  /// The number of threads that ran the loops.
  public let threads: Int
  /// The rate of float multiply-adds, in 10⁹ per second.
  public let gigaFloatMultiplyAdds: Double
  /// The rate of 8-bit multiply-adds, in 10⁹ per second.
  public let gigaByteMultiplyAdds: Double
  /// The memory levels, nearest first.
  public let levels: [Level]
  /// Whether other work interrupted the loops, so that the machine can do more than this.
  public let isDisturbed: Bool

  /// Makes limits by hand.
  package init(
    instructionSet: String, threads: Int, gigaFloatMultiplyAdds: Double,
    gigaByteMultiplyAdds: Double, levels: [Level], isDisturbed: Bool
  ) {
    self.instructionSet = instructionSet
    self.threads = threads
    self.gigaFloatMultiplyAdds = gigaFloatMultiplyAdds
    self.gigaByteMultiplyAdds = gigaByteMultiplyAdds
    self.levels = levels
    self.isDisturbed = isDisturbed
  }

  /// Measures the limits of an instruction set by its name.
  ///
  /// An unknown name, such as that of the reference kernels, stands for the best instruction set.
  /// Returns `nil` on a processor that no kernels support.
  public init?(instructionSet: String, threads: Int) {
    let tables = KernelTable.available
    guard let table = tables.first(where: { $0.name == instructionSet }) ?? tables.first else {
      return nil
    }
    var measurement = LimitMeasurement(table.inspection.limits, threadCount: threads)
    self.instructionSet = table.name
    self.threads = threads
    gigaFloatMultiplyAdds = measurement.gigaFloatMultiplyAdds()
    gigaByteMultiplyAdds = measurement.gigaByteMultiplyAdds()
    levels = MemoryLevel.all(threadCount: threads).map { level in
      Level(
        name: level.name, byteCount: level.capacity,
        gigabytesPerSecond: measurement.gigabytesPerSecond(
          readingFrom: level.measuredByteCount / max(threads, 1)))
    }
    isDisturbed = measurement.isDisturbed
  }

  /// The names of the instruction sets that can be measured on this processor, best first.
  public static var instructionSets: [String] { KernelTable.available.map(\.name) }

  /// Returns the minimum time of a step and its cause.
  ///
  /// A step is limited by its multiply-adds, or by its bytes, which the nearest level that can hold
  /// them provides.
  ///
  /// - Returns: `nil` for a step that neither multiplies nor copies anything.
  public func bound(on step: ProfiledStep) -> Bound? {
    bound(
      multiplyAdds: step.multiplyAdds, arithmetic: step.arithmetic, byteCount: step.byteCount,
      callsPerRun: step.callsPerRun)
  }

  /// Returns the minimum time of a task in milliseconds.
  package func minimumMilliseconds(
    multiplyAdds: Int, arithmetic: ProfiledStep.Arithmetic?, byteCount: Int
  ) -> Double? {
    bound(
      multiplyAdds: multiplyAdds, arithmetic: arithmetic, byteCount: byteCount, callsPerRun: 1
    )?.milliseconds
  }

  private func bound(
    multiplyAdds: Int, arithmetic: ProfiledStep.Arithmetic?, byteCount: Int, callsPerRun: Double
  ) -> Bound? {
    // For a step that runs several times, the bytes of one call decide which level holds them.
    let perCall = Double(byteCount) / max(callsPerRun, 1)
    let level = levels.first { Double($0.byteCount) >= perCall }
    var bounds: [Bound] = []
    if let level, byteCount > 0 {
      let time = Double(byteCount) / level.gigabytesPerSecond / 1e6
      bounds.append(Bound(milliseconds: time, name: level.name))
    }
    if let rate = peak(of: arithmetic), multiplyAdds > 0 {
      bounds.append(Bound(milliseconds: Double(multiplyAdds) / rate.rate / 1e6, name: rate.name))
    }
    return bounds.max { $0.milliseconds < $1.milliseconds }
  }

  private func peak(of arithmetic: ProfiledStep.Arithmetic?) -> (rate: Double, name: String)? {
    switch arithmetic {
    case .float: (gigaFloatMultiplyAdds, "float products")
    case .winogradFloats: (gigaFloatMultiplyAdds * 36 / 16, "float products")
    case .bytes: (gigaByteMultiplyAdds, "8-bit products")
    case .winogradBytes: (gigaByteMultiplyAdds * 36 / 16, "8-bit products")
    case nil: nil
    }
  }
}
