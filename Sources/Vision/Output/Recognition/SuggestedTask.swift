import OcellusEngine
import OcellusImaging

/// The task that a model seems to be for, to suggest it when another task was asked for.
enum SuggestedTask: Equatable {
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
  case unknownBoxes

  /// Returns advice on a model that a use refused; `nil` if nothing is known that would take it.
  ///
  /// It names a command only if that command recognizes the model, and never the one that asks.
  static func advice(
    _ model: ModelFacts, _ place: PictureInputFinder.Place, besides use: PictureUse
  ) -> String? {
    advice(evident(model, place, besides: use) + likely(model, place), model, place, use)
  }

  /// Returns advice that more than the shapes of the outputs supports.
  static func evidentAdvice(
    _ model: ModelFacts, _ place: PictureInputFinder.Place, besides use: PictureUse
  ) -> String? {
    advice(evident(model, place, besides: use), model, place, use)
  }

  private static func advice(
    _ tasks: [SuggestedTask], _ model: ModelFacts, _ place: PictureInputFinder.Place,
    _ asking: PictureUse
  ) -> String? {
    tasks.lazy.compactMap { task in
      if task.uses.isEmpty { return task.words }
      let advice = task.uses.filter { $0 != asking }.compactMap { $0.advice(model, place) }
      return advice.isEmpty ? nil : task.words + ": " + advice.joined(separator: ", or ")
    }.first
  }

  /// Returns the first task that a model seems to be for, whatever recognizes it.
  static func first(
    _ model: ModelFacts, _ place: PictureInputFinder.Place, besides use: PictureUse
  ) -> SuggestedTask? {
    (evident(model, place, besides: use) + likely(model, place)).first
  }

  /// Returns the uses that a model seems to be for, the most likely first.
  static func likelyUses(
    _ model: ModelFacts, _ place: PictureInputFinder.Place
  ) -> [PictureUse] {
    (evident(model, place, besides: .detecting) + likely(model, place)).flatMap(\.uses)
  }

  private static func evident(
    _ model: ModelFacts, _ place: PictureInputFinder.Place, besides use: PictureUse
  ) -> [SuggestedTask] {
    var tasks: [SuggestedTask] = []
    let facts = DetectorFacts(
      model: model, place: place, labels: model.author?.labels, anchors: nil)
    if use != .detecting, let family = DecoderFinder.finding(facts)?.decoder.summary {
      tasks.append(.objects(family: family))
    }
    if model.author?.task == "classify" { tasks.append(.classes) }
    if isCascadeStage(facts.shapes, place.size) { tasks.append(.cascadeStage) }
    if PoseFormat(model, inputSize: place.size)?.isEvident(model) == true { tasks.append(.points) }
    return tasks
  }

  private static func likely(
    _ model: ModelFacts, _ place: PictureInputFinder.Place
  ) -> [SuggestedTask] {
    let tasks = ofMaps(model, place)
    return (speakOfBoxes(model) ? [.unknownBoxes] : []) + (tasks.isEmpty ? ofLists(model) : tasks)
  }

  /// Whether the names of the outputs are those of a detector's head.
  private static func speakOfBoxes(_ model: ModelFacts) -> Bool {
    let words = ["detector", "bbox", "anchor", "rpn"]
    return model.outputs.indices.contains { model.output($0, isCalled: words) }
  }

  /// Whether the outputs are two class scores, a box and perhaps keypoints: a stage of MTCNN.
  ///
  /// The later stages judge one window. The first one judges windows of 12 pixels, every second place.
  private static func isCascadeStage(_ shapes: [[Int]], _ size: PixelSize) -> Bool {
    let leadingExtents = Set(shapes.map { $0.dropLast() })
    guard let places = leadingExtents.first, leadingExtents.count == 1,
      [[2, 4], [2, 4, 10]].contains(shapes.compactMap(\.last).sorted())
    else { return false }
    let grid = places.dropFirst().filter { $0 != 1 }
    return grid.isEmpty
      || zip(grid, [size.height, size.width]).allSatisfy { abs(2 * ($0 + 5) - $1) <= 2 }
  }

  private static func ofMaps(
    _ model: ModelFacts, _ place: PictureInputFinder.Place
  ) -> [SuggestedTask] {
    let maps = MapOutput.candidates(model, place)
    guard maps.count < 2 else { return [.several] }
    guard let map = maps.first else {
      let shapes = model.outputs.map { $0.shape.dimensions }
      let isSmallMap =
        shapes.count == 1 && shapes[0].count == 4 && min(shapes[0][1], shapes[0][2]) > 1
      return isSmallMap ? [.heatMaps] : []
    }
    if map.isPicture(model, place) { return [.picture] }
    let isFine = 2 * map.gridSize.height >= place.size.height
    let isMask = isFine || map.isEvident(model, place, labels: nil)
    let tasks: [SuggestedTask] = isMask ? [.mask, .heatMaps] : [.heatMaps, .mask]
    return tasks + (model.outputs.count > 1 ? [.several] : [])
  }

  private static func ofLists(_ model: ModelFacts) -> [SuggestedTask] {
    let extents = model.outputs.map { $0.shape.dimensions.filter { $0 != 1 } }
    guard !extents.isEmpty, extents.allSatisfy({ $0.count < 2 }) else {
      return extents.count > 1 ? [.several] : []
    }
    guard extents.count == 1 else { return [.several] }
    let output = model.graph.outputs[0]
    if output.isProbability { return [.classes] }
    if extents[0].isEmpty { return [.number] }
    let labels = (try? LabelFinder(facts: model).find(given: nil, from: ""))?.labels
    if labels?.count == extents[0][0] { return [.classes] }
    return output.ending == .summary ? [.description, .numbers] : [.numbers]
  }

  /// The uses that the task has commands for; empty if there is only `run`.
  private var uses: [PictureUse] {
    switch self {
    case .objects: [.detecting]
    case .points, .heatMaps: [.posing]
    case .mask: [.segmenting]
    case .classes: [.labeling]
    case .description: [.embedding]
    case .numbers: [.labeling, .embedding]
    case .cascadeStage, .picture, .number, .several, .unknownBoxes: []
    }
  }

  private var words: String {
    switch self {
    case .objects(let family): "it seems to find objects (\(family))"
    case .cascadeStage:
      "it seems to be a stage of a cascade (MTCNN), which judges one small window at a time: `run` prints "
        + "what it says"
    case .points: "it seems to place points on one thing (landmarks, a pose)"
    case .picture: "it seems to make a picture of a picture: `run` writes it"
    case .mask: "it seems to mark the pixels of things (segmentation)"
    case .heatMaps: "it seems to be of heat maps, of joints perhaps"
    case .classes: "it seems to classify whole pictures"
    case .description: "it seems to describe pictures by numbers"
    case .numbers:
      "it gives a list of numbers, which may be scores of classes or describe the picture"
    case .number: "it seems to estimate one number: `run` prints it"
    case .unknownBoxes:
      "the names of its outputs speak of boxes, but nothing tells how they are encoded: `run` prints the numbers, "
        + "and a decoder of your own can read them (decoder in the options)"
    case .several: "its outputs are of several kinds: `run` prints them"
    }
  }
}
