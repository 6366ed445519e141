import OcellusPlatform

/// A progress line on the terminal; it does not appear for short tasks.
final class ProgressLine {
  /// The number of seconds before the line appears.
  private static let patience = 2.0
  private static let interval = 0.1
  private let context: CommandContext
  private let start = MonotonicTime.now
  private var lastShown = MonotonicTime.now
  private var isShowing = false

  init(in context: CommandContext) {
    self.context = context
  }

  /// Replaces the line's text, if errors go to a terminal and the last update is not too recent.
  func show(_ text: @autoclosure () -> String) {
    guard context.errorsGoToTerminal, start.secondsToNow >= Self.patience,
      lastShown.secondsToNow >= Self.interval
    else { return }
    lastShown = .now
    isShowing = true
    context.show(text())
  }

  /// Removes the line.
  func clear() {
    guard isShowing else { return }
    isShowing = false
    context.show("")
  }
}
