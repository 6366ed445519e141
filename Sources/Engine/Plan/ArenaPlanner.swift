/// Places memory requests in one arena so that those alive at the same time do not overlap.
///
/// Requests are placed by decreasing size, each at the lowest offset where it fits. The official
/// planner uses this order too; on real models it comes within a few percent of the optimum.
package struct ArenaPlanner {
  /// Memory that is needed from one step to another, both included.
  package struct Request {
    package var byteCount: Int
    package var firstStep: Int
    package var lastStep: Int
    package var offset = 0

    package init(byteCount: Int, firstStep: Int, lastStep: Int) {
      self.byteCount = byteCount
      self.firstStep = firstStep
      self.lastStep = lastStep
    }
  }

  package private(set) var requests: [Request] = []
  package private(set) var byteCount = 0

  package init() {}

  /// Adds a request.
  ///
  /// - Returns: its index, by which its offset is found after `place()`.
  package mutating func add(_ request: Request) -> Int {
    requests.append(request)
    return requests.count - 1
  }

  /// Extends the lifetime of a request, for another tensor that shares its memory.
  package mutating func extend(_ request: Int, toStep lastStep: Int) {
    requests[request].lastStep = max(requests[request].lastStep, lastStep)
  }

  /// Places one request inside another, whose lifetime then covers both.
  package mutating func merge(_ inner: Int, into outer: Int) {
    requests[outer].firstStep = min(requests[outer].firstStep, requests[inner].firstStep)
    requests[outer].lastStep = max(requests[outer].lastStep, requests[inner].lastStep)
    requests[inner].byteCount = 0
  }

  /// Assigns an offset to every request.
  package mutating func place() {
    let order = requests.indices.sorted {
      let (a, b) = (requests[$0].byteCount, requests[$1].byteCount)
      return a != b ? a > b : $0 < $1
    }
    var placed = PlacedRequests(lifetimesOf: requests)
    for index in order where requests[index].byteCount > 0 {
      requests[index].offset = placed.lowestGap(for: index, of: requests)
      placed.insert(index, of: requests)
      byteCount = max(byteCount, requests[index].offset + requests[index].byteCount)
    }
  }

  package static func aligned(_ offset: Int) -> Int {
    (offset + MemoryBlock.alignment - 1) & ~(MemoryBlock.alignment - 1)
  }
}

/// The indices of the requests that have an offset, sorted by offset.
///
/// Most requests are alive for a few steps only. Each is compared only with the requests that are
/// alive in the same range of steps.
private struct PlacedRequests {
  private var all: [Int32] = []
  /// The same indices by range of steps; each request is in all ranges in which it is alive.
  private var indicesByRange: [[Int32]]
  private let stepsPerRange: Int

  init(lifetimesOf requests: [ArenaPlanner.Request]) {
    // In a hostile model all requests may be alive in all ranges, which bounds the number of
    // ranges.
    let rangeCount = max(1, min(64, (1 << 22) / max(requests.count, 1)))
    stepsPerRange = 1 + max(0, requests.lazy.map(\.firstStep).max() ?? 0) / rangeCount
    indicesByRange = Array(repeating: [], count: rangeCount)
    all.reserveCapacity(requests.count)
  }

  /// Returns the range that contains a step; the last range has no end.
  private func rangeIndex(of step: Int) -> Int {
    min(max(0, step) / stepsPerRange, indicesByRange.count - 1)
  }

  mutating func insert(_ number: Int, of requests: [ArenaPlanner.Request]) {
    let request = requests[number]
    Self.insert(number, of: requests, into: &all)
    for index in rangeIndex(of: request.firstStep)...rangeIndex(of: request.lastStep) {
      Self.insert(number, of: requests, into: &indicesByRange[index])
    }
  }

  /// Returns the lowest offset at which a request fits.
  func lowestGap(for number: Int, of requests: [ArenaPlanner.Request]) -> Int {
    let request = requests[number]
    let index = rangeIndex(of: request.firstStep)
    let placed = index == self.rangeIndex(of: request.lastStep) ? indicesByRange[index] : all
    var offset = 0
    for other in placed {
      let other = requests[Int(other)]
      guard other.firstStep <= request.lastStep && request.firstStep <= other.lastStep else {
        continue
      }
      if other.offset >= offset + request.byteCount { break }
      offset = max(offset, ArenaPlanner.aligned(other.offset + other.byteCount))
    }
    return offset
  }

  /// Inserts a request after all requests at the same or a lower offset.
  private static func insert(
    _ number: Int, of requests: [ArenaPlanner.Request], into placed: inout [Int32]
  ) {
    let offset = requests[number].offset
    var (low, high) = (0, placed.count)
    while low < high {
      let middle = (low + high) / 2
      if requests[Int(placed[middle])].offset > offset { high = middle } else { low = middle + 1 }
    }
    placed.insert(Int32(number), at: low)
  }
}
