/// Numbers of threads in words.
enum ThreadText {
  static func words(_ count: Int) -> String { count == 1 ? "one thread" : "\(count) threads" }
}
