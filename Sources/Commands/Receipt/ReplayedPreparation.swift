import OcellusAudit
import OcellusVision

/// The preparation of pictures that a receipt describes, as options.
struct ReplayedPreparation {
  /// The step that stands for pictures whose orientation is ignored.
  static let ignoringOrientation = Receipt.Preparation(property: "orientation", value: "ignored")

  /// The options that lead to the steps of the receipt.
  let input: PictureInput.Options
  /// Whether the EXIF orientation of pictures is ignored.
  let ignoresOrientation: Bool
  private let steps: [String: String]
  private let path: String

  /// Reads the steps of the receipt in a file.
  init(of receipt: Receipt, at path: String) {
    steps = Dictionary(
      receipt.preparations.map { ($0.property, $0.value) }, uniquingKeysWith: { first, _ in first })
    ignoresOrientation = receipt.preparations.contains(Self.ignoringOrientation)
    input = PictureInput.Options(leadingTo: steps)
    self.path = path
  }

  /// Returns the options of the receipt, except for the size, which most models know.
  ///
  /// - Throws: an error if the command line asks for another preparation.
  func options(joinedTo given: PictureOptions) throws(UsageError) -> PictureInput.Options {
    guard !steps.isEmpty else { return given.input }
    try refuse("input-size", given.input.size, input.size, "input size")
    try refuse("colors", given.input.channels, input.channels, "colours")
    try refuse("values", given.input.normalization, input.normalization, "values")
    try refuse("resampler", given.input.resampler, input.resampler, "resampler")
    try refuse("fit", given.input.fit, input.fit, "fit")
    if given.ignoresOrientation, !ignoresOrientation {
      throw UsageError(
        "--ignore-exif contradicts \(path), whose picture was turned upright; leave the option out")
    }
    var options = input
    options.size = given.input.size
    return options
  }

  private func refuse<Value: Equatable>(
    _ option: String, _ given: Value?, _ stated: Value?, _ property: String
  ) throws(UsageError) {
    guard let given, let stated, given != stated else { return }
    throw UsageError(
      "--\(option) contradicts \(path), where the picture's \(property) is '\(steps[property] ?? "")'; "
        + "leave the option out: pictures are prepared as the receipt says")
  }
}
