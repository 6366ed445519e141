/// A thread for work that waits: for the network, a lock, another program.
///
/// Such work must not sit on the few threads that Swift's tasks share.
package enum DetachedThread {
  /// Does the work on a thread of its own and returns at once; on this thread where the system has
  /// none left.
  package static func run(_ work: @escaping @Sendable () -> Void) {
    let errand = Unmanaged.passRetained(Errand(work: work))
    var handle = pthread_t()
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Errand>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, errand.toOpaque())
    guard status == 0 else { return errand.takeRetainedValue().work() }
    pthread_detach(handle)
  }

  private final class Errand: Sendable {
    let work: @Sendable () -> Void

    init(work: @escaping @Sendable () -> Void) { self.work = work }
  }
}
