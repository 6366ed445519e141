import OcellusImaging
import OcellusJSON
import OcellusPlatform

/// `ocellus image`: describes a picture file and writes it upright in another format or size.
struct ImageCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "OUT", accepts: .newFile,
    help:
      "Write the picture; the format follows from the name, and is PNG for '-', standard output.")
  private static let size = Option<String?>.text(
    "resize", "WxH", help: "Bring the picture to this size.")
  private static let kernel = Option<Resampler?>.choice(
    "kernel", "NAME", of: Resampler.allCases.map { ($0.rawValue, $0) },
    help: """
      How it is brought there, equal to the library that the name begins with: \
      \(Resampler.allCases.map(\.rawValue).joined(separator: ", ")). Default: pil-bilinear.
      """)
  private static let fit = Option<PictureFit?>.choice(
    "fit", "HOW", of: InputOptions.fits,
    help: """
      What becomes of a picture of another shape: stretch, letterbox, letterbox-corner or crop. \
      Default: stretch.
      """)
  private static let crop = Option<String?>.text(
    "crop", "X,Y,W,H", help: "The part of the upright picture to take.")
  private static let orientation = Option<Orientation?>.choice(
    "orientation", "1..8", of: Orientation.allCases.map { ("\($0.rawValue)", $0) },
    help: "The orientation of the stored picture as an EXIF number; overrides the file's.")
  private static let info = Option.flag("info", help: "Say what the file holds.")
  private static let json = Option.flag("json", help: "Say it as one JSON object.")
  private static let strict = Option.flag(
    "strict", help: "Treat any damage as an error, even if part of the picture can be read.")

  static let definition = CommandDefinition(
    name: "image",
    summary: "Look at a picture file, or write it upright in another format or size.",
    operand: OperandDefinition(
      "IMAGE", help: "a picture: PNG, JPEG, PPM, BMP or NPY, or '-' for standard input"),
    options: [
      output.definition, size.definition, kernel.definition, fit.definition, crop.definition,
      orientation.definition, info.definition, json.definition, strict.definition,
      OutputClaims.force.definition,
    ],
    discussion: """
      What is written stands upright, in 8-bit red, green and blue, with opacity where the picture \
      has it and the format allows it. Formats are known by their content when read, and by their \
      names when written.
      """,
    examples: [
      .init(arguments: "photo.jpg --info", purpose: "Format, size, orientation, texts, damage."),
      .init(
        arguments: "photo.jpg -o small.png --resize 320x320 --fit letterbox",
        purpose: "What a network with letterboxing would see."),
    ])

  private let path: String
  private let outputPath: String?
  private let size: PixelSize?
  private let resampler: Resampler
  private let fit: PictureFit
  private let crop: BoundingBox?
  private let orientation: Orientation?
  private let isJSON: Bool
  private let showsInfo: Bool
  private let isStrict: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.operands[0]
    outputPath = try arguments[Self.output]
    size = try arguments[Self.size].map { text throws(UsageError) in
      try PixelSize(option: "resize", text)
    }
    resampler = try arguments[Self.kernel] ?? .pillowBilinear
    fit = try arguments[Self.fit] ?? .stretch
    crop = try arguments[Self.crop].map { text throws(UsageError) in
      try BoundingBox(option: "crop", text)
    }
    orientation = try arguments[Self.orientation]
    isJSON = try arguments[Self.json]
    showsInfo = try arguments[Self.info] || isJSON
    isStrict = try arguments[Self.strict]
    isForced = try arguments[OutputClaims.force]
    guard outputPath != nil || showsInfo else {
      throw UsageError("nothing to do: say -o OUT to write the picture, or --info")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [path], isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    try claims.claimStandardOutput(for: isJSON ? "--json" : nil)
    let context = context.reporting(beside: claims)
    var options = ImageDecodingOptions()
    options.strict = isStrict
    var picture = try DecodedImage(ofFileOrStream: path, options: options)
    for warning in picture.warnings { context.complain("\(path): warning: \(warning)") }
    if let orientation { picture.image.orientation = orientation }
    if isJSON {
      try context.print(picture.json(path))
    } else if showsInfo {
      try context.write(picture.text(path) + "\n")
    }
    if let outputPath { try context.write(try result(of: picture.image), to: outputPath) }
    return .success
  }

  /// Returns the picture to be written.
  private func result(of image: Image) throws -> Image {
    let part = try crop.map { try image.cropped(to: $0) } ?? image
    let format: PixelFormat = [.rgba8, .bgra8].contains(image.format) ? .rgba8 : .rgb8
    let upright = try part.upright().converted(to: format)
    guard let size else { return upright }
    return fit == .stretch
      ? try upright.resized(to: size, using: resampler)
      : try upright.fitted(to: size, by: fit, using: resampler)
  }
}

extension Image {
  /// Returns the picture fitted to a size as RGB.
  fileprivate func fitted(
    to size: PixelSize, by fit: PictureFit, using resampler: Resampler
  ) throws -> Image {
    let preprocessor = try PicturePreprocessor(
      PictureTensor(size: size), resampler: resampler, fit: fit)
    var result = Image(uninitialized: .rgb8, size: size)
    let byteCount = result.byteCount
    try result.withUnsafeMutableBytes { bytes throws(ImageError) in
      _ = try preprocessor.fill(.init(rebasing: bytes[..<byteCount]), with: self)
    }
    return result
  }
}

extension DecodedImage {
  fileprivate func text(_ path: String) -> String {
    var lines = [
      "\(path): \(format), \(sourceSize) upright, \(image.format), stored \(image.storedSize), "
        + "orientation \(image.orientation.rawValue) (\(image.orientation))"
    ]
    lines += texts.map { "  \($0.keyword): \($0.text)".printableInLine }
    return lines.joined(separator: "\n")
  }

  fileprivate func json(_ path: String) -> JSONValue {
    [
      "image": .string(path), "format": .string("\(format)"),
      "width": .integer(sourceSize.width), "height": .integer(sourceSize.height),
      "stored_width": .integer(image.storedSize.width),
      "stored_height": .integer(image.storedSize.height), "pixels": .string("\(image.format)"),
      "orientation": .integer(image.orientation.rawValue),
      "texts": .array(texts.map { ["keyword": .string($0.keyword), "text": .string($0.text)] }),
      "warnings": .strings(warnings),
    ]
  }
}
