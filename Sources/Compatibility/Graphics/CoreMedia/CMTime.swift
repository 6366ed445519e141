// swift-format-ignore-file: AlwaysUseLowerCamelCase

import OcellusImaging

/// The number of units in a second.
public typealias CMTimeScale = Int32
/// A number of units of time.
public typealias CMTimeValue = Int64

/// A time as a number of fractions of a second.
public struct CMTime: Hashable, Sendable {
  /// The number of units.
  public var value: CMTimeValue
  /// The number of units in a second.
  public var timescale: CMTimeScale

  /// Creates a time.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.value = value
    self.timescale = timescale
  }

  /// Creates the nearest time to a number of seconds.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    let units = (seconds * Double(preferredTimescale)).rounded()
    value = CMTimeValue(exactly: units) ?? (units < 0 ? .min : .max)
    timescale = preferredTimescale
  }

  /// Creates a time in nanoseconds.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (value, more) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    self.init(
      value: overflow || more ? (seconds < 0 ? .min : .max) : value, timescale: 1_000_000_000)
  }

  /// The time in seconds; not a number without units.
  public var seconds: Double { timescale == 0 ? .nan : Double(value) / Double(timescale) }

  /// The beginning.
  public static let zero = CMTime(value: 0, timescale: 1)
}

/// Creates a time.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Returns a time in seconds.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

extension SampleBuffer {
  /// Creates a video frame from a pixel buffer, which is copied; `nil` if it is no picture.
  public init?(imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime) {
    guard let image = try? Image(imageBuffer), presentationTimeStamp.timescale > 0 else {
      return nil
    }
    self.init(image: image, presentationTime: .seconds(presentationTimeStamp.seconds))
  }
}
