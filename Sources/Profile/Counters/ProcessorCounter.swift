/// An event that the processor or the system counts.
public enum ProcessorCounter: String, Sendable, CaseIterable {
  /// Cycles of the core.
  case cycles
  /// Retired instructions.
  case instructions
  /// Accesses that missed the last-level cache.
  case cacheMisses = "cache_misses"
  /// Page faults, such as the first access to a page.
  case pageFaults = "page_faults"

  /// The type and the number of the event in `perf_event_open(2)`.
  var event: (kind: UInt32, number: UInt64) {
    switch self {
    case .cycles: (0, 0)
    case .instructions: (0, 1)
    case .cacheMisses: (0, 3)
    case .pageFaults: (1, 2)
    }
  }
}

/// The counters that are available, and why others are not.
public struct CounterAvailability: Sendable {
  /// The events that were counted.
  public let counted: [ProcessorCounter]
  /// The reason why the others were not, as a message; `nil` if all were counted.
  public let reason: String?
}
