import OcellusImaging
import OcellusPlatform
import OcellusVision

/// The options for the preparation of pictures as a model's input.
struct InputOptions {
  private static let inputSize = Option<String?>.text(
    "input-size", "WxH", help: "The size of the input, for models that take any.")
  private static let colors = Option<PictureTensor.Channels?>.choice(
    "colors", "ORDER", of: [("rgb", .rgb), ("bgr", .bgr)],
    help: "The order of the colours: rgb or bgr. Default: as the model has it.")
  private static let values = Option<String?>.text(
    "values", "RANGE", accepts: .words(["0..1", "-1..1", "0..255", "imagenet"]),
    help: """
      The numbers that the model takes: 0..1, -1..1, 0..255, imagenet, or MEAN/DEVIATION of the \
      bytes, each one number or three with commas. Default: as the model has it.
      """)
  private static let resampler = Option<Resampler?>.choice(
    "resampler", "NAME", of: Resampler.allCases.map { ($0.rawValue, $0) },
    help: """
      How pictures are brought to the input's size: \
      \(Resampler.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  private static let fit = Option<PictureFit?>.choice(
    "fit", "HOW", of: fits,
    help: """
      What becomes of pictures of another shape: stretch, letterbox, letterbox-corner or crop. \
      Default: as the model has it.
      """)

  /// The words for ways to fit pictures of another aspect ratio.
  static let fits: [(word: String, value: PictureFit)] = [
    ("stretch", .stretch), ("letterbox", .letterbox(.center)),
    ("letterbox-corner", .letterbox(.corner)), ("crop", .centerCrop),
  ]

  private static let ignoresOrientation = Option.flag(
    "ignore-exif", help: "Ignore the orientation in the file: use pictures as they are stored.")

  /// The options in the order of the help page.
  static let definitions = [
    inputSize.definition, colors.definition, values.definition, resampler.definition,
    fit.definition, ignoresOrientation.definition,
  ]

  /// The requested properties of the model's input.
  let input: PictureInput.Options
  /// Whether to ignore the EXIF orientation of pictures.
  let ignoresOrientation: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var input = PictureInput.Options()
    if let text = try arguments[Self.inputSize] {
      input.size = try PixelSize(option: "input-size", text)
    }
    input.channels = try arguments[Self.colors]
    if let text = try arguments[Self.values] {
      input.normalization = try PictureTensor.Normalization(option: "values", text)
    }
    input.resampler = try arguments[Self.resampler]
    input.fit = try arguments[Self.fit]
    self.input = input
    ignoresOrientation = try arguments[Self.ignoresOrientation]
  }
}

extension DecodedImage {
  /// Reads a picture file, or standard input if the path is `-`.
  init(ofFileOrStream path: String, options: ImageDecodingOptions) throws {
    guard path == "-" else {
      self = try DecodedImage(contentsOf: path, options: options)
      return
    }
    let bytes = try FileSystem.read(.standardInput, limit: options.limits.maximumBytes)
    do throws(ImageError) { try self.init(decoding: bytes, options: options) } catch {
      throw error.inFile("standard input")
    }
  }
}

extension PixelSize {
  /// Parses a size such as `640x480`.
  init(option name: String, _ text: String) throws(UsageError) {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, text.split(separator: "x").count == 2,
      sides.allSatisfy({ (1...65_535).contains($0) })
    else {
      throw UsageError("--\(name) wants a size like 640x480, not '\(text)'")
    }
    self.init(width: sides[0], height: sides[1])
  }
}

extension PictureTensor.Normalization {
  /// Parses a range or normalization such as `0..1` or `127.5/127.5`.
  init(option name: String, _ text: String) throws(UsageError) {
    switch text {
    case "0..1": self = .unit
    case "-1..1": self = .signedUnit
    case "0..255": self = .none
    case "imagenet": self = .imageNet
    default:
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
        part.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) ?? .nan }
      }
      guard parts.count == 2,
        parts.allSatisfy({ [1, 3].contains($0.count) && $0.allSatisfy(\.isFinite) }),
        !parts[1].contains(0)
      else {
        throw UsageError(
          "--\(name) wants 0..1, -1..1, 0..255, imagenet or MEAN/DEVIATION, not '\(text)'")
      }
      self.init(mean: parts[0], deviation: parts[1])
    }
  }
}

extension BoundingBox {
  /// Parses a box such as `10,20,300,200`: left, top, width, height.
  init(option name: String, _ text: String) throws(UsageError) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Double($0) }.filter { $0.magnitude < 1e6 }
    guard numbers.count == 4, fields.count == 4, numbers[2] >= 1, numbers[3] >= 1 else {
      throw UsageError("--\(name) wants LEFT,TOP,WIDTH,HEIGHT in pixels, not '\(text)'")
    }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension Option where Value == BoundingBox? {
  /// The region of the pictures to be examined.
  static var region: Self {
    let region = Option<String?>.text(
      "roi", "X,Y,W,H", help: "The part of the pictures to look at, in upright pixels.")
    return Option(definition: region.definition) { texts throws(UsageError) in
      guard let text = try region.read(texts) else { return nil }
      return try BoundingBox(option: "roi", text)
    }
  }
}
