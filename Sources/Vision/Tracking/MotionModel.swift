/// The parameters of the Kalman filter: the motion of boxes and the accuracy of detectors.
///
/// The filters of SORT, ByteTrack, BoT-SORT and OC-SORT all have diagonal noise and constant
/// velocity, so each separates into four filters of one coordinate and its velocity. They differ
/// only in the coordinates and in these numbers.
public struct MotionModel: Hashable, Sendable {
  /// The four coordinates of a box in the filter.
  public enum Coordinates: Hashable, Sendable {
    /// Centre, area, and aspect ratio (width / height), as in SORT (Bewley and others 2016).
    case centerAreaRatio
    /// Centre, aspect ratio, and height, as in DeepSORT and ByteTrack (Zhang and others 2022).
    case centerRatioHeight
    /// Centre, width and height, as in BoT-SORT (Aharon and others 2022).
    case centerSize
  }

  /// Standard deviations of the four coordinates: a fixed term and one relative to the size.
  ///
  /// The size is the height for `centerRatioHeight`; for `centerSize`, the width for horizontal and
  /// the height for vertical coordinates.
  public struct Noise: Hashable, Sendable {
    /// The term that is equal for all objects, in the units of the coordinates.
    public var fixed: SIMD4<Double>
    /// The factor of the term that is proportional to the object's size.
    public var relative: SIMD4<Double>

    /// Creates a standard deviation of `fixed` plus `relative` times the object's size.
    public init(fixed: SIMD4<Double> = .zero, relative: SIMD4<Double> = .zero) {
      self.fixed = fixed
      self.relative = relative
    }
  }

  /// The four coordinates of a box in the filter.
  public var coordinates: Coordinates
  /// The noise of observed coordinates.
  public var measurementNoise: Noise
  /// The noise of the coordinates' motion in one `timeUnit`.
  public var positionNoise: Noise
  /// The noise of the velocities in one `timeUnit`, in coordinates per `timeUnit`.
  public var velocityNoise: Noise
  /// The noise of the first observation.
  public var initialPositionNoise: Noise
  /// The deviation of a new object's unknown velocity, in coordinates per `timeUnit`.
  public var initialVelocityNoise: Noise
  /// Whether the size of a lost object stays constant, as in ByteTrack and BoT-SORT.
  public var keepsSizeOfLostTracks: Bool
  /// Whether the noise of observations is multiplied by 1 − score (NSA Kalman, Du and others 2021).
  public var weighsScores: Bool
  /// The time that the noise numbers refer to; published numbers are for frames at 30 per second.
  public var timeUnit: Duration

  /// The largest expected ratio of a prediction's squared error to its variance.
  ///
  /// An object with a larger ratio has changed its course, so the uncertainty of its velocity is
  /// increased (fading memory, as in strong tracking filters).
  public var greatestSurprise = Double.infinity

  /// The time unit in seconds, always above 0.
  var unitSeconds: Double { max(timeUnit / .seconds(1), 1e-9) }
}

extension MotionModel {
  /// The frame duration that the published numbers refer to.
  public static let publishedTimeUnit = Duration.seconds(1) / 30

  /// The filter of SORT: fixed noise in pixels.
  public static let sort = MotionModel(
    coordinates: .centerAreaRatio,
    measurementNoise: Noise(fixed: [1, 1, 10.0.squareRoot(), 10.0.squareRoot()]),
    positionNoise: Noise(fixed: [1, 1, 1, 1]),
    velocityNoise: Noise(fixed: [0.1, 0.1, 0.01, 0]),
    initialPositionNoise: Noise(fixed: .init(repeating: 10.0.squareRoot())),
    initialVelocityNoise: Noise(fixed: [100, 100, 100, 0]),
    keepsSizeOfLostTracks: false, weighsScores: false, timeUnit: publishedTimeUnit)

  /// The filter of ByteTrack: noise proportional to the height.
  public static let byteTrack = MotionModel(
    coordinates: .centerRatioHeight,
    measurementNoise: Noise(fixed: [0, 0, 0.1, 0], relative: [0.05, 0.05, 0, 0.05]),
    positionNoise: Noise(fixed: [0, 0, 0.01, 0], relative: [0.05, 0.05, 0, 0.05]),
    velocityNoise: Noise(
      fixed: [0, 0, 1e-5, 0], relative: [1.0 / 160, 1.0 / 160, 0, 1.0 / 160]),
    initialPositionNoise: Noise(fixed: [0, 0, 0.01, 0], relative: [0.1, 0.1, 0, 0.1]),
    initialVelocityNoise: Noise(
      fixed: [0, 0, 1e-5, 0], relative: [1.0 / 16, 1.0 / 16, 0, 1.0 / 16]),
    keepsSizeOfLostTracks: true, weighsScores: false, timeUnit: publishedTimeUnit)

  /// The filter of BoT-SORT: ByteTrack's with width and height as coordinates.
  public static let botSort = MotionModel(
    coordinates: .centerSize,
    measurementNoise: Noise(relative: .init(repeating: 0.05)),
    positionNoise: Noise(relative: .init(repeating: 0.05)),
    velocityNoise: Noise(relative: .init(repeating: 1.0 / 160)),
    initialPositionNoise: Noise(relative: .init(repeating: 0.1)),
    initialVelocityNoise: Noise(relative: .init(repeating: 1.0 / 16)),
    keepsSizeOfLostTracks: true, weighsScores: false, timeUnit: publishedTimeUnit)

  /// BoT-SORT's filter with steadier velocities and sizes.
  ///
  /// Velocities have less than half the noise, unless an object leaves its course.
  public static let steady: MotionModel = {
    var model = botSort
    model.velocityNoise = Noise(relative: [1.0 / 360, 1.0 / 360, 1.0 / 1000, 1.0 / 1000])
    model.greatestSurprise = 3
    return model
  }()
}
