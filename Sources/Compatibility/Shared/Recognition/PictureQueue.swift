import Foundation
import OcellusPlatform

/// What became of the pictures that a detector or labeler was given.
public struct PictureCounts: Hashable, Sendable {
  /// Those that were given.
  public var submitted = 0
  /// Those that were looked at.
  public var processed = 0
  /// Those of a stream that newer ones took the place of.
  public var dropped = 0
  /// Those that wait.
  public var waiting = 0
}

/// Answers to pictures, one picture after the other in the order in which they were given.
///
/// It holds few pictures: of a stream the newest that came while one is looked at, as the guides advise; in
/// the place of any other picture, the caller waits.
package final class PictureQueue<Answer: Sendable>: Sendable {
  private typealias Outcome = Result<[Answer], ProcessingError>

  /// A picture, and who wants to know.
  private struct Request: Sendable {
    var picture: SuppliedPicture?
    var deliver: @Sendable (Outcome) -> Void
  }

  private struct State {
    var waiting: [Request] = []
    var counts = PictureCounts()
  }

  /// How many single pictures may wait before callers do.
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

  /// What became of the pictures so far.
  package var counts: PictureCounts {
    state.change { state in
      var counts = state.counts
      counts.waiting = state.waiting.count
      return counts
    }
  }

  /// The answers, when the pictures before this one have theirs.
  ///
  /// The originals forbid the main thread; here nothing waits for it, and so it may wait.
  package func answers(to picture: SuppliedPicture?) throws(ProcessingError) -> [Answer] {
    state.change { $0.counts.submitted += 1 }
    return try queue.sync { result(for: picture) }.get()
  }

  /// Returns at once, or when few enough pictures wait; the answers come on the main queue.
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

  /// Returns with the answers: a task that waits holds no thread.
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

  /// Looks at the picture that came first; there is none where a newer one took its place.
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
