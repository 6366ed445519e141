/// How many pictures of a video there are in a second, as a fraction.
public struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// The number of pictures that are seen in `seconds` seconds.
  public let frames: Int
  /// The number of seconds in which `frames` pictures are seen.
  public let seconds: Int

  /// `frames` pictures in `seconds` seconds; both from 1 to 2³¹ − 1.
  public init?(frames: Int, seconds: Int = 1) {
    let range = 1...Int(Int32.max)
    guard range.contains(frames), range.contains(seconds) else { return nil }
    self.frames = frames
    self.seconds = seconds
  }

  /// 25 pictures a second, for videos that do not say.
  public static let usual = FrameRate(25)

  private init(_ frames: Int) {
    self.frames = frames
    seconds = 1
  }

  /// When the picture with this number, counted from 0, is seen.
  public func timestamp(of index: Int) -> Duration { .seconds(seconds) * index / frames }

  /// The fraction as Y4M files write it: `30000:1001`.
  public var description: String { "\(frames):\(seconds)" }
}
