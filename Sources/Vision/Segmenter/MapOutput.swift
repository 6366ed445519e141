import OcellusEngine
import OcellusImaging
import OcellusModelFile

/// The output of a segmentation model: a grid of cells, each with its class in one of a few forms.
struct MapOutput: Sendable {
  /// The encoding of a cell's class.
  enum Form: Sendable, Equatable {
    /// The index of the class.
    case classes
    /// A score for every class; channel-first when `inPlanes`, channel-last otherwise.
    case scores(inPlanes: Bool)
    /// One number: the score of the foreground.
    case foreground
  }

  let index: Int
  let gridSize: PixelSize
  let form: Form
  /// The number of classes; `nil` when the output's shape does not show it.
  let categoryCount: Int?

  /// Finds the output: the named one, or the only grid with the input's aspect ratio.
  init(
    _ facts: ModelFacts, input: PictureInputFinder.Place, output given: Int?, labels: Labels?,
    _ explanation: inout Explanation
  ) throws(VisionError) {
    let maps = Self.candidates(facts, input).filter { given ?? $0.index == $0.index }
    guard let map = maps.first else {
      throw .mismatched(
        "no output is a map of the picture: the outputs are \(facts.outputsInWords)")
    }
    guard maps.count == 1 else {
      throw .ambiguous(
        "several outputs are maps: \(facts.outputsInWords); say which (output in the options, "
          + "--output N)")
    }
    self = map
    let output = facts.outputs[index]
    let isEvident = given != nil || isEvident(facts, input, labels: labels)
    guard isEvident || !isPicture(facts, input) else {
      throw .mismatched(
        "the output '\(output.name)' \(output.shape) has the size and the colours of a picture; if these "
          + "are classes, name them (--labels), or say so (--output \(index))")
    }
    guard isEvident || !PictureUse.detecting.accepts(facts, input) else {
      throw .mismatched(
        "the output '\(output.name)' \(output.shape) is one of those of a detector; if it is a map of "
          + "classes, say so (--output \(index))")
    }
    explanation.add(
      "output", "'\(output.name)', \(form.words(categoryCount)) on a grid of \(gridSize)",
      from: given == nil ? "the model's outputs" : "options")
    if !isEvident {
      explanation.warn(
        "nothing says that the numbers of '\(output.name)' are about classes of pixels: they could be "
          + (["places of joints" + facts.names(of: [.posing], input).map { ": \($0)" }.joined()]
          + ["a picture: `run`"]).joined(separator: ", or "))
    }
  }

  /// Returns the outputs that are grids with the input's aspect ratio.
  static func candidates(_ facts: ModelFacts, _ input: PictureInputFinder.Place) -> [MapOutput] {
    facts.outputs.indices.compactMap { MapOutput(facts.outputs[$0], index: $0, input) }
  }

  /// Whether anything besides the shape shows that the output assigns classes to pixels.
  ///
  /// Several channels with sigmoids do not: they may be heat maps of keypoints.
  func isEvident(
    _ facts: ModelFacts, _ input: PictureInputFinder.Place, labels: Labels?
  ) -> Bool {
    if isCalledPicture(facts) || isLarger(than: input) { return false }
    if form == .classes || facts.metadata(ofOutput: index)?.name != nil { return true }
    switch facts.graph.outputs[index].ending {
    case .softmax: return true
    case .sigmoid where form == .foreground: return true
    default: return form != .foreground && labels?.count == categoryCount
    }
  }

  /// Whether the metadata describes the output as a colour image; masks are described as grayscale.
  private func isCalledPicture(_ facts: ModelFacts) -> Bool {
    guard case .image(.rgb, _)? = facts.metadata(ofOutput: index)?.content?.properties else {
      return false
    }
    return true
  }

  private func isLarger(than input: PictureInputFinder.Place) -> Bool {
    gridSize.width > input.size.width && gridSize.height > input.size.height
  }

