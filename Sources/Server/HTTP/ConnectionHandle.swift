import CMicrohttpd

/// A connection of libmicrohttpd.
///
/// Unchecked: libmicrohttpd allows suspending and resuming from any thread; everything else is done by
/// the connection's own thread.
struct ConnectionHandle: Hashable, @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  /// Stops the connection's input and output until it is resumed.
  func suspend() { MHD_suspend_connection(pointer) }

  func resume() { MHD_resume_connection(pointer) }
}
