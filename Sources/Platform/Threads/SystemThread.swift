/// A thread of the system that calls one function.
///
/// Unchecked: the handle is written once, before anybody else sees it.
package final class SystemThread: @unchecked Sendable {
  private var handle = pthread_t()
  private let body: @Sendable () -> Void

  /// Starts a thread; `nil` if the system has none left.
  package init?(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    let argument = Unmanaged.passRetained(self)
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<SystemThread>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return nil
    }
  }

  /// Does work that waits, for the network, a lock or another program, on a thread of its own, and
  /// returns at once; on this thread where the system has none left.
  ///
  /// Such work must not sit on the few threads that Swift's tasks share.
  package static func run(_ work: @escaping @Sendable () -> Void) {
    guard let thread = SystemThread(work) else { return work() }
    pthread_detach(thread.handle)
  }

  /// Waits until the function has returned; to be called once.
  package func join() {
    pthread_join(handle, nil)
  }
}
