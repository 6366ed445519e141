public import OcellusEngine

/// What can work in a pool: it makes others of its kind, and can be stopped.
public protocol PooledViewer: Sendable {
  /// The most that make sense of one kind; `nil` for any number.
  var largestPool: Int? { get }
  /// What stops the work in progress, from any thread.
  var cancellations: [Cancellation] { get }
  /// Another one of the same kind, which shares the model's file and its packed weights.
  func duplicate() throws(VisionError) -> Self
}

extension PooledViewer {
  /// Any number.
  public var largestPool: Int? { nil }
}

extension ObjectDetector: PooledViewer {
  /// Stops the run in progress, and all later ones until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ImageLabeler: PooledViewer {
  /// Stops the run in progress, and all later ones until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ObjectRecognizer: PooledViewer {
  /// One where pictures follow each other: identities are one recognizer's.
  public var largestPool: Int? { options.mode == .stream ? 1 : nil }

  /// Stop the run in progress, and all later ones until `resume()` is called.
  public var cancellations: [Cancellation] {
    detector.cancellations + (classifier?.cancellations ?? [])
  }
}
