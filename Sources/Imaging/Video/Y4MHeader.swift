/// The header line of a Y4M video.
struct Y4MHeader {
  /// The chroma subsampling.
  enum Sampling: String, CaseIterable {
    case mono
    case half420 = "420"
    case half422 = "422"
    case full444 = "444"

    /// Parses the value of the C parameter.
    ///
    /// The siting of chroma in 4:2:0 (jpeg, mpeg2, paldv) is ignored.
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
      // 0:0 stands for an unknown rate.
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
      // An extension of FFmpeg; the format itself cannot express the range.
      if value == "COLORRANGE=FULL" { range = .full }
    default:
      // Interlacing (I), the pixel aspect ratio (A) and unknown parameters are ignored.
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
  /// Returns the header line of a video to write.
  static func line(
    size: PixelSize, frameRate: FrameRate, sampling: Sampling, range: YCbCrEncoding.Range
  ) -> String {
    let color = sampling == .half420 ? "420jpeg" : sampling.rawValue
    return "\(signature)W\(size.width) H\(size.height) F\(frameRate) Ip A1:1 C\(color) "
      + "XCOLORRANGE=\(range == .full ? "FULL" : "LIMITED")\n"
  }
}
