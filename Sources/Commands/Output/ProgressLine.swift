import OcellusPlatform

/// One line on the terminal that says how far long work is; nothing at all for short work.
final class ProgressLine {
  /// Work under two seconds needs no news.
  private static let patience = 2.0
  private static let interval = 0.1
  private let context: CommandContext
  private let start = MonotonicTime.now
  private var lastShown = MonotonicTime.now
  private var isShowing = false

  init(in context: CommandContext) {
    self.context = context
  }

  /// Shows the text in place of the last one, if somebody watches and it is time.
  func show(_ text: @autoclosure () -> String) {
    guard context.errorsAreWatched, start.secondsToNow >= Self.patience,
      lastShown.secondsToNow >= Self.interval
    else { return }
    lastShown = .now
    isShowing = true
    context.show(text())
  }

  /// Takes the line away.
  func clear() {
    guard isShowing else { return }
    isShowing = false
    context.show("")
  }
}
