import OcellusEngine
import OcellusImaging

/// What families of detectors look at to recognise a model of theirs.
struct DetectorFacts {
  /// What the model shows of itself.
  let model: ModelFacts
  /// Where it takes the picture.
  let place: PictureInputFinder.Place
  /// The names of its classes, whose number tells rows of classes apart.
  let labels: Labels?
  /// What the caller says about anchors.
  let anchors: AnchorSource?

  /// The size of its input, in pixels.
  var inputSize: PixelSize { place.size }

  /// The extents of each output.
  var shapes: [[Int]] { model.outputs.map { $0.shape.dimensions } }

  /// The extents of the only output; `nil` when there are several.
  var onlyShape: [Int]? { shapes.count == 1 ? shapes[0] : nil }

  /// Whether the numbers of an output are probabilities already.
  func isProbability(_ output: Int) -> Bool { model.graph.outputs[output].isProbability }
}
