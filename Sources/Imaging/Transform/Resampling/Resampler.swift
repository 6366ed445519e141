/// A rule for resizing pictures, named after the library and the method that define it.
///
/// Results on 8-bit pictures equal those of the library in every pixel, so that a network gets the
/// same input as in training.
public enum Resampler: String, CaseIterable, Hashable, Sendable {
  /// TensorFlow's RESIZE_NEAREST_NEIGHBOR with half-pixel centres.
  case tensorFlowNearest = "tf-nearest"
  /// TensorFlow's RESIZE_BILINEAR with half-pixel centres; mixes four pixels, without antialiasing.
  case tensorFlowBilinear = "tf-bilinear"
  /// TensorFlow's RESIZE_BILINEAR with aligned corners: the corner pixels keep their positions.
  case tensorFlowBilinearAlignCorners = "tf-bilinear-align-corners"
  /// Pillow's NEAREST.
  case pillowNearest = "pil-nearest"
  /// Pillow's BOX: the mean of all input pixels that an output pixel covers.
  case pillowBox = "pil-box"
  /// Pillow's BILINEAR, antialiased: the triangle kernel widens when reducing.
  case pillowBilinear = "pil-bilinear"
  /// Pillow's BICUBIC, antialiased.
  case pillowBicubic = "pil-bicubic"
  /// Pillow's LANCZOS: a windowed sinc of three lobes, antialiased.
  case pillowLanczos = "pil-lanczos"
  /// OpenCV's INTER_NEAREST.
  case openCVNearest = "cv-nearest"
  /// OpenCV's INTER_LINEAR; mixes four pixels, without antialiasing.
  case openCVLinear = "cv-linear"
  /// OpenCV's INTER_AREA: the mean of an area if both sides shrink, else a kind of INTER_LINEAR.
  case openCVArea = "cv-area"

  /// The name on the command line, such as `pil-lanczos`.
  public var name: String { rawValue }

  /// Returns the resampler with this name, or throws.
  public init(named name: String) throws(ImageError) {
    guard let resampler = Resampler(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ImageError(.unsupported, "there is no resampler \"\(name)\"; there are \(names)")
    }
    self = resampler
  }
}
