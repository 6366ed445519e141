import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// The common part of all commands that run a model on pictures.
///
/// It holds their options, and runs from operands to a report about each picture. An error with one
/// picture is reported and does not stop the others.
struct PictureTask {
  /// The name of the option for annotated pictures.
  static let annotate = "--annotate"

  /// The option of commands that annotate pictures.
  static let annotation = Option<String?>.text(
    "annotate", "OUT", accepts: .newFile,
    help: """
      Write the picture with what was found drawn on it, to the file OUT ('-' is standard output); of \
      several pictures each into the folder OUT.
      """)
  /// The option of commands that read one of a model's outputs.
  static let output = Option<Int?>.integer(
    "output", "N", in: 0...999,
    help: "The number of the output to read. Default: determined from the model.")
  private static let explain = Option.flag(
    "explain", help: "Explain how the model was understood, and from which sources; in JSON too.")
  private static let inputDump = Option<String?>.text(
    "dump-input", "OUT.npy", accepts: .newFile,
    help: "Write the tensor that the model is shown, for the first picture, to run it elsewhere.")

  /// The operand for pictures.
  static let operand = OperandDefinition(
    "IMAGE", count: 1...Int.max,
    help: """
      pictures (PNG, JPEG, PPM, BMP or NPY), folders of them, patterns in quotes such as '*.jpg', lists \
      of them (.txt, a path on each line), or '-' for one picture on standard input
      """)

  /// The options in the order of the help page.
  static let definitions =
    [
      Option<BoundingBox?>.region.definition, explain.definition, inputDump.definition,
      Shard.option.definition, Shard.folder.definition,
      OutputClaims.force.definition,
    ] + ReportFormat.definitions

  /// The end of each command's discussion.
  static let promise = """
    A picture that cannot be read is reported, in JSON and comma-separated values by a record with an \
    error, the others are still looked at, and the exit code is \(ExitCode.partial.rawValue), or \
    \(ExitCode.failure.rawValue) if none could be read. Large pictures may be read at a \
    fraction of their size, at twice what the model sees or more; with --exact they never are.
    """

  /// The options about the model and its input.
  let options: PictureOptions
  /// The region of the pictures to be examined.
  let region: BoundingBox?
  /// The index of the output to read, if it was given.
  let output: Int?
  /// The destination of annotated pictures.
  let annotationPath: String?
  private let operands: [String]
  private let inputDumpPath: String?
  private let explains: Bool
  private let isForced: Bool
  private let format: ReportFormat
  private let shard: Shard
  /// The directory in which results are stored so that an interrupted run can be resumed.
  private let shardFolder: String?
  private let arguments: ParsedArguments
  private let definition: CommandDefinition

  init(
    _ arguments: ParsedArguments, of definition: CommandDefinition
  ) throws(UsageError) {
    (self.arguments, self.definition) = (arguments, definition)
    options = try PictureOptions(arguments)
    region = try arguments[Option<BoundingBox?>.region]
    output = try arguments[Self.output]
    annotationPath = try arguments[Self.annotation]
    operands = arguments.operands
    inputDumpPath = try arguments[Self.inputDump]
    explains = try arguments[Self.explain]
    isForced = try arguments[OutputClaims.force]
    shard = try arguments[Shard.option].map { text throws(UsageError) in try Shard(text) } ?? .whole
    shardFolder = try arguments[Shard.folder]
    let format = try ReportFormat(arguments)
    if shardFolder != nil, let flag = format.flag, flag != "--jsonl" {
      throw UsageError("--resume keeps lines of JSON, and \(flag) asks for something else")
    }
    self.format = shardFolder == nil ? format : .jsonLines
  }

