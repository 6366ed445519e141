import OcellusEngine
import OcellusVision

/// Finds the preparation of pictures for commands that run a model by other means.
enum PictureViewerFactory {
  /// Returns the model's detector or else its labeler, which prepare pictures as usual.
  ///
  /// If the model is neither, the picture is prepared as the model's own metadata says.
  static func viewer(
    of model: Model, _ options: PictureInput.Options, running: Interpreter.Options
  ) throws(VisionError) -> any PictureViewer {
    if let detector = try? ObjectDetector(model, options: .init(input: options)) {
      return detector
    }
    if let labeler = try? ImageLabeler(model, options: .init(input: options)) { return labeler }
    return try PictureTensorBuilder(model, options: options, running: running)
  }
}
