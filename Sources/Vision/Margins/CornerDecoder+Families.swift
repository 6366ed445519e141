import OcellusPlatform

extension BoxLayout {
  /// Returns the role of one of a box's four numbers.
  func role(of number: Int) -> ElementRole {
    // A right edge is the sum of a left edge and a width, so only centres have sizes apart.
    kind == .center && (positions[2] == number || positions[3] == number) ? .size : .position
  }
}

extension AnchorDecoder: CornerDecoder {
  /// Turns classes that exclude each other into probabilities, each with a range of its own.
  func uncoupled(_ outputs: [OutputRange]) -> (AnchorDecoder, [OutputRange]) {
    guard activation == .softmax, !outputs.allSatisfy(\.isExact) else { return (self, outputs) }
    var (decoder, probable) = (self, outputs)
    decoder.activation = .none
    for (boxes, scores) in zip(boxOutputs, scoreOutputs) {
      let output = outputs[scores]
      let rows = boxNumbers.map { outputs[boxes].count / $0 } ?? 0
      let columns = rows == 0 ? output.shape.last ?? 1 : output.count / rows
      probable[scores] = output.softmax(of: max(columns, 1))
    }
    return (decoder, probable)
  }

  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole {
    if boxOutputs.contains(index) {
      return switch element % max(boxNumbers ?? output.shape.last ?? 4, 1) {
      case 0, 1: .position
      case 2, 3: .size
      default: .other
      }
    }
    return scoreOutputs.contains(index) || qualityOutputs.contains(index) ? .score : .other
  }
}

extension OutputRange {
  /// Returns the ranges of the softmax over rows of `columns` numbers.
  fileprivate func softmax(of columns: Int) -> OutputRange {
    var (least, most) = (lows, highs)
    for row in 0..<count / columns {
      let places = row * columns..<(row + 1) * columns
      let largest = Double(highs[places].max() ?? 0)
      let low = places.map { exponential(Double(lows[$0]) - largest) }
      let high = places.map { exponential(Double(highs[$0]) - largest) }
      let (lowSum, highSum) = (low.reduce(0, +), high.reduce(0, +))
      // The sums are off by this much, and so is a difference of sums.
      let error = Double(columns + 2) * 0x1p-50 * highSum
      for (column, place) in places.enumerated() {
        let (mine, others) = (low[column], max(highSum - high[column], 0) + error)
        least[place] = Float(mine / (mine + others)).nextDown
        let (best, rest) = (high[column], max(lowSum - low[column] - error, 0))
        most[place] = Float(best / (best + rest)).nextUp
      }
    }
    return OutputRange(name: name, shape: shape, lows: least, highs: most)
  }
}

extension YOLORowsDecoder: CornerDecoder {
  private var firstClass: Int { family == .v8 ? 4 : 5 }
  private var columnCount: Int { firstClass + classes + extras.count }

  var picksBestClass: Bool { true }
  var multipliesElements: Bool { true }

  func settled(in outputs: [OutputTensor]) throws(VisionError) -> YOLORowsDecoder {
    var settled = self
    let rows = try OutputRows(outputs[boxOutput], columns: columnCount, isTransposed: isTransposed)
    settled.settledLayout = layout(rows)
    return settled
  }

  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole {
    guard index == boxOutput else { return .other }
    let column =
      isTransposed ? element / max(output.count / columnCount, 1) : element % columnCount
    switch column {
    case 0..<4:
      return family == .yolox
        ? (column < 2 ? .position : .size) : (settledLayout ?? .center).role(of: column)
    case ..<(firstClass + classes): return .score
    default: return .other
    }
  }

  func categories(of candidate: Candidate, in outputs: [OutputRange]) -> [Int] {
    guard let row = candidate.origin?.index else { return [candidate.category] }
    let rows = outputs[boxOutput].count / columnCount
    return outputs.best(of: firstClass..<firstClass + classes, inOutput: boxOutput) {
      isTransposed ? $0 * rows + row : row * columnCount + $0
    }
  }
}

extension YOLOMapDecoder: CornerDecoder {
  var multipliesElements: Bool { isActivated }

  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole {
    guard let map = maps.first(where: { $0.output == index }) else { return .other }
    let numbers = 5 + classes
    let grid = Grid(output.shape, anchors: map.anchors.count, numbers: numbers)
    let number =
      grid?.isPlanar == true
      ? element / max(output.count / max(numbers * map.anchors.count, 1), 1) % numbers
      : element % numbers
    switch number {
    case 0, 1: return .position
    case 2, 3: return .size
    default: return .score
    }
  }
}

extension PairedRowsDecoder: CornerDecoder {
  var picksBestClass: Bool { true }
  var multipliesElements: Bool { objectness != nil && activation == .none }

  func settled(in outputs: [OutputTensor]) throws(VisionError) -> PairedRowsDecoder {
    var settled = self
    let rows = try boxes.rows(outputs)
    settled.layout = layout ?? reading?.layout(of: rows) ?? BoxLayout(kind: .edges)
    return settled
  }

  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole {
    if index == objectness { return .score }
    if index == boxes.output, let column = boxes.column(of: element, output) {
      return (layout ?? .center).role(of: column)
    }
    return index == scores.output && scores.column(of: element, output) != nil ? .score : .other
  }

  func categories(of candidate: Candidate, in outputs: [OutputRange]) -> [Int] {
    guard let row = candidate.origin?.index else { return [candidate.category] }
    return outputs.best(of: 0..<(categoryCount ?? scores.count), inOutput: scores.output) {
      scores.place(row: row, column: $0, outputs[scores.output])
    }
  }
}

extension OutputColumns {
  private func channelCount(_ output: OutputRange) -> Int {
    max(channels ?? output.shape.last ?? 1, 1)
  }

  /// Returns which of the columns an element belongs to; `nil`: to none of them.
  fileprivate func column(of element: Int, _ output: OutputRange) -> Int? {
    let channels = channelCount(output)
    let channel =
      isPlanar ? element / max(output.count / channels, 1) : element % channels
    return range.contains(channel) ? channel - first : nil
  }

  fileprivate func place(row: Int, column: Int, _ output: OutputRange) -> Int {
    let channels = channelCount(output)
    return isPlanar
      ? (first + column) * (output.count / channels) + row : row * channels + first + column
  }
}

extension CornerDecoder {
  /// Whether all of its options are covered.
  var isCovered: Bool {
    switch self {
    case let decoder as YOLORowsDecoder: decoder.extras != .angle
    case let decoder as YOLOMapDecoder: !decoder.classesAreExclusive
    case let decoder as PairedRowsDecoder:
      decoder.activation != .softmax && decoder.categories == nil
    default: true
    }
  }
}
