/// The limits on what clients may take of a server.
package struct ServerLimits: Sendable {
  /// The most bytes of a request's body.
  package var bodyBytes = 32 << 20
  /// The most bytes of all bodies that are being received or worked on.
  package var allBodyBytes = 256 << 20
  /// The most bytes of a request's headers.
  package var headerBytes = 64 << 10
  /// The most connections.
  package var connections = 1024
  /// The most megapixels of a picture, before it is reduced.
  package var megapixels = 200
  /// The most requests that wait for a viewer of their model.
  package var waitingRequests = 64
  /// The time that a request may take, from its last byte to its answer.
  package var requestTime = Duration.seconds(30)
  /// The time in which the headers of a request must arrive.
  package var headerTime = Duration.seconds(10)
  /// The time in which the body of a request must arrive.
  package var bodyTime = Duration.seconds(30)
  /// The time in which the client must take its answer.
  package var answerTime = Duration.seconds(60)
  /// The time that a connection without a request is kept.
  package var idleTime = Duration.seconds(60)
  /// The time that requests have to end when the server is being stopped.
  package var drainTime = Duration.seconds(30)

  package init() {}
}
