/// A chosen box with its class.
struct FoundBox: BitwiseCopyable {
  var anchor: Int
  /// The class, not counting the background.
  var category = 0
  var score: Float = 0
}

/// The layout of a detection search's scratch memory.
struct DetectionWorkspace: Sendable {
  let byteCount: Int
  private let boxCount: Int
  private let scoresOffset: Int
  private let candidatesOffset: Int
  private let decodedMarksOffset: Int
  private let chosenBoxesOffset: Int
  private let foundOffset: Int
  private let resultsOffset: Int

  init(_ options: DetectionOptions, boxCount: Int) {
    self.boxCount = boxCount
    // The boxes are at offset 0.
    var end = 0
    func reserve(_ count: Int, _ stride: Int) -> Int {
      defer { end = ArenaPlanner.aligned(end + count * stride) }
      return end
    }
    _ = reserve(boxCount, MemoryLayout<CornerBox>.stride)
    scoresOffset = reserve(boxCount, MemoryLayout<Float>.stride)
    candidatesOffset = reserve(boxCount, MemoryLayout<UInt64>.stride)
    decodedMarksOffset = reserve(boxCount, 1)
    let foundCount = min(boxCount, options.maxDetections)
    chosenBoxesOffset = reserve(foundCount, MemoryLayout<CornerBox>.stride)
    foundOffset = reserve(foundCount, MemoryLayout<FoundBox>.stride)
    let classCount = options.usesRegularSuppression ? options.classCount : 1
    resultsOffset = reserve(
      min(saturatingProduct(boxCount, classCount), options.maxDetections),
      MemoryLayout<FoundBox>.stride)
    byteCount = end
  }

  /// Returns the decoded boxes.
  func boxes(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<CornerBox> {
    memory.assumingMemoryBound(to: CornerBox.self)
  }

  /// Returns a flag for each box that tells whether it is decoded.
  func decodedMarks(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
    (memory + decodedMarksOffset).assumingMemoryBound(to: UInt8.self)
  }

  func clearDecodedMarks(in memory: UnsafeMutableRawPointer, _ control: RunControl) {
    (memory + decodedMarksOffset).clear(byteCount: boxCount, unless: control.isOver)
  }

  /// Returns the highest score of each box, in the type of the scores.
  func scores(in memory: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    memory + scoresOffset
  }

  func candidates(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt64> {
    (memory + candidatesOffset).assumingMemoryBound(to: UInt64.self)
  }

  /// Returns the boxes with which later candidates are compared.
  func chosenBoxes(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<CornerBox> {
    (memory + chosenBoxesOffset).assumingMemoryBound(to: CornerBox.self)
  }

  /// Returns the boxes found for one class.
  func found(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<FoundBox> {
    (memory + foundOffset).assumingMemoryBound(to: FoundBox.self)
  }

  /// Returns the best boxes of all classes.
  func results(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<FoundBox> {
    (memory + resultsOffset).assumingMemoryBound(to: FoundBox.self)
  }
}
