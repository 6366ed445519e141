package import OcellusEngine
package import OcellusImaging

/// Makes of pictures what a model is shown, for whoever runs the model by other means.
package struct PictureTensorMaker: PictureViewer {
  package let explanation: Explanation
  package let input: PictureInput
  private let network: PictureNetwork

  /// For a model of any kind, by what it says itself.
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
