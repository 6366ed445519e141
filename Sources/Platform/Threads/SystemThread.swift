/// A system thread that calls one function.
///
/// Unchecked: the handle is written once, before the object is shared.
package final class SystemThread: @unchecked Sendable {
  private var handle = pthread_t()
  private let body: @Sendable () -> Void

  /// Starts a thread; `nil` if the system cannot make another one.
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

  /// Runs blocking work, such as waiting for the network or a lock, on a thread of its own.
  ///
  /// Such work must not occupy the few threads that Swift's tasks share. The call returns at once,
  /// unless the system cannot make another thread, when this thread does the work.
  package static func run(_ work: @escaping @Sendable () -> Void) {
    guard let thread = SystemThread(work) else { return work() }
    pthread_detach(thread.handle)
  }

  /// Waits until the function has returned; must be called once.
  package func join() {
    pthread_join(handle, nil)
  }
}