  /// Whether the output is more likely an image made from the input.
  ///
  /// It is then larger than the input, or of its size with three channels in a bounded range.
  func isPicture(_ facts: ModelFacts, _ input: PictureInputFinder.Place) -> Bool {
    let channels = form == .foreground ? 1 : categoryCount
    guard form != .classes, channels == input.channelCount else { return false }
    if isCalledPicture(facts) { return true }
    if isLarger(than: input) { return true }
    let ending = facts.graph.outputs[index].ending
    return gridSize == input.size && channels == 3 && (ending == .sigmoid || ending == .other)
  }

  /// Creates an output that may be a map; `nil` when its shape is not that of a map.
  private init?(_ output: TensorDescription, index: Int, _ input: PictureInputFinder.Place) {
    var extents = output.shape.dimensions
    if extents.count > 2, extents[0] == 1 { extents.removeFirst() }
    func grid(_ height: Int, _ width: Int) -> PixelSize? {
      // The scales of both sides must agree, up to the rounding of one cell.
      let excess = height * input.size.width - width * input.size.height
      let isAlike = abs(excess) <= max(input.size.width, input.size.height)
      guard isAlike, min(height, width) >= 8 else { return nil }
      return PixelSize(width: width, height: height)
    }
    let isWhole = output.quantization == nil && output.type.isInteger
    if Self.isFlattenedMap(output, input) {
      self.init(index, input.size, isWhole ? .classes : .foreground)
      return
    }
    switch extents.count {
    case 2:
      guard let size = grid(extents[0], extents[1]) else { return nil }
      self.init(index, size, isWhole ? .classes : .foreground)
    case 3:
      let last = grid(extents[0], extents[1])
      let planes = grid(extents[1], extents[2])
      // When both layouts are possible, the input's layout decides.
      let isInPlanes = planes != nil && (last == nil || input.layout == .nchw)
      guard let size = isInPlanes ? planes : last else { return nil }
      let channels = isInPlanes ? extents[0] : extents[2]
      switch channels {
      case 1: self.init(index, size, isWhole ? .classes : .foreground)
      case 2...: self.init(index, size, .scores(inPlanes: isInPlanes), channels)
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether the output is a vector with one element for each input pixel: a flattened map.
  static func isFlattenedMap(_ output: TensorDescription, _ input: PictureInputFinder.Place) -> Bool
  {
    let extents = output.shape.dimensions
    let (width, height) = (input.size.width, input.size.height)
    // In small pictures, the number of classes may equal the number of pixels.
    return min(width, height) >= 32 && extents.last == width * height
      && extents.dropLast().allSatisfy { $0 == 1 }
  }

  private init(_ index: Int, _ gridSize: PixelSize, _ form: Form, _ categoryCount: Int? = nil) {
    self.index = index
    self.gridSize = gridSize
    self.form = form
    self.categoryCount = form == .foreground ? 2 : categoryCount
  }

  /// Returns the class of each cell, row by row.
  func categories(in outputs: [OutputTensor]) throws(VisionError) -> [Int] {
    let values = outputs[index].values
    let count = gridSize.width * gridSize.height
    guard values.allSatisfy(\.isFinite) else {
      throw .implausible("the model's map contains NaN or infinite values")
    }
    switch form {
    case .classes:
      guard values.allSatisfy({ $0 >= 0 && $0 < 65_536 && $0.rounded() == $0 }) else {
        throw .implausible("the model's map contains values that are not class numbers")
      }
      return values.map { Int($0) }
    case .foreground:
      // Values outside 0…1 are logits, whose threshold is 0.
      let limit: Float = values.allSatisfy { $0 >= 0 && $0 <= 1 } ? 0.5 : 0
      return values.map { $0 >= limit ? 1 : 0 }
    case .scores(let isInPlanes):
      let classes = categoryCount ?? 1
      let (cellStride, classStride) = isInPlanes ? (1, count) : (classes, 1)
      return (0..<count).map { cell in
        var best = 0
        for category in 1..<classes
        where values[cell * cellStride + category * classStride]
          > values[cell * cellStride + best * classStride]
        {
          best = category
        }
        return best
      }
    }
  }
}

extension MapOutput.Form {
  fileprivate func words(_ count: Int?) -> String {
    switch self {
    case .classes: "numbers of classes"
    case .scores: "scores of \(count ?? 0) classes"
    case .foreground: "something or nothing"
    }
  }
}
