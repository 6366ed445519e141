import Foundation
import OcellusPlatform

/// The numbers of pictures that a detector or labeler has received, by their state.
public struct PictureCounts: Hashable, Sendable {
  /// The number of pictures received.
  public var submitted = 0
  /// The number of pictures processed.
  public var processed = 0
  /// The number of pictures of a stream that were replaced by newer ones.
  public var dropped = 0
  /// The number of pictures that are waiting.
  public var waiting = 0
}

/// A queue that processes pictures one by one, in the order in which they were received.
///
/// Few pictures wait. Of a stream, only the newest one waits, as the guides advise. A caller with a
/// single picture is blocked while `capacity` pictures wait, and an async task is suspended.
package final class PictureQueue<Answer: Sendable>: Sendable {
  private typealias Outcome = Result<[Answer], ProcessingError>

  /// A picture, with the callback for its results.
  private struct Request: Sendable {
    var picture: SuppliedPicture?
    var deliver: @Sendable (Outcome) -> Void
  }

  private struct State {
    var waiting: [Request] = []
    var counts = PictureCounts()
  }

  /// The number of waiting single pictures at which callers are blocked.
  private static var capacity: Int { 4 }

  private let isStream: Bool
  private let answer: @Sendable (SuppliedPicture) throws(ProcessingError) -> [Answer]
  private let queue = DispatchQueue(label: "ocellus.pictures", qos: .userInitiated)
  private let state = Monitor(State())

  package init(
    isStream: Bool = false,
    _ answer: @escaping @Sendable (SuppliedPicture) throws(ProcessingError) -> [Answer]
  ) {
    self.isStream = isStream
    self.answer = answer
  }

  /// The numbers of pictures so far.
  package var counts: PictureCounts {
    state.change { state in
      var counts = state.counts
      counts.waiting = state.waiting.count
      return counts
    }
  }

  /// Processes a picture synchronously, after the earlier pictures.
  ///
  /// Unlike the original APIs, this may block the main thread, because the processing never waits
  /// for it.
  package func answers(to picture: SuppliedPicture?) throws(ProcessingError) -> [Answer] {
    state.change { $0.counts.submitted += 1 }
    return try queue.sync { result(for: picture) }.get()
  }

  /// Submits a picture, blocking while the queue is full; the results are delivered on the main
  /// queue.
  package func process(
    _ picture: SuppliedPicture?,
    completion: @escaping @MainActor ([Answer]?, (any Error)?) -> Void
  ) {
    if !isStream { state.wait { $0.waiting.count < Self.capacity ? () : nil } }
    submit(
      Request(picture: picture) { outcome in
        DispatchQueue.main.async {
          switch outcome {
          case .success(let answers): completion(answers, nil)
          case .failure(let error): completion(nil, error)
          }
        }
      })
  }

  /// Processes a picture; the waiting task is suspended and occupies no thread.
  nonisolated(nonsending) package func process(
    _ picture: SuppliedPicture?
  ) async throws -> [Answer] {
    try await withCheckedThrowingContinuation { continuation in
      submit(Request(picture: picture) { continuation.resume(with: $0) })
    }
  }

  private func submit(_ request: Request) {
    let dropped = state.change { state in
      state.counts.submitted += 1
      let dropped = isStream ? state.waiting : []
      state.counts.dropped += dropped.count
      state.waiting.removeFirst(dropped.count)
      state.waiting.append(request)
      return dropped
    }
    for request in dropped { request.deliver(.failure(.dropped)) }
    queue.async { [self] in answerNext() }
  }

  /// Processes the picture at the head; there is none if a newer one replaced it.
  private func answerNext() {
    let request = state.change { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    if let request { request.deliver(result(for: request.picture)) }
  }

  private func result(for picture: SuppliedPicture?) -> Outcome {
    state.change { $0.counts.processed += 1 }
    return Result { () throws(ProcessingError) in
      guard let picture, picture.hasPixels else { throw .invalidImage }
      return try answer(picture)
    }
  }
}
