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

  /// Waits until the function has returned; to be called once.
  package func join() {
    pthread_join(handle, nil)
  }
}
