/// What a processor, or the system, counts beside the time.
public enum ProcessorCounter: String, Sendable, CaseIterable {
  /// Cycles of the core.
  case cycles
  /// Instructions that were completed.
  case instructions
  /// Accesses that no cache could answer.
  case cacheMisses = "cache_misses"
  /// Pages that were touched for the first time.
  case pageFaults = "page_faults"

  /// The kind and the number that the system has for it (`perf_event_open(2)`).
  var event: (kind: UInt32, number: UInt64) {
    switch self {
    case .cycles: (0, 0)
    case .instructions: (0, 1)
    case .cacheMisses: (0, 3)
    case .pageFaults: (1, 2)
    }
  }
}

/// What could be counted, and why not more.
public struct CounterAvailability: Sendable {
  /// What was counted.
  public let counted: [ProcessorCounter]
  /// Why the others were not, for people; `nil` where there are none.
  public let reason: String?
}