  /// Opens the model and runs it on each picture.
  ///
  /// `paths` are files that are read besides the pictures. `drawings` are further destinations of
  /// pictures, by option. `wholly` means that pictures are needed at full size, not only at the
  /// size of the model's input.
  func run<Viewer: PictureViewer, Report: PictureReport>(
    in context: CommandContext, model: @autoclosure () throws -> ModelSource,
    reading paths: [String] = [],
    drawings: [(option: String, path: String?)] = [], wholly: Bool = false,
    open: (ModelSource) throws -> Viewer,
    look: (Viewer, ProcessedPicture) throws -> Report
  ) throws -> ExitCode {
    let pictures = try PictureFiles.named(by: operands)
    guard options.givenModelPath != "-" || !pictures.contains("-") else {
      throw UsageError("standard input ('-') is the model or a picture, not both")
    }
    var claims = OutputClaims(reading: pictures + options.inputPaths + paths, isForced: isForced)
    var targets: [String: PictureTargets] = [:]
    for (option, path) in drawings + [(Self.annotate, annotationPath)] {
      guard let path else { continue }
      targets[option] = try PictureTargets(path, of: option, for: pictures, &claims)
    }
    if let inputDumpPath { try claims.claim(inputDumpPath, for: "--dump-input") }
    try claims.claimStandardOutput(for: format.flag)
    let source = try model()
    let work = shard.part(of: pictures)
    let hash = shardFolder == nil ? nil : source.json["model_sha256"]?.string
    let shardOptions = try shardFolder.map { _ in try ShardOptions(arguments, of: definition) }
    let file = try shardOptions.map { shardOptions in
      try ShardFile(
        in: shardFolder ?? "", of: shard, pictures: work,
        origin: .init(command: definition.name, modelHash: hash, options: shardOptions))
    }
    let outer = context.reporting(beside: claims)
    let context = file.map { outer.reporting(into: $0) } ?? outer
    if let file, file.isComplete {
      try outer.print(
        "\(file.path): all \(work.count) results are there, \(file.failedCount) of them errors")
      return file.failedCount == 0 ? .success : .partial
    }
    var reports = PictureReports<Report>(format, model: source, in: context)
    let viewer: Viewer
    do { viewer = try open(source) } catch {
      try reports.refuse(error, explanation: explains ? source.explanation : nil)
      throw error
    }
    try reports.begin(viewer.explanation, explains: explains)
    for warning in viewer.explanation.warnings { context.complain("warning: \(warning)") }
    let isWhole =
      wholly || region != nil || annotationPath != nil || options.numerics.areOfficial
    let progress = ProgressLine(in: context)
    var failures = file?.failedCount ?? 0
    for (index, (position, path)) in work.enumerated().dropFirst(file?.doneCount ?? 0) {
      progress.show("\(index) of \(work.count) pictures")
      let result = Result {
        let picture = try ProcessedPicture(
          path, options, minimumSize: isWhole ? nil : viewer.input.tensor.size.doubled,
          targets: targets, context)
        if index == 0 { try dumpInput(of: picture, for: viewer, in: context) }
        return try look(viewer, picture)
      }
      progress.clear()
      // Results in shards are merged and can be proved, so they need a position and a receipt.
      var more: JSONObject =
        shardOptions.map { ["place": .integer(position), "options": .strings($0.words)] } ?? [:]
      switch result {
      case .success(let report):
        if file != nil {
          let input = try FileSystem.sha256(of: path)
          let digest = ResultReceipt(modelHash: hash ?? "", inputHash: input, result: report.json)
          more.append("receipt", digest.json)
        }
        try reports.add(report, with: more)
      case .failure(let error):
        try reports.add(failure: error, of: path, with: more)
        failures += 1
      }
    }
    try reports.end()
    guard let file else { return .finished(failures: failures, of: work.count) }
    try file.close()
    try outer.print("\(file.path): \(work.count) results, \(failures) of them errors")
    // A shard is complete even if all of its pictures failed: to repeat it would change nothing.
    return failures == 0 ? .success : .partial
  }

  private func dumpInput(
    of picture: ProcessedPicture, for viewer: some PictureViewer, in context: CommandContext
  ) throws {
    guard let inputDumpPath else { return }
    let bytes = try viewer.inputTensor(for: picture.image, region: region)
    try context.write(viewer.input.tensor.array(of: bytes).file, to: inputDumpPath)
  }
}

/// A picture that a command processes.
struct ProcessedPicture {
  let path: String
  /// The decoded picture, which may be reduced and maps coordinates back to the file's picture.
  let decoded: DecodedImage
  private let start: MonotonicTime
  /// The destinations of pictures made from this one, by option.
  private let targets: [String: PictureTargets]
  private let context: CommandContext

  fileprivate init(
    _ path: String, _ options: PictureOptions, minimumSize: PixelSize?,
    targets: [String: PictureTargets],
    _ context: CommandContext
  ) throws {
    start = .now
    decoded = try options.picture(path, minimumSize: minimumSize)
    self.path = path
    self.targets = targets
    self.context = context
  }

  var image: Image { decoded.image }
  /// The size of the upright picture in the file.
  var size: PixelSize { decoded.sourceSize }
  /// Warnings about damage that decoding skipped.
  var warnings: [String] { decoded.warnings }

  /// The time since reading the picture started.
  var milliseconds: Double { start.millisecondsToNow }

  /// Writes the result of `draw` if an option requests it, and returns the path.
  func write(
    for option: String = PictureTask.annotate, _ draw: (Image) throws -> Image
  ) throws -> String? {
    guard let target = try targets[option]?.file(for: path) else { return nil }
    try context.write(try draw(image), to: target)
    return target
  }
}

extension PixelSize {
  /// Twice a network's input size.
  ///
  /// Pictures decoded at this size lose nothing that the network could see, and large photographs
  /// take a fraction of the time.
  var doubled: PixelSize { PixelSize(width: 2 * width, height: 2 * height) }
}

extension PictureTensor {
  /// Returns the tensor's bytes as a NumPy array.
  fileprivate func array(of bytes: [UInt8]) -> NPYArray {
    let sides = [size.height, size.width]
    let shape =
      layout == .nhwc ? [1] + sides + [channels.count] : [1, channels.count] + sides
    let element: NPYElement =
      switch self.element {
      case .uint8: .uint8
      case .int8: .int8
      case .int16: .int16
      case .float32: .float32
      }
    return NPYArray(element: element, shape: shape, bytes: bytes)
  }
}
