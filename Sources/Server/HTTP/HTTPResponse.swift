package import OcellusJSON

/// An answer to a request.
package struct HTTPResponse: Sendable {
  /// What follows the headers.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Events that are sent as they happen, until the client leaves or the server ends.
    case events(EventQueue)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(
    _ status: Int, type: String, _ bytes: [UInt8], headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.headers = [("Content-Type", type)] + headers
    body = .bytes(bytes)
  }

  /// Makes an answer of one line of JSON.
  package static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status, type: "application/json", Array((value.text + "\n").utf8))
  }

  /// Makes an answer without contents.
  package static func empty(_ status: Int = 200) -> HTTPResponse {
    HTTPResponse(status, type: "application/json", [])
  }

  /// Makes an answer of text.
  package static func text(_ text: String, type: String = "text/plain; charset=utf-8")
    -> HTTPResponse
  { HTTPResponse(200, type: type, Array(text.utf8)) }

  /// Makes an endless answer of events.
  package static func events(_ queue: EventQueue) -> HTTPResponse {
    var response = HTTPResponse(200, type: "text/event-stream", [])
    response.headers.append(("Cache-Control", "no-store"))
    response.body = .events(queue)
    return response
  }

  /// The bytes of the body; empty for events.
  package var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }
}
