/// The number of frames per second, as a fraction.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// The numerator: the number of frames in `seconds` seconds.
  public let frames: Int
  /// The denominator: the number of seconds for `frames` frames.
  public let seconds: Int

  /// Creates a rate of `frames` per `seconds`; both must be from 1 to 2³¹ − 1.
  public init?(frames: Int, seconds: Int = 1) {
    let range = 1...Int(Int32.max)
    guard range.contains(frames), range.contains(seconds) else { return nil }
    self.frames = frames
    self.seconds = seconds
  }

  /// 25 frames per second, for videos without a rate.
  public static let usual = FrameRate(25)

  private init(_ frames: Int) {
    self.frames = frames
    seconds = 1
  }

  /// Returns the presentation time of the frame with this index, which starts at 0.
  public func timestamp(of index: Int) -> Duration { .seconds(seconds) * index / frames }

  /// The fraction in the notation of Y4M files: `30000:1001`.
  public var description: String { "\(frames):\(seconds)" }
}
