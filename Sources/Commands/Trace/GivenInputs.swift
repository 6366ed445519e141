import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The inputs that a command gives to a model: arrays, bytes, pictures, and generated numbers.
///
/// Pictures are prepared like those of `detect --exact`, which decodes them at full size.
struct GivenInputs {
  private static let input = Option<[String]>.texts(
    "input", "[NAME=]FILE", accepts: .file,
    help: """
      A picture, which is shown as 'detect --exact' shows it, a .npy file, or a .bin file with the \
      tensor's bytes, for the input of that name or number; without a name, for the next input that has \
      none yet. May be repeated.
      """)

  /// The options in the order of the help page.
  static let definitions = [input.definition] + InputOptions.definitions

  private let texts: [String]
  private var pictures: PictureOptions
  /// The size that a receipt states, for models that take pictures of several sizes.
  private var statedSize: PixelSize?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    texts = try arguments[Self.input]
    pictures = try PictureOptions(arguments)
  }

  /// Returns a copy with one more file.
  func adding(_ file: String) -> GivenInputs {
    GivenInputs(texts: texts + [file], pictures: pictures)
  }

  private init(texts: [String], pictures: PictureOptions) {
    self.texts = texts
    self.pictures = pictures
  }

  /// Returns a copy that prepares pictures as a receipt says.
  ///
  /// - Throws: an error if an option asks for another preparation.
  func replaying(_ preparation: ReplayedPreparation) throws(UsageError) -> GivenInputs {
    var copy = self
    copy.pictures.input = try preparation.options(joinedTo: pictures)
    copy.pictures.ignoresOrientation = preparation.ignoresOrientation
    copy.statedSize = preparation.input.size
    return copy
  }

  /// The paths of the files.
  var paths: [String] { texts.map { InputAssignment.file(in: $0).path } }

  /// Whether the user provided no inputs, so all are generated.
  var isEmpty: Bool { texts.isEmpty }

  /// A picture that a model was given.
  struct Picture {
    let path: String
    let hash: String
    let preparations: [Receipt.Preparation]
  }

  /// Sets the inputs of a model.
  ///
  /// - Returns: the pictures among the inputs.
  @discardableResult
  func set(in entry: EntryPoint, of model: Model) throws -> [Picture] {
    let files = try InputAssignment(of: texts, to: entry.inputs).files
    let pictureFiles = files.filter { Self.isPicture($0.value) }
    var shown: [(index: Int, bytes: [UInt8], picture: Picture)] = []
    for (index, path) in pictureFiles.sorted(by: { $0.key < $1.key }) {
      shown.append(try show(path, to: index, of: model, entry))
    }
    try InputFiles(files.filter { pictureFiles[$0.key] == nil }).copy(to: entry, showing: nil)
    for (index, bytes, _) in shown { try entry.setInput(at: index, bytes: bytes) }
    return shown.map(\.picture)
  }

  private static func isPicture(_ path: String) -> Bool {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["png", "jpg", "jpeg", "bmp", "ppm", "pgm", "pnm"].contains(ending)
  }

  /// Prepares a picture for an input.
  private func show(
    _ path: String, to index: Int, of model: Model, _ entry: EntryPoint
  ) throws -> (index: Int, bytes: [UInt8], picture: Picture) {
    let image = try pictures.picture(path).image
    let viewer = try viewer(of: model)
    let input = viewer.input
    guard input.index == index else {
      let inputs = entry.inputs
      throw RunError(
        """
        \(path) is a picture, and input '\(inputs[index].signatureName)' takes none; \
        '\(inputs[input.index].signatureName)' does
        """)
    }
    let (size, count) = (input.tensor.size, input.tensor.channels.count)
    let shape =
      input.tensor.layout == .nhwc
      ? [size.height, size.width, count] : [count, size.height, size.width]
    let rank = entry.inputDescription(at: index).shape.rank
    try entry.resizeInput(at: index, to: Shape(rank == 4 ? [1] + shape : shape))
    // A size beyond the budget is refused before a picture of it is made.
    try entry.allocate()
    let decisions = viewer.explanation.entries.filter {
      PictureInput.Options.decisions.contains($0.property)
    }
    return (
      index, try viewer.inputTensor(for: image, region: nil),
      Picture(
        path: path, hash: SHA256.hash(try FileSystem.read(path)).hexadecimal,
        preparations: decisions.map { .init(property: $0.property, value: $0.value) }
          + (pictures.ignoresOrientation ? [ReplayedPreparation.ignoringOrientation] : []))
    )
  }

  private func viewer(of model: Model) throws -> any PictureViewer {
    let found = Result {
      try PictureViewerFactory.viewer(of: model, pictures.input, running: .init())
    }
    guard let statedSize, (try? found.get())?.input.tensor.size != statedSize else {
      return try found.get()
    }
    var options = pictures.input
    options.size = statedSize
    return try PictureViewerFactory.viewer(of: model, options, running: .init())
  }
}
