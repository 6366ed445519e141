import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusVision

/// An error that the client is told, with the status of its answer.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
  package var status: Int
  /// What went wrong, and what to do about it.
  package var message: String
  /// The headers of the answer that say what would be right.
  package var headers: [(name: String, value: String)]

  package init(_ status: Int, _ message: String, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  package var description: String { message }

  /// Makes the answer to a request that failed with an error.
  ///
  /// A model or picture that cannot be processed is the client's matter, a lack of room is ours.
  package init(_ error: any Error, limits: ServerLimits) {
    switch error {
    case let error as HTTPError: self = error
    case let error as ImageError: self.init(error)
    case let error as ModelError: self.init(error, limits)
    case VisionError.image(let error): self.init(error)
    case VisionError.model(let error): self.init(error, limits)
    case VisionError.busy(let message):
      self.init(503, "\(message); try again in a moment")
    case VisionError.mismatched(let message): self.init(422, message)
    case VisionError.tracking(let error): self.init(422, "\(error)")
    case let error as VisionError: self.init(422, "\(error)")
    case is CancellationError: self.init(503, "the server is being stopped; try again")
    default: self.init(500, "\(error)")
    }
  }

  private init(_ error: ImageError) {
    // The status says what kind of error it is.
    let place = error.byteOffset.map { $0 > 0 ? " (byte \($0) of the picture)" : "" } ?? ""
    let message = error.message + place
    switch error.kind {
    case .tooLarge: self.init(413, "\(message); send a smaller picture")
    case .unsupported: self.init(415, message)
    case .malformed, .unreadable, .mismatched: self.init(422, message)
    }
  }

  private init(_ error: ModelError, _ limits: ServerLimits) {
    switch error.kind {
    case .deadlineExceeded:
      self.init(
        504, "\(error): a request may take \(limits.requestTime), waiting included; try again later"
      )
    case .cancelled: self.init(503, "\(error); try again")
    case .mismatch: self.init(400, "\(error)")
    case .overBudget: self.init(413, "\(error)")
    default: self.init(422, "\(error)")
    }
  }

  /// The answer, with a document about the error.
  func response(_ document: JSONValue) -> HTTPResponse {
    var response = HTTPResponse.json(document, status: status)
    response.headers += headers
    switch status {
    case 401: response.headers.append(("WWW-Authenticate", "Bearer"))
    case 503: response.headers.append(("Retry-After", "1"))
    default: break
    }
    return response
  }
}
