import OcellusEngine
import OcellusImaging

/// The output format of a pose model; decoded positions are fractions of the input.
enum PoseFormat: Sendable, Equatable {
  /// Rows of y, x and a score, one for each keypoint (MoveNet).
  case rows(output: Int, points: Int)
  /// A row for each body: y, x and score of its keypoints, its box, its score (MoveNet MultiPose).
  case bodies(output: Int, points: Int)
  /// Lists of numbers for each keypoint, x and y first, in pixels or fractions (MediaPipe).
  ///
  /// The keypoints of several lists are concatenated.
  case lists(outputs: [Int], numbers: Int, presence: Int?)
  /// A heat map for each keypoint, and optionally offsets from the peak's cell (PoseNet).
  case heatMaps(output: Int, offsets: Int?)
  /// Maps of keypoints, of the background, and of vectors along the limbs of bodies (OpenPose).
  case affinities(output: Int)

  /// The keypoints of one object in fractions of the input, with their scores.
  struct Finding {
    var points: [(position: PixelPoint, score: Float?)]
    var score: Float?
  }

  /// The number of elements of a keypoint in known models, by the length of the list.
  private static let knownLists = [
    1404: 3, 1434: 3, 63: 3, 195: 5, 165: 5, 136: 2, 196: 2, 212: 2, 213: 3,
  ]
  /// The lengths of the lists of MediaPipe's networks.
  private static let mediaPipeLists: Set = [1404, 1434, 63, 195, 165, 213]
  /// The length of a list that accompanies another: an iris goes with the outline of its eye.
  private static let companions = [213: 15]
  private static let listWords = ["landmark", "keypoint", "mesh", "points", "joints"]

  private static let mapWords = [
    "heat", "keypoint", "joint", "hourglass", "_pose_", "posenet", "openpose",
  ]

  /// Infers the format from the outputs, or from the one `output` that the caller names.
  ///
  /// `numbers` is the number of elements of a keypoint in a list, if the caller gives it.
  init?(_ facts: ModelFacts, inputSize: PixelSize, numbers: Int? = nil, output: Int? = nil) {
    let outputs = output.map { [$0] } ?? facts.originalOrder
    let shapes = facts.outputs.map { $0.shape.dimensions }
    let extents = shapes.map { $0.filter { $0 != 1 } }
    if numbers == nil, outputs.count == 1, extents[outputs[0]].count == 2,
      extents[outputs[0]][1] == 3, extents[outputs[0]][0] <= 200
    {
      self = .rows(output: outputs[0], points: extents[outputs[0]][0])
    } else if outputs.count == 1, shapes[outputs[0]].count == 3,
      shapes[outputs[0]][2] == 17 * 3 + 5
    {
      self = .bodies(output: outputs[0], points: 17)
    } else if let lists = Self.lists(facts, among: outputs, extents, numbers) {
      let presence = facts.originalOrder.first { extents[$0].isEmpty }
      self = .lists(outputs: lists.outputs, numbers: lists.numbers, presence: presence)
    } else if let maps = Self.affinities(facts, among: outputs, shapes, inputSize) {
      self = .affinities(output: maps)
    } else if let maps = Self.heatMaps(facts, among: outputs, shapes, inputSize) {
      self = .heatMaps(output: maps.scores, offsets: maps.offsets)
    } else {
      return nil
    }
  }

  /// Recognizes the format as `init(_:inputSize:numbers:output:)` does.
  ///
  /// - Throws: `VisionError.mismatched` if the outputs have no known format, or are those of a detector.
  init(
    _ facts: ModelFacts, _ place: PictureInputFinder.Place, numbers: Int?, output: Int?
  ) throws(VisionError) {
    guard let format = Self(facts, inputSize: place.size, numbers: numbers, output: output) else {
      throw .mismatched(
        "the outputs \(facts.outputsInWords) do not match any known pose model"
          + (facts.hasList
            ? "; if they are lists of points, say how many numbers each has (--numbers)" : ""))
    }
    guard numbers != nil || output != nil || !format.isDoubtful(facts, place) else {
      throw .mismatched(
        "the outputs \(facts.outputsInWords) are those of a detector; if one is a map of points, say so "
          + "(output in the options, --output N)")
    }
    self = format
  }

  /// Whether nothing shows that maps are of points, and a detector would have such outputs.
  func isDoubtful(_ facts: ModelFacts, _ place: PictureInputFinder.Place) -> Bool {
    !isEvident(facts) && PictureUse.detecting.accepts(facts, place)
  }

