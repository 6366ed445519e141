/// How boxes move, and how far detectors are to be trusted: the parameters of the Kalman filter.
///
/// The filters of SORT, ByteTrack, BoT-SORT and OC-SORT all have diagonal noise and a constant
/// velocity, so that each falls apart into four filters of one coordinate and its velocity. They
/// differ by coordinates and by these numbers only.
public struct MotionModel: Hashable, Sendable {
  /// The four numbers that a box is for the filter.
  public enum Coordinates: Hashable, Sendable {
    /// Middle, area, and width by height, as in SORT (Bewley and others 2016).
    case centerAreaRatio
    /// Middle, width by height, and height, as in DeepSORT and ByteTrack (Zhang and others 2022).
    case centerRatioHeight
    /// Middle, width and height, as in BoT-SORT (Aharon and others 2022).
    case centerSize
  }

  /// Standard deviations of the four coordinates: a fixed part, and one in proportion to the object.
  ///
  /// The proportion is to the height for `centerRatioHeight`, and to the width for the horizontal
  /// coordinates and the height for the vertical ones for `centerSize`.
  public struct Noise: Hashable, Sendable {
    /// The part that is the same for all objects, in the units of the coordinates.
    public var fixed: SIMD4<Double>
    /// The part that grows with the object.
    public var relative: SIMD4<Double>

    /// A standard deviation of `fixed` and `relative` times the size of the object.
    public init(fixed: SIMD4<Double> = .zero, relative: SIMD4<Double> = .zero) {
      self.fixed = fixed
      self.relative = relative
    }
  }

  /// The four numbers that a box is.
  public var coordinates: Coordinates
  /// How far observed coordinates are off.
  public var measurementNoise: Noise
  /// How much the coordinates stray from their course in one `timeUnit`.
  public var positionNoise: Noise
  /// How much the velocities change in one `timeUnit`, in coordinates a `timeUnit`.
  public var velocityNoise: Noise
  /// How far the first observation is off.
  public var initialPositionNoise: Noise
  /// How large velocities are that nothing is known about, in coordinates a `timeUnit`.
  public var initialVelocityNoise: Noise
  /// Whether an object that is out of sight keeps its size, as in ByteTrack and BoT-SORT.
  public var keepsSizeOfLostTracks: Bool
  /// Whether observations with a high score count for more: their noise is multiplied by
  /// 1 − score (NSA Kalman filter, Du and others 2021).
  public var weighsScores: Bool
  /// The time that the noise of a step is for: published numbers are for one frame of 30 a second.
  public var timeUnit: Duration

  /// How many times its variance the squared error of a prediction may be before the object is taken to have changed
  /// its course, and its velocity to be less known (a fading memory, as in strong tracking filters).
  public var greatestSurprise = Double.infinity

  /// The time unit in seconds, above 0 whatever was set.
  var unitSeconds: Double { max(timeUnit / .seconds(1), 1e-9) }
}

extension MotionModel {
  /// The duration of a frame for which the numbers of the papers were found.
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

  /// The filter of ByteTrack: noise in proportion to the height.
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

  /// The filter of BoT-SORT: that of ByteTrack with width and height for coordinates.
  public static let botSort = MotionModel(
    coordinates: .centerSize,
    measurementNoise: Noise(relative: .init(repeating: 0.05)),
    positionNoise: Noise(relative: .init(repeating: 0.05)),
    velocityNoise: Noise(relative: .init(repeating: 1.0 / 160)),
    initialPositionNoise: Noise(relative: .init(repeating: 0.1)),
    initialVelocityNoise: Noise(relative: .init(repeating: 1.0 / 16)),
    keepsSizeOfLostTracks: true, weighsScores: false, timeUnit: publishedTimeUnit)

  /// The filter of BoT-SORT with velocities that change half as fast unless an object is seen to leave its course,
  /// and sizes that change steadily.
  public static let steady: MotionModel = {
    var model = botSort
    model.velocityNoise = Noise(relative: [1.0 / 360, 1.0 / 360, 1.0 / 1000, 1.0 / 1000])
    model.greatestSurprise = 3
    return model
  }()
}
