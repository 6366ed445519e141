import OcellusEngine
package import OcellusModelFile
import OcellusPlatform

/// Makes a model small that has a property, such as that a command fails with it.
///
/// Each step proposes smaller models; what keeps the property replaces the model. If the original
/// can be planned, so can all that follow: the property is then not that of a broken file.
package final class Reducer {
  /// Tells whether a model file has the property.
  package typealias Property = (_ file: [UInt8]) throws -> Bool

  /// What is known while a reduction runs.
  package struct Progress: Sendable {
    /// What is being left out.
    package let step: String
    package let trialCount: Int
    package let nodeCount: Int
    package let byteCount: Int
  }

  /// The smallest model so far that has the property.
  package private(set) var model: ModelWriter
  /// The number of files that were tried.
  package private(set) var trialCount = 0
  /// Whether time ran out before nothing could be left out any more.
  package private(set) var isOutOfTime = false

  private let holds: Property
  private let report: (Progress) -> Void
  private let deadline: Double
  private let start = MonotonicTime.now
  private let mustBePlanned: Bool
  /// The outcomes of files that were tried, by their hashes: steps propose some files repeatedly.
  private var outcomes: [[UInt8]: Bool] = [:]
  private var step = ""

  private struct TimeIsUp: Error {}

  /// Prepares to reduce a model.
  ///
  /// - Parameters:
  ///   - file: The model.
  ///   - seconds: The time after which the smallest model so far is the result.
  ///   - report: Called before each trial.
  ///   - holds: The property.
  /// - Throws: an error if the model cannot be written anew.
  package init(
    _ file: ModelFile, seconds: Double = .infinity, report: @escaping (Progress) -> Void = { _ in },
    while holds: @escaping Property
  ) throws {
    model = try ModelWriter(copying: file)
    deadline = seconds
    self.report = report
    self.holds = holds
    mustBePlanned = Self.canBePlanned(model.bytes())
  }

  /// Leaves out what can be left out.
  ///
  /// - Returns: `false` if not even the whole model, written anew, has the property.
  package func reduce() throws -> Bool {
    step = "the whole model"
    do {
      guard try keeps(model) else { return false }
      try leaveOutWhatIsNotRun()
      var before = ModelWriter(subgraphs: [])
      while before != model {
        before = model
        try leaveOutSubgraphs()
        try leaveOutNodes()
        try leaveOutOutputs()
        try shrinkExtents()
        try clearConstants()
        try clearOptions()
      }
    } catch is TimeIsUp {
      isOutOfTime = true
    }
    return true
  }

  // MARK: Trials

  /// Replaces the model by a smaller one if that has the property.
  private func accept(_ smaller: ModelWriter?) throws -> Bool {
    guard let smaller, smaller != model, try keeps(smaller) else { return false }
    model = smaller
    return true
  }

  private func keeps(_ candidate: ModelWriter) throws -> Bool {
    guard start.secondsToNow < deadline else { throw TimeIsUp() }
    let file = candidate.bytes()
    let hash = SHA256.hash(file)
    if let known = outcomes[hash] { return known }
    guard !mustBePlanned || Self.canBePlanned(file) else {
      outcomes[hash] = false
      return false
    }
    trialCount += 1
    report(
      Progress(
        step: step, trialCount: trialCount,
        nodeCount: model.subgraphs.reduce(0) { $0 + $1.operators.count },
        byteCount: file.count))
    let outcome = try holds(file)
    outcomes[hash] = outcome
    return outcome
  }

  private static func canBePlanned(_ file: [UInt8]) -> Bool {
    guard let model = try? Model(bytes: file), let interpreter = try? Interpreter(model) else {
      return false
    }
    return (try? interpreter.allocate()) != nil
  }

  // MARK: Steps

  private func leaveOutWhatIsNotRun() throws {
    step = "signatures and metadata"
    _ = try accept(ModelWriter(description: "", subgraphs: model.subgraphs))
  }

  /// Tries whether a called subgraph has the property by itself.
  private func leaveOutSubgraphs() throws {
    step = "subgraphs"
    for index in model.subgraphs.indices.dropFirst().reversed()
    where model.subgraphs.indices.contains(index) {
      let nodes = Array(model.subgraphs[index].operators.indices)
      if try accept(model.keeping(nodes: nodes, ofSubgraph: index)) { return }
    }
  }

  private func leaveOutNodes() throws {
    step = "nodes"
    let whole = model
    let all = Array(whole.subgraphs[0].operators.indices)
    _ = try smallestPart(of: all) { nodes in
      let candidate = whole.keeping(nodes: nodes)
      guard try keeps(candidate) else { return false }
      model = candidate
      return true
    }
  }

  private func leaveOutOutputs() throws {
    step = "outputs"
    for output in model.subgraphs[0].outputs where model.subgraphs[0].outputs.count > 1 {
      var candidate = model
      candidate.subgraphs[0].outputs.removeAll { $0 == output }
      _ = try accept(candidate)
    }
  }

  private func shrinkExtents() throws {
    step = "extents"
    for extent in model.extents {
      for smaller in Self.smallerExtents(than: extent) {
        if try accept(model.replacing(extent: extent, by: smaller)) { break }
      }
    }
  }

  /// The smallest ones first, then those that leave half or more.
  private static func smallerExtents(than extent: Int) -> [Int] {
    var extents = [1, 2, 3, 4, 8, 16].filter { $0 < extent }
    var half = extent / 2
    var more: [Int] = []
    while half > 16 {
      more.insert(half, at: 0)
      half /= 2
    }
    extents += more
    if extent > 17 { extents.append(extent - 1) }
    return extents
  }

  /// Sets constants to zero: whatever is left matters.
  private func clearConstants() throws {
    step = "constants"
    for subgraph in model.subgraphs.indices {
      for tensor in model.subgraphs[subgraph].tensors.indices {
        guard let bytes = model.subgraphs[subgraph].tensors[tensor].constant,
          bytes.contains(where: { $0 != 0 }),
          model.subgraphs[subgraph].tensors[tensor].type != .string
        else { continue }
        var candidate = model
        candidate.subgraphs[subgraph].tensors[tensor].constant = Array(
          repeating: 0, count: bytes.count)
        _ = try accept(candidate)
      }
    }
  }

  /// Sets options to their defaults.
  private func clearOptions() throws {
    step = "options"
    for subgraph in model.subgraphs.indices {
      for node in model.subgraphs[subgraph].operators.indices {
        for field in (model.subgraphs[subgraph].operators[node].options?.fields ?? [:]).keys
          .sorted()
        {
          var candidate = model
          candidate.subgraphs[subgraph].operators[node].options?.fields[field] = nil
          _ = try accept(candidate)
        }
      }
    }
  }
}
