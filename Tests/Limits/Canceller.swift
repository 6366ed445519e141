import OcellusEngine
import OcellusPlatform

/// A thread that cancels a run.
enum Canceller {
  private final class Order: Sendable {
    let cancellation: Cancellation
    let milliseconds: Int

    init(_ cancellation: Cancellation, after milliseconds: Int) {
      self.cancellation = cancellation
      self.milliseconds = milliseconds
    }
  }

  /// Cancels the interpreter's run after a number of milliseconds.
  static func cancel(_ interpreter: Interpreter, after milliseconds: Int) {
    let order = Order(interpreter.cancellation, after: milliseconds)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let order = Unmanaged<Order>.fromOpaque(argument).takeRetainedValue()
        usleep(UInt32(order.milliseconds) * 1000)
        order.cancellation.cancel()
        return nil
      }, Unmanaged.passRetained(order).toOpaque())
    precondition(result == 0, "no thread")
    pthread_detach(thread)
  }
}
