import OcellusEngine
import OcellusImaging
import OcellusModelFile

/// The output of a segmentation model: for each place of a grid what it belongs to, in one of a few forms.
struct MapOutput: Sendable {
  /// What the numbers of a place are.
  enum Form: Sendable, Equatable {
    /// The number of its class.
    case classes
    /// A score for every class, side by side or, `inPlanes`, class by class.
    case scores(inPlanes: Bool)
    /// One number: how sure it is that there is something.
    case foreground
  }

  let index: Int
  let gridSize: PixelSize
  let form: Form
  /// The number of classes, where the output shows it.
  let categoryCount: Int?

  /// Finds the output: the one that the caller says, or the only one that is a grid of the input's shape.
  init(
    _ facts: ModelFacts, input: PictureInputFinder.Place, output given: Int?, labels: Labels?,
    _ explanation: inout Explanation
  ) throws(VisionError) {
    let maps = Self.candidates(facts, input).filter { given ?? $0.index == $0.index }
    guard let map = maps.first else {
      throw .mismatched(
        "no output is a map of the picture: the outputs are \(facts.outputsInWords)"
          + facts.hint(input))
    }
    guard maps.count == 1 else {
      throw .ambiguous(
        "several outputs are maps: \(facts.outputsInWords); say which (output in the options, "
          + "--output N)" + facts.hint(input))
    }
    self = map
    let output = facts.outputs[index]
    let isEvident = given != nil || isEvident(facts, input, labels: labels)
    guard isEvident || !isPicture(facts, input) else {
      throw .mismatched(
        "the output '\(output.name)' \(output.shape) has the size and the colours of a picture: `run` "
          + "writes it; if these are classes, name them (--labels), or say so (--output \(index))")
    }
    explanation.add(
      "output", "'\(output.name)', \(form.words(categoryCount)) on a grid of \(gridSize)",
      from: given == nil ? "the model's outputs" : "options")
    if !isEvident {
      explanation.warn(
        "nothing says that the numbers of '\(output.name)' are about classes of pixels: they could be "
          + "places of joints (`pose`), or a picture (`run`)")
    }
  }

  /// The outputs that are grids of the input's shape.
  static func candidates(_ facts: ModelFacts, _ input: PictureInputFinder.Place) -> [MapOutput] {
    facts.outputs.indices.compactMap { MapOutput(facts.outputs[$0], index: $0, input) }
  }

  /// Whether anything besides the shape says that this is about classes of pixels: sigmoids side by
  /// side are as likely maps of joints.
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

  /// Whether the author says that it is a picture in colours; masks are called gray ones.
  private func isCalledPicture(_ facts: ModelFacts) -> Bool {
    guard case .image(.rgb, _)? = facts.metadata(ofOutput: index)?.content?.properties else {
      return false
    }
    return true
  }

  private func isLarger(than input: PictureInputFinder.Place) -> Bool {
    gridSize.width > input.size.width && gridSize.height > input.size.height
  }

  /// Whether this is rather a picture made of a picture: larger than the input, or of its size and
  /// limited to what colours may be.
  func isPicture(_ facts: ModelFacts, _ input: PictureInputFinder.Place) -> Bool {
    let channels = form == .foreground ? 1 : categoryCount
    guard form != .classes, channels == input.channelCount else { return false }
    if isCalledPicture(facts) { return true }
    if isLarger(than: input) { return true }
    let ending = facts.graph.outputs[index].ending
    return gridSize == input.size && channels == 3 && (ending == .sigmoid || ending == .other)
  }

  /// An output that may be a map; `nil` where its shape is none.
  private init?(_ output: TensorDescription, index: Int, _ input: PictureInputFinder.Place) {
    var extents = output.shape.dimensions
    if extents.count > 2, extents[0] == 1 { extents.removeFirst() }
    func grid(_ height: Int, _ width: Int) -> PixelSize? {
      // As a part of the input, both sides are alike, to the rounding of a cell.
      let excess = height * input.size.width - width * input.size.height
      let isAlike = abs(excess) <= max(input.size.width, input.size.height)
      guard isAlike, min(height, width) >= 8 else { return nil }
      return PixelSize(width: width, height: height)
    }
    let isWhole = output.quantization == nil && output.type.isInteger
    if Self.isLineOfPixels(output, input) {
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
      // A cube may be either; then it is as the input is.
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

  /// Whether this has as many numbers as the input has pixels, in a line: a map whose shape was lost.
  static func isLineOfPixels(_ output: TensorDescription, _ input: PictureInputFinder.Place) -> Bool
  {
    let extents = output.shape.dimensions
    let (width, height) = (input.size.width, input.size.height)
    // Small pictures may have as many classes as pixels.
    return min(width, height) >= 32 && extents.last == width * height
      && extents.dropLast().allSatisfy { $0 == 1 }
  }

  private init(_ index: Int, _ gridSize: PixelSize, _ form: Form, _ categoryCount: Int? = nil) {
    self.index = index
    self.gridSize = gridSize
    self.form = form
    self.categoryCount = form == .foreground ? 2 : categoryCount
  }

  /// The class of each place, row by row.
  func categories(in outputs: [OutputTensor]) throws(VisionError) -> [Int] {
    let values = outputs[index].values
    let count = gridSize.width * gridSize.height
    guard values.allSatisfy(\.isFinite) else {
      throw .implausible("the model's map has what are no numbers")
    }
    switch form {
    case .classes:
      guard values.allSatisfy({ $0 >= 0 && $0 < 65_536 && $0.rounded() == $0 }) else {
        throw .implausible("the model's map has what are no numbers of classes")
      }
      return values.map { Int($0) }
    case .foreground:
      // Numbers beyond 0 and 1 are what a sigmoid would be made of.
      let limit: Float = values.allSatisfy { $0 >= 0 && $0 <= 1 } ? 0.5 : 0
      return values.map { $0 >= limit ? 1 : 0 }
    case .scores(let isInPlanes):
      let classes = categoryCount ?? 1
      let (placeStride, classStride) = isInPlanes ? (1, count) : (classes, 1)
      return (0..<count).map { place in
        var best = 0
        for category in 1..<classes
        where values[place * placeStride + category * classStride]
          > values[place * placeStride + best * classStride]
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
