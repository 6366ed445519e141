public import OcellusEngine

/// A type whose instances can work in a pool: it can be duplicated and cancelled.
public protocol PooledViewer: Sendable {
  /// The largest useful number of instances; `nil` for any number.
  var largestPool: Int? { get }
  /// The cancellations of the work in progress, usable from any thread.
  var cancellations: [Cancellation] { get }
  /// Creates another instance that shares the model's file and its packed weights.
  func duplicate() throws(VisionError) -> Self
}

extension PooledViewer {
  /// `nil`: any number.
  public var largestPool: Int? { nil }

  /// Whether pictures may be processed in any order, by any of several instances.
  var isReplicable: Bool { largestPool != 1 }
}

extension ObjectDetector: PooledViewer {
  /// The cancellation of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ImageLabeler: PooledViewer {
  /// The cancellation of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ImageSegmenter: PooledViewer {
  /// The cancellation of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension PoseFinder: PooledViewer {
  /// The cancellation of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ImageEmbedder: PooledViewer {
  /// The cancellation of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] { [network.cancellation] }
}

extension ObjectRecognizer: PooledViewer {
  /// 1 for streams, as the identities belong to one recognizer; otherwise `nil`.
  public var largestPool: Int? { options.mode == .stream ? 1 : nil }

  /// The cancellations of the run in progress and of all later ones, until `resume()` is called.
  public var cancellations: [Cancellation] {
    detector.cancellations + (classifier?.cancellations ?? [])
  }
}
