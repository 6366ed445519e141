import OcellusKernelABI

/// The selection of detections in preallocated scratch memory, with the results of
/// `DetectionSelection`.
///
/// Candidates are in a heap ordered by score, which avoids sorting those that are never visited.
/// Each candidate is compared with the boxes chosen before it, which is equivalent to removing all
/// that a chosen box overlaps.
struct DetectionSearch: Sendable {
  /// The addresses of operands and results.
  struct Tensors {
    var encodings: UnsafeRawPointer
    var scores: UnsafeRawPointer
    var anchors: UnsafeRawPointer
    /// The scores by byte value; `nil` for float scores.
    var byteScores: UnsafePointer<Float>?
    var boxes: UnsafeMutablePointer<CornerBox>
    var categories: UnsafeMutablePointer<Float>
    var detectedScores: UnsafeMutablePointer<Float>
    var count: UnsafeMutablePointer<Float>
  }

  let options: DetectionOptions
  let boxCount: Int
  let columnCount: Int
  let encodingFormat: BoxEncodings.Format
  let anchorFormat: BoxEncodings.Format
  let workspace: DetectionWorkspace
  private let bestScores: Reductions.Kernel

  init(
    options: DetectionOptions, boxCount: Int, columnCount: Int,
    encodingFormat: BoxEncodings.Format, anchorFormat: BoxEncodings.Format, hasByteScores: Bool,
    reductions: Reductions
  ) {
    self.options = options
    self.boxCount = boxCount
    self.columnCount = columnCount
    self.encodingFormat = encodingFormat
    self.anchorFormat = anchorFormat
    bestScores = hasByteScores ? reductions.maximumUInt8 : reductions.maximumFloat
    workspace = DetectionWorkspace(options, boxCount: boxCount)
  }

  func run(_ tensors: Tensors, in memory: UnsafeMutableRawPointer, _ workers: WorkersReference) {
    let control = workers.control
    workspace.clearDecodedMarks(in: memory, control)
    var work = StoppableWork(control)
    let count =
      options.usesRegularSuppression
      ? findBestOfEachClass(tensors, memory, control, &work)
      : findBestOfAllClasses(tensors, memory, workers, &work)
    let found = workspace.results(in: memory)
    for row in 0..<count {
      if work.isOver(after: 32) { return }
      tensors.boxes[row] = box(found[row].anchor, tensors, memory)
      tensors.categories[row] = Float(found[row].category)
      tensors.detectedScores[row] = found[row].score
    }
    tensors.count[0] = Float(count)
  }

  /// The column of the first class, after the background's if there is one.
  private var firstColumn: Int { columnCount - options.classCount }

  @inline(__always)
  private func score(_ box: Int, _ category: Int, _ tensors: Tensors) -> Float {
    let index = box * columnCount + firstColumn + category
    if let scores = tensors.byteScores {
      return scores[Int(tensors.scores.load(fromByteOffset: index, as: UInt8.self))]
    }
    return tensors.scores.load(fromByteOffset: index * 4, as: Float.self)
  }

  // MARK: All classes at once

  private func findBestOfAllClasses(
    _ tensors: Tensors, _ memory: UnsafeMutableRawPointer, _ workers: WorkersReference,
    _ work: inout StoppableWork
  ) -> Int {
    let best = workspace.scores(in: memory)
    let elementWidth = tensors.byteScores == nil ? 4 : 1
    let boxesAtOnce = max((1 << 22) / columnCount, 1)
    workers.forEachSlice(of: 0..<boxCount, length: boxesAtOnce) { boxes in
      bestScores(
        ReductionArguments(
          input: tensors.scores + firstColumn * elementWidth, output: best, outer: boxes,
          outerCount: boxCount, outerStride: columnCount, reducedCount: options.classCount,
          innerCount: 1, initial: tensors.byteScores == nil ? -.infinity : 0))
    }
    var heap = CandidateHeap(workspace.candidates(in: memory))
    for boxes in workers.chunks(of: boxCount, workOfEach: 2) {
      for box in boxes {
        let score =
          tensors.byteScores.map { $0[Int(best.load(fromByteOffset: box, as: UInt8.self))] }
          ?? best.load(fromByteOffset: box * 4, as: Float.self)
        if score >= options.scoreThreshold { heap.append(score: score, box: box) }
      }
    }
    let found = workspace.results(in: memory)
    heap.order(workers.control)
    let count = suppress(&heap, limit: options.maxDetections, to: found, tensors, memory, &work)
    for index in 0..<count {
      if work.isOver(after: options.classCount) { return 0 }
      let category = bestClass(of: found[index].anchor, tensors)
      found[index].category = category
      found[index].score = score(found[index].anchor, category, tensors)
    }
    return count
  }

