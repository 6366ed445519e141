import OcellusEngine
import OcellusImaging

/// The facts by which families of detectors recognize their models.
struct DetectorFacts {
  /// The facts that the model itself shows.
  let model: ModelFacts
  /// The input that takes the picture.
  let place: PictureInputFinder.Place
  /// The names of the classes, whose number distinguishes columns of classes from others.
  let labels: Labels?
  /// The anchors that the caller gave.
  let anchors: AnchorSource?

  /// The size of the input, in pixels.
  var inputSize: PixelSize { place.size }

  /// The dimensions of each output.
  var shapes: [[Int]] { model.outputs.map { $0.shape.dimensions } }

  /// The dimensions of the only output; `nil` when there are several.
  var onlyShape: [Int]? { shapes.count == 1 ? shapes[0] : nil }

  /// Whether the elements of an output are probabilities.
  func isProbability(_ output: Int) -> Bool { model.graph.outputs[output].isProbability }
}
