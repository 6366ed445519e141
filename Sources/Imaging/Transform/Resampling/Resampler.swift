/// How a picture is brought to another size: a rule that another library made, named after it.
///
/// Results on 8-bit pictures are those of the library, pixel by pixel, so that a network sees what it
/// saw when it was trained.
public enum Resampler: String, CaseIterable, Hashable, Sendable {
  /// TensorFlow's RESIZE_NEAREST_NEIGHBOR with half-pixel centres.
  case tensorFlowNearest = "tf-nearest"
  /// TensorFlow's RESIZE_BILINEAR with half-pixel centres: four pixels, however small the result.
  case tensorFlowBilinear = "tf-bilinear"
  /// TensorFlow's RESIZE_BILINEAR with aligned corners: the outermost pixels keep their places.
  case tensorFlowBilinearAlignCorners = "tf-bilinear-align-corners"
  /// Pillow's NEAREST.
  case pillowNearest = "pil-nearest"
  /// Pillow's BOX: the mean of all pixels that a pixel of the result covers.
  case pillowBox = "pil-box"
  /// Pillow's BILINEAR, antialiased: its triangle grows as the picture shrinks.
  case pillowBilinear = "pil-bilinear"
  /// Pillow's BICUBIC, antialiased.
  case pillowBicubic = "pil-bicubic"
  /// Pillow's LANCZOS: a windowed sinc of three lobes, antialiased.
  case pillowLanczos = "pil-lanczos"
  /// OpenCV's INTER_NEAREST.
  case openCVNearest = "cv-nearest"
  /// OpenCV's INTER_LINEAR: four pixels, however small the result.
  case openCVLinear = "cv-linear"
  /// OpenCV's INTER_AREA: the mean of an area where both sides shrink, else a kind of INTER_LINEAR.
  case openCVArea = "cv-area"

  /// The name on the command line, such as `pil-lanczos`.
  public var name: String { rawValue }

  /// The resampler with this name.
  public init(named name: String) throws(ImageError) {
    guard let resampler = Resampler(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ImageError(.unsupported, "there is no resampler \"\(name)\"; there are \(names)")
    }
    self = resampler
  }
}
