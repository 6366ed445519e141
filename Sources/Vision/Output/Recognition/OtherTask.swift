import OcellusEngine
import OcellusImaging

/// What a model seems to be for that finds no objects.
enum OtherTask: CustomStringConvertible {
  case classes
  case description
  case number
  case points
  case mask
  case heatMaps
  case picture

  init?(_ facts: DetectorFacts) {
    let size = facts.inputSize
    if facts.model.author?.task == "classify" {
      self = .classes
    } else if let shape = facts.onlyShape, shape.allSatisfy({ $0 >= 1 }) {
      let extents = shape.filter { $0 != 1 }
      let isMap = shape.count == 4 && min(shape[1], shape[2]) > 1
      let isWhole = isMap && shape[1] >= size.height && shape[2] >= size.width
      switch extents.count {
      case 0: self = .number
      case 1: self = facts.model.graph.outputs[0].ending == .summary ? .description : .classes
      case 2 where extents[0] <= 500 && (2...3).contains(extents[1]): self = .points
      case _ where isWhole && shape[3] == 3: self = .picture
      case _ where isMap && 2 * shape[1] >= size.height: self = .mask
      case _ where isMap: self = .heatMaps
      default: return nil
      }
    } else {
      return nil
    }
  }

  var description: String {
    switch self {
    case .classes: "it seems to classify whole pictures: try `label` (ImageLabeler)"
    case .description:
      "it seems to describe pictures by numbers: try `embed` (ImageEmbedder)"
    case .number: "it seems to estimate one number: `run` prints it"
    case .points:
      "it seems to place points on one thing (landmarks, a pose): try `pose` (PoseFinder)"
    case .mask:
      "it seems to mark the pixels of things (segmentation): try `segment` (ImageSegmenter)"
    case .heatMaps: "it seems to be of heat maps, of joints perhaps: try `pose` (PoseFinder)"
    case .picture: "it seems to make a picture of a picture: `run` writes it"
    }
  }
}
