import OcellusEngine
import OcellusVision

/// Who brings pictures to a model for commands that run it by other means.
enum PictureShower {
  /// The model's detector or else its labeler, so that it is shown what `detect` or `label` show it; and where
  /// it is neither, as far as one can tell, what the model itself says of its input.
  static func viewer(
    of model: Model, _ options: PictureInput.Options, running: Interpreter.Options
  ) throws(VisionError) -> any PictureViewer {
    if let detector = try? ObjectDetector(model, options: .init(input: options)) {
      return detector
    }
    if let labeler = try? ImageLabeler(model, options: .init(input: options)) { return labeler }
    return try PictureTensorMaker(model, options: options, running: running)
  }
}
