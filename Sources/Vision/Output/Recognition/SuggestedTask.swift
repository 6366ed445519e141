import OcellusEngine
import OcellusImaging

/// The task that a model seems to be for, to suggest it when another task was asked for.
enum SuggestedTask: Equatable, CustomStringConvertible {
  case objects(family: String)
  case cascadeStage
  case points
  case picture
  case mask
  case heatMaps
  case classes
  case description
  case numbers
  case number
  case several

  init?(_ model: ModelFacts, _ place: PictureInputFinder.Place) {
    let facts = DetectorFacts(
      model: model, place: place, labels: model.author?.labels, anchors: nil)
    if let family = DecoderFinder.family(of: facts) {
      self = .objects(family: family)
    } else if model.author?.task == "classify" {
      self = .classes
    } else if Self.isCascadeStage(facts.shapes) {
      self = .cascadeStage
    } else if PoseFormat(model, inputSize: place.size)?.isEvident(model) == true {
      self = .points
    } else if let task = Self.ofMaps(model, place) ?? Self.ofLists(model) {
      self = task
    } else {
      return nil
    }
  }

  /// Whether the outputs are two class scores, a box and perhaps keypoints: a stage of MTCNN.
  private static func isCascadeStage(_ shapes: [[Int]]) -> Bool {
    let leadingExtents = Set(shapes.map { $0.dropLast() })
    return leadingExtents.count == 1
      && [[2, 4], [2, 4, 10]].contains(shapes.compactMap(\.last).sorted())
  }

  private static func ofMaps(
    _ model: ModelFacts, _ place: PictureInputFinder.Place
  ) -> SuggestedTask? {
    let maps = MapOutput.candidates(model, place)
    guard maps.count < 2 else { return .several }
    guard let map = maps.first else {
      let shapes = model.outputs.map { $0.shape.dimensions }
      let isSmallMap =
        shapes.count == 1 && shapes[0].count == 4 && min(shapes[0][1], shapes[0][2]) > 1
      return isSmallMap ? .heatMaps : nil
    }
    if map.isPicture(model, place) { return .picture }
    let isFine = 2 * map.gridSize.height >= place.size.height
    return isFine || map.isEvident(model, place, labels: nil) ? .mask : .heatMaps
  }

  private static func ofLists(_ model: ModelFacts) -> SuggestedTask? {
    let extents = model.outputs.map { $0.shape.dimensions.filter { $0 != 1 } }
    if extents.count == 1, extents[0].count == 2, extents[0][0] <= 500, extents[0][1] == 2 {
      return .points
    }
    guard !extents.isEmpty, extents.allSatisfy({ $0.count < 2 }) else { return nil }
    guard extents.count == 1 else { return .several }
    let output = model.graph.outputs[0]
    if output.isProbability { return .classes }
    if extents[0].isEmpty { return .number }
    return output.ending == .summary ? .description : .numbers
  }

  var description: String {
    switch self {
    case .objects(let family):
      "it seems to find objects (\(family)): try `detect` (ObjectDetector)"
    case .cascadeStage:
      "it seems to be a stage of a cascade (MTCNN), which judges one small window at a time: `run` prints "
        + "what it says"
    case .points:
      "it seems to place points on one thing (landmarks, a pose): try `pose` (PoseFinder)"
    case .picture: "it seems to make a picture of a picture: `run` writes it"
    case .mask:
      "it seems to mark the pixels of things (segmentation): try `segment` (ImageSegmenter)"
    case .heatMaps: "it seems to be of heat maps, of joints perhaps: try `pose` (PoseFinder)"
    case .classes: "it seems to classify whole pictures: try `label` (ImageLabeler)"
    case .description:
      "it seems to describe pictures by numbers: try `embed` (ImageEmbedder)"
    case .numbers:
      "it gives a list of numbers: scores of classes would be for `label` (ImageLabeler), a description "
        + "of the picture for `embed` (ImageEmbedder)"
    case .number: "it seems to estimate one number: `run` prints it"
    case .several: "its outputs are of several kinds: `run` prints them"
    }
  }
}

extension ModelFacts {
  /// Returns the suggestion of another task, as the end of an error message.
  func hint(_ place: PictureInputFinder.Place) -> String {
    SuggestedTask(self, place).map { "; \($0)" } ?? ""
  }
}
