package import OcellusEngine
package import OcellusImaging

/// Creates a model's input tensors from pictures, for running the model by other means.
package struct PictureTensorBuilder: PictureViewer {
  package let explanation: Explanation
  package let input: PictureInput
  private let network: PictureNetwork

  /// Creates a tensor maker for any model; the conversion is inferred from the model alone.
  package init(
    _ model: Model, options: PictureInput.Options, running: Interpreter.Options
  ) throws(VisionError) {
    var explanation = Explanation()
    network = try PictureNetwork(
      model, options: options, package: nil, running: running, explanation: &explanation)
    input = try network.settleInput(PictureInput.Convention(), &explanation)
    self.explanation = explanation
  }

  package func inputTensor(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> [UInt8] {
    try network.inputBytes(for: image, region: region)
  }
}
