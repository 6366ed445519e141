import OcellusTestSupport
import OcellusVision

extension SyntheticLabeler {
  static func labeler(_ options: ImageLabeler.Options = .init()) throws -> ImageLabeler {
    var options = options
    options.activation = options.activation ?? ScoreActivation.none
    options.labels = options.labels ?? Labels(["rose", "tulip", "daisy"])
    return try ImageLabeler(model(), options: options)
  }
}