  private static func lists(
    _ facts: ModelFacts, among outputs: [Int], _ extents: [[Int]], _ numbers: Int?
  ) -> (outputs: [Int], numbers: Int)? {
    let lists = outputs.filter { output in
      let isList =
        extents[output].count == 1 || numbers != nil && extents[output].last == numbers
      return isList && !facts.graph.outputs[output].isProbability
    }
    let lengths = extents.map { $0.reduce(1, *) }
    // A model may have further lists for parts of a face. Of two lists of the same keypoints, in
    // the picture and in 3D space, the one in the picture comes first.
    guard let longest = lists.map({ lengths[$0] }).max(),
      let output = lists.first(where: { lengths[$0] == longest })
    else { return nil }
    if let numbers { return longest.isMultiple(of: numbers) ? ([output], numbers) : nil }
    if let known = knownLists[longest] {
      return ([output] + lists.filter { lengths[$0] == companions[longest] }, known)
    }
    guard facts.output(output, isCalled: listWords) else { return nil }
    switch (longest.isMultiple(of: 2), longest.isMultiple(of: 3)) {
    case (true, false): return ([output], 2)
    case (false, true): return ([output], 3)
    default: return nil
    }
  }

  /// Returns the one output with the maps of OpenPose's COCO model, which may have any sign.
  private static func affinities(
    _ facts: ModelFacts, among outputs: [Int], _ shapes: [[Int]], _ inputSize: PixelSize
  ) -> Int? {
    guard outputs.count == 1, let output = outputs.first,
      facts.graph.outputs[output].ending != .softmax
    else { return nil }
    let shape = shapes[output]
    let isFit =
      shape.count == 4 && shape[0] == 1 && shape[3] == PartAffinities.channels
      && min(shape[1], shape[2]) >= 5 && 4 * shape[1] <= inputSize.height
    return isFit ? output : nil
  }

  private static func heatMaps(
    _ facts: ModelFacts, among outputs: [Int], _ shapes: [[Int]], _ inputSize: PixelSize
  ) -> (scores: Int, offsets: Int?)? {
    let maps = outputs.filter { index in
      let shape = shapes[index]
      // Softmax is for classes, of which each pixel has one; keypoints have independent maps.
      return shape.count == 4 && shape[0] == 1 && min(shape[1], shape[2]) >= 5
        && 2 * shape[1] <= inputSize.height && (4...300).contains(shape[3])
        && facts.graph.outputs[index].ending != .softmax
    }
    guard let scores = maps.min(by: { shapes[$0][3] < shapes[$1][3] }) else { return nil }
    let offsets = maps.first { shapes[$0][3] == 2 * shapes[scores][3] }
    // Several maps that are no heat maps and offsets belong to another family.
    return outputs.count == 1 || offsets != nil ? (scores, offsets) : nil
  }

  /// The preprocessing with which the models of a format are trained, as far as it is common.
  ///
  /// MediaPipe's networks for faces, hands, bodies and eyes take values from 0 to 1.
  func inputConvention(_ facts: ModelFacts) -> PictureInput.Convention {
    guard case .lists(let outputs, _, _) = self,
      Self.mediaPipeLists.contains(facts.outputs[outputs[0]].shape.elementCount)
    else { return PictureInput.Convention() }
    var convention = PictureInput.Convention(normalization: .unit)
    convention.source = "the usual for MediaPipe's landmarks"
    return convention
  }

  /// Whether more than the shape of a map shows that it is of keypoints.
  func isEvident(_ facts: ModelFacts) -> Bool {
    guard case .heatMaps(let output, nil) = self else { return true }
    return facts.graph.outputs[output].ending == .sigmoid
      || facts.output(output, isCalled: Self.mapWords)
  }

  /// Returns the number of keypoints, from the outputs' shapes.
  func pointCount(_ facts: ModelFacts) -> Int {
    switch self {
    case .rows(_, let points), .bodies(_, let points): points
    case .lists(let outputs, let numbers, _):
      outputs.reduce(0) { $0 + facts.outputs[$1].shape.elementCount / numbers }
    case .heatMaps(let output, _): facts.outputs[output].shape[-1]
    case .affinities: PartAffinities.pointCount
    }
  }

  /// Returns a description of the format.
  func words(_ facts: ModelFacts) -> String {
    let count = "\(pointCount(facts)) points"
    return switch self {
    case .rows: "\(count), a row of y, x and score for each"
    case .bodies: "rows of \(count), for several bodies"
    case .lists(let outputs, let numbers, _):
      "\(count), \(numbers) numbers for each, in "
        + outputs.map { "'\(facts.outputs[$0].name)'" }.joined(separator: " and ")
    case .heatMaps(_, let offsets):
      "\(count), a map for each\(offsets == nil ? "" : ", with offsets")"
    case .affinities: "\(count), a map for each, and vectors along the limbs (OpenPose)"
    }
  }
}

extension ModelFacts {
  /// Whether any output is a vector or a matrix, not a map or a single number.
  fileprivate var hasList: Bool {
    outputs.contains { (1...2).contains($0.shape.dimensions.count { $0 != 1 }) }
  }
}
