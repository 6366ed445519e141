import OcellusKernelABI
import OcellusKernelDispatch

/// What this machine can do at most, as short loops measured it: products in registers, and reading from each
/// level of its memory.
public struct MachineLimits: Sendable {
  /// A level of the memory.
  public struct Level: Sendable {
    /// `L1`, `L2`, `L3`, or `memory`.
    public let name: String
    /// What all threads together can keep in it; without bounds for the memory.
    public let byteCount: Int
    /// Thousands of millions of bytes that all threads together read from it in a second.
    public let gigabytesPerSecond: Double
  }

  /// What keeps a step from being faster.
  public struct Bound: Sendable, Equatable {
    /// Milliseconds that it takes at the least.
    public let milliseconds: Double
    /// `float products`, `8-bit products`, or the level of the memory that its bytes come from.
    public let name: String
  }

  /// The instruction set whose loops were measured.
  public let instructionSet: String
  /// The threads that shared them.
  public let threads: Int
  /// Thousands of millions of multiply-adds of floats a second.
  public let gigaFloatProducts: Double
  /// Thousands of millions of multiply-adds of 8-bit numbers a second.
  public let gigaByteProducts: Double
  /// The nearest first.
  public let levels: [Level]

  /// Measures the limits of an instruction set by its name.
  ///
  /// Those of the best one where there is none of that name, such as for plain loops; `nil` on a processor
  /// that no kernels run on.
  public init?(instructionSet: String, threads: Int) {
    let tables = KernelTable.available
    guard let table = tables.first(where: { $0.name == instructionSet }) ?? tables.first else {
      return nil
    }
    let measurement = LimitMeasurement(table.inspection.limits, threadCount: threads)
    self.instructionSet = table.name
    self.threads = threads
    gigaFloatProducts = measurement.gigaFloatProducts()
    gigaByteProducts = measurement.gigaByteProducts()
    levels = MemoryLevel.all(threadCount: threads).map { level in
      Level(
        name: level.name, byteCount: level.capacity,
        gigabytesPerSecond: measurement.gigabytesPerSecond(
          readingFrom: level.measuredByteCount / max(threads, 1)))
    }
  }

  /// The names of the instruction sets that can be measured here, best first.
  public static var instructionSets: [String] { KernelTable.available.map(\.name) }

  /// How long a step takes at the least, and why.
  ///
  /// It is limited by its products, or by its bytes, which come from the nearest level that holds them all.
  ///
  /// - Returns: `nil` for one that neither multiplies nor moves anything.
  public func bound(on step: ProfiledStep) -> Bound? {
    bound(
      multiplyAdds: step.multiplyAdds, arithmetic: step.arithmetic, byteCount: step.byteCount,
      callsPerRun: step.callsPerRun)
  }

  /// How many milliseconds so much work takes at the least.
  package func leastMilliseconds(
    multiplyAdds: Int, arithmetic: ProfiledStep.Arithmetic?, byteCount: Int
  ) -> Double? {
    bound(
      multiplyAdds: multiplyAdds, arithmetic: arithmetic, byteCount: byteCount, callsPerRun: 1
    )?.milliseconds
  }

  private func bound(
    multiplyAdds: Int, arithmetic: ProfiledStep.Arithmetic?, byteCount: Int, callsPerRun: Double
  ) -> Bound? {
    // Of a step that runs several times, what one time needs decides where that lies.
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
    case .float: (gigaFloatProducts, "float products")
    case .winogradFloats: (gigaFloatProducts * 36 / 16, "float products")
    case .bytes: (gigaByteProducts, "8-bit products")
    case .winogradBytes: (gigaByteProducts * 36 / 16, "8-bit products")
    case nil: nil
    }
  }
}
