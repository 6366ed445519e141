/// Places memory requests in one arena so that those alive at the same time do not overlap.
///
/// Largest first, each at the lowest offset where it fits: the order the official planner uses
/// too, and within a few percent of the best on real models.
package struct ArenaPlanner {
  /// A piece of memory needed from one step to another, both included.
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
  /// - Returns: its number, for asking where it was placed.
  package mutating func add(_ request: Request) -> Int {
    requests.append(request)
    return requests.count - 1
  }

  /// Keeps a piece for longer, for somebody who shares it.
  package mutating func extend(_ request: Int, toStep lastStep: Int) {
    requests[request].lastStep = max(requests[request].lastStep, lastStep)
  }

  /// Lets one piece live inside another, which is then needed as long as both.
  package mutating func merge(_ part: Int, into whole: Int) {
    requests[whole].firstStep = min(requests[whole].firstStep, requests[part].firstStep)
    requests[whole].lastStep = max(requests[whole].lastStep, requests[part].lastStep)
    requests[part].byteCount = 0
  }

  /// Gives every request its offset.
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

/// The numbers of requests that have their places, in the order of these.
///
/// Most are alive for a few steps: these need not be compared with all, but with those that are alive in the same
/// part of the run.
private struct PlacedRequests {
  private var all: [Int32] = []
  /// The same ones by the parts of the run, each in all parts in which it is alive.
  private var parts: [[Int32]]
  private let stepsPerPart: Int

  init(lifetimesOf requests: [ArenaPlanner.Request]) {
    // Of a hostile model all may be alive in all parts.
    let partCount = max(1, min(64, (1 << 22) / max(requests.count, 1)))
    stepsPerPart = 1 + max(0, requests.lazy.map(\.firstStep).max() ?? 0) / partCount
    parts = Array(repeating: [], count: partCount)
    all.reserveCapacity(requests.count)
  }

  /// The part of a step; the last one has no end.
  private func part(of step: Int) -> Int {
    min(max(0, step) / stepsPerPart, parts.count - 1)
  }

  mutating func insert(_ number: Int, of requests: [ArenaPlanner.Request]) {
    let request = requests[number]
    Self.insert(number, of: requests, into: &all)
    for part in part(of: request.firstStep)...part(of: request.lastStep) {
      Self.insert(number, of: requests, into: &parts[part])
    }
  }

  /// The lowest offset at which a request fits.
  func lowestGap(for number: Int, of requests: [ArenaPlanner.Request]) -> Int {
    let request = requests[number]
    let part = part(of: request.firstStep)
    let placed = part == self.part(of: request.lastStep) ? parts[part] : all
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

  /// Behind those that lie at the same offset or in front of it.
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