  /// Returns the first class with the highest score; NaN is ignored.
  private func bestClass(of box: Int, _ tensors: Tensors) -> Int {
    var best = 0
    var highest = -Float.infinity
    for category in 0..<options.classCount {
      let score = score(box, category, tensors)
      if score > highest { (best, highest) = (category, score) }
    }
    return best
  }

  // MARK: Class by class

  private func findBestOfEachClass(
    _ tensors: Tensors, _ memory: UnsafeMutableRawPointer, _ control: RunControl,
    _ work: inout StoppableWork
  ) -> Int {
    let limit = min(options.detectionsPerClass, options.maxDetections)
    let results = workspace.results(in: memory)
    var count = 0
    for category in 0..<options.classCount {
      if work.isOver(after: 2 * boxCount) { return 0 }
      // Candidates that do not exceed the last entry of a full list cannot enter it.
      let isFull = count == options.maxDetections
      let last = isFull ? results[count - 1].score : -.infinity
      var heap = CandidateHeap(workspace.candidates(in: memory))
      for boxes in StoppableChunks(of: boxCount, workOfEach: 2, control) {
        for box in boxes {
          let score = score(box, category, tensors)
          if score >= options.scoreThreshold && (!isFull || score > last) {
            heap.append(score: score, box: box)
          }
        }
      }
      guard heap.count > 0 else { continue }
      let found = workspace.found(in: memory)
      heap.order(control)
      let foundCount = suppress(&heap, limit: limit, to: found, tensors, memory, &work)
      for index in 0..<foundCount {
        if work.isOver(after: 2) { return 0 }
        found[index].category = category
        found[index].score = score(found[index].anchor, category, tensors)
      }
      if work.isOver(after: 2 * (count + foundCount)) { return 0 }
      count = merge(found, foundCount, into: results, count)
    }
    return count
  }

  /// Merges two descending lists from their ends; at equal scores, `results` come first.
  private func merge(
    _ found: UnsafeMutablePointer<FoundBox>, _ foundCount: Int,
    into results: UnsafeMutablePointer<FoundBox>, _ count: Int
  ) -> Int {
    var (left, right) = (count, foundCount)
    while left + right > 0 {
      let isFoundNext =
        left == 0 || (right > 0 && !(found[right - 1].score > results[left - 1].score))
      let target = left + right - 1
      if isFoundNext { right -= 1 } else { left -= 1 }
      if target < options.maxDetections {
        results[target] = isFoundNext ? found[right] : results[left]
      }
    }
    return min(count + foundCount, options.maxDetections)
  }

  // MARK: Suppression

  /// Takes the best candidates from a heap that do not overlap better ones too much.
  private func suppress(
    _ heap: inout CandidateHeap, limit: Int, to found: UnsafeMutablePointer<FoundBox>,
    _ tensors: Tensors, _ memory: UnsafeMutableRawPointer, _ work: inout StoppableWork
  ) -> Int {
    let chosen = workspace.chosenBoxes(in: memory)
    var count = 0
    while count < limit, let candidate = heap.popFirst() {
      if work.isOver(after: 16 + 4 * count) { return count }
      let box = box(candidate, tensors, memory)
      var isSuppressed = false
      for index in 0..<count where !isSuppressed {
        isSuppressed = chosen[index].intersectionOverUnion(with: box) > options.overlapThreshold
      }
      if isSuppressed { continue }
      chosen[count] = box
      found[count] = FoundBox(anchor: candidate)
      count += 1
    }
    return count
  }

  /// Returns the box of an anchor, decoded on first use.
  private func box(
    _ index: Int, _ tensors: Tensors, _ memory: UnsafeMutableRawPointer
  ) -> CornerBox {
    let boxes = workspace.boxes(in: memory)
    let isDecoded = workspace.decodedMarks(in: memory)
    if isDecoded[index] == 0 {
      let encodings = BoxEncodings(numbers: tensors.encodings, format: encodingFormat)
      let anchors = BoxEncodings(numbers: tensors.anchors, format: anchorFormat)
      boxes[index] = CornerBox(encodings[index], anchor: anchors[index], options)
      isDecoded[index] = 1
    }
    return boxes[index]
  }
}
