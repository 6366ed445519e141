/// An output of a network of which only the ends of each element's range are known.
package struct OutputRange: Sendable {
  package let name: String
  package let shape: [Int]
  /// The smallest value that each element can have.
  package let lows: [Float]
  /// The largest.
  package let highs: [Float]

  package init(name: String, shape: [Int], lows: [Float], highs: [Float]) {
    precondition(lows.count == highs.count, "a range has two ends")
    (self.name, self.shape, self.lows, self.highs) = (name, shape, lows, highs)
  }

  /// Creates an output whose elements are known.
  package init(name: String, shape: [Int], exact numbers: [Float]) {
    self.init(name: name, shape: shape, lows: numbers, highs: numbers)
  }

  package var count: Int { lows.count }
  /// Whether every element is known.
  package var isExact: Bool { lows == highs }
  /// Whether no element may be infinite or no number.
  package var isFinite: Bool { lows.allSatisfy(\.isFinite) && highs.allSatisfy(\.isFinite) }

  /// The largest magnitude of an element.
  package var largest: Float { zip(lows, highs).reduce(0) { max($0, abs($1.0), abs($1.1)) } }

  /// Returns the range in which every element may be off by an amount in addition.
  package func widened(by amount: Float) -> OutputRange {
    OutputRange(
      name: name, shape: shape, lows: lows.map { ($0 - amount).nextDown },
      highs: highs.map { ($0 + amount).nextUp })
  }
}

/// What an element of an output is for, which tells how candidates depend on it.
enum ElementRole: UInt8 {
  /// Scores do not fall when it rises.
  case score
  /// No edge of a box falls when it rises.
  case position
  /// Each edge goes in one direction when it rises: apart, or with it.
  case size
  /// Neither scores nor boxes depend on it.
  case other
}

/// A choice of one end for each element of the outputs.
///
/// Between them, candidates are as good and as bad, and boxes reach as far, as they can.
enum RangeCorner: CaseIterable {
  /// Candidates are worst.
  case worst
  /// Candidates are best, and boxes are large and far from the upper left corner.
  case best
  /// Candidates are best; boxes are small, or large, and near the corner or far from it.
  case smallNear, largeNear, smallFar

  /// The corners in which scores are best, which therefore have the same candidates.
  static let withBestScores: [RangeCorner] = [.best, .smallNear, .largeNear, .smallFar]

  /// Whether the element is at the upper end of its range.
  func isHigh(_ role: ElementRole) -> Bool {
    switch role {
    case .score: self != .worst
    case .position: self == .best || self == .smallFar
    case .size: self == .best || self == .largeNear
    case .other: true
    }
  }
}

extension [OutputRange] {
  /// Calls `body` with the outputs in a corner; their numbers are valid while it runs.
  func withOutputs<Result>(
    in corner: RangeCorner, _ roles: [[ElementRole]],
    _ body: ([OutputTensor]) throws(VisionError) -> Result
  ) throws(VisionError) -> Result {
    var numbers: [Float] = []
    numbers.reserveCapacity(reduce(0) { $0 + $1.count })
    for (output, roles) in zip(self, roles) {
      for element in 0..<output.count {
        numbers.append(
          corner.isHigh(roles[element]) ? output.highs[element] : output.lows[element])
      }
    }
    let result = numbers.withUnsafeBufferPointer { all -> Swift.Result<Result, VisionError> in
      var first = 0
      let tensors = map { output in
        defer { first += output.count }
        return OutputTensor(
          name: output.name, shape: output.shape,
          values: UnsafeBufferPointer(rebasing: all[first..<first + output.count]))
      }
      do throws(VisionError) { return .success(try body(tensors)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
