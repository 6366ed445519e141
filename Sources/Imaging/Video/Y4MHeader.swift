/// The first line of a Y4M video.
struct Y4MHeader {
  /// How many pixels share a colour.
  enum Sampling: String, CaseIterable {
    case mono
    case half420 = "420"
    case half422 = "422"
    case full444 = "444"

    /// The sampling that the value of the C parameter says: where in the four pixels of 4:2:0 the
    /// colour lies (jpeg, mpeg2, paldv) makes no difference here.
    init?(parameter: Substring) {
      switch parameter {
      case "420", "420jpeg", "420mpeg2", "420paldv": self = .half420
      default: self.init(rawValue: String(parameter))
      }
    }
  }

  static let signature = "YUV4MPEG2 "

  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var frameRate: FrameRate?
  private(set) var sampling = Sampling.half420
  private(set) var range = YCbCrEncoding.Range.video

  init(line: String) throws(ImageError) {
    guard line.hasPrefix(Self.signature), line.hasSuffix("\n") else {
      throw ImageError(
        .malformed, "a Y4M file begins with a line of YUV4MPEG2 and parameters", byteOffset: 0)
    }
    for parameter in line.dropFirst(Self.signature.count).dropLast().split(separator: " ") {
      try read(parameter.first ?? " ", parameter.dropFirst())
    }
    guard size.width > 0, size.height > 0 else {
      throw ImageError(.malformed, "the first line lacks W and H, the size", byteOffset: 0)
    }
  }

  private mutating func read(_ name: Character, _ value: Substring) throws(ImageError) {
    switch name {
    case "W": size.width = try number(value)
    case "H": size.height = try number(value)
    case "F":
      let parts = value.split(separator: ":")
      guard parts.count == 2 else { throw malformed("F\(value)") }
      // 0:0 is for a rate that is not known.
      frameRate = FrameRate(frames: try number(parts[0]), seconds: try number(parts[1]))
    case "C":
      guard let sampling = Sampling(parameter: value) else {
        throw ImageError(
          .unsupported,
          "colours of kind C\(value) are not read; only 420, 422, 444 and mono, of 8 bits. "
            + "`ffmpeg -pix_fmt yuv420p` converts them", byteOffset: 0)
      }
      self.sampling = sampling
    case "X":
      // FFmpeg's way to say it; the format itself has none.
      if value == "COLORRANGE=FULL" { range = .full }
    default:
      // Interlacing (I), the aspect of pixels (A), and what may come.
      break
    }
  }

  private func number(_ text: Substring) throws(ImageError) -> Int {
    guard let number = Int32(text), number >= 0 else { throw malformed(text) }
    return Int(number)
  }

  private func malformed(_ text: some StringProtocol) -> ImageError {
    ImageError(.malformed, "'\(text)' is no value of a Y4M parameter", byteOffset: 0)
  }
}

extension Y4MHeader {
  /// The first line of a video to write.
  static func line(
    size: PixelSize, frameRate: FrameRate, sampling: Sampling, range: YCbCrEncoding.Range
  ) -> String {
    let color = sampling == .half420 ? "420jpeg" : sampling.rawValue
    return "\(signature)W\(size.width) H\(size.height) F\(frameRate) Ip A1:1 C\(color) "
      + "XCOLORRANGE=\(range == .full ? "FULL" : "LIMITED")\n"
  }
}
