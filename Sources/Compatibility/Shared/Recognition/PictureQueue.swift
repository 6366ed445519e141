import Foundation

/// Answers to pictures, one picture after the other in the order in which they were given.
package final class PictureQueue<Answer: Sendable>: Sendable {
  private let queue = DispatchQueue(label: "ocellus.pictures", qos: .userInitiated)
  private let answer: @Sendable (SuppliedPicture) throws(ProcessingError) -> [Answer]

  package init(
    _ answer: @escaping @Sendable (SuppliedPicture) throws(ProcessingError) -> [Answer]
  ) {
    self.answer = answer
  }

  /// The answers, when the pictures before this one have theirs.
  ///
  /// The originals forbid the main thread; here nothing waits for it, and so it may wait.
  package func answers(to picture: SuppliedPicture?) throws(ProcessingError) -> [Answer] {
    try queue.sync { result(for: picture) }.get()
  }

  /// Returns at once; the answers come on the main queue.
  package func process(
    _ picture: SuppliedPicture?,
    completion: @escaping @MainActor ([Answer]?, (any Error)?) -> Void
  ) {
    queue.async { [self] in
      let result = result(for: picture)
      DispatchQueue.main.async {
        switch result {
        case .success(let answers): completion(answers, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  /// Returns with the answers.
  nonisolated(nonsending) package func process(
    _ picture: SuppliedPicture?
  ) async throws -> [Answer] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in continuation.resume(with: result(for: picture)) }
    }
  }

  private func result(for picture: SuppliedPicture?) -> Result<[Answer], ProcessingError> {
    Result { () throws(ProcessingError) in
      guard let picture, picture.hasPixels else { throw .invalidImage }
      return try answer(picture)
    }
  }
}
