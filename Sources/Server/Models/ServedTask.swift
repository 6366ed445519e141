import OcellusEngine
import OcellusImaging
package import OcellusVision

/// What a served model does with pictures, and the viewers that do it.
package enum ServedTask: Sendable {
  case detect(ViewerPool<ObjectRecognizer>)
  case label(ViewerPool<ImageLabeler>)
  case segment(ViewerPool<ImageSegmenter>)
  case pose(ViewerPool<PoseFinder>)
  case embed(ViewerPool<ImageEmbedder>)
  /// The model takes no pictures, or is not wanted for them.
  case tensors

  /// The names of all tasks.
  package static let names = PictureModelTask.allCases.map(\.rawValue) + ["tensors"]

  /// The name of the task.
  package var name: String {
    switch self {
    case .detect: PictureModelTask.detect.rawValue
    case .label: PictureModelTask.label.rawValue
    case .segment: PictureModelTask.segment.rawValue
    case .pose: PictureModelTask.pose.rawValue
    case .embed: PictureModelTask.embed.rawValue
    case .tensors: "tensors"
    }
  }

  /// The number of requests that wait for a viewer.
  var waitingCount: Int {
    switch self {
    case .detect(let pool): pool.waitingCount
    case .label(let pool): pool.waitingCount
    case .segment(let pool): pool.waitingCount
    case .pose(let pool): pool.waitingCount
    case .embed(let pool): pool.waitingCount
    case .tensors: 0
    }
  }
}
