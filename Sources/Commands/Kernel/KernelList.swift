import OcellusEngine
import OcellusPlatform

/// A file of nodes to be timed, one per line.
///
/// A line is `conv`, `depthwise` or `dense` with height, width, channels, window, stride and
/// outputs, as in tables of network layers; or an operator with its operands, options and a type,
/// such as `ADD 16384 16384 int8`. A `#` starts a comment.
struct KernelList {
  /// The requests of all lines.
  let requests: [KernelRequest]

  init(path: String) throws {
    let text = String(decoding: try FileOrStream.bytes(path), as: UTF8.self)
    var requests: [KernelRequest] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.prefix { $0 != "#" }
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !words.isEmpty else { continue }
      do throws(UsageError) {
        requests.append(try Self.request(words))
      } catch {
        throw FileLineError(
          path: FileOrStream.name(path), line: number + 1, problem: error.message)
      }
    }
    self.requests = requests
  }

  private static func request(_ words: [String]) throws(UsageError) -> KernelRequest {
    if let layer = try layer(words) { return layer }
    return try node(words)
  }

  /// Parses a layer such as `conv 112 112 16 3 1 32`; returns `nil` for other lines.
  private static func layer(_ words: [String]) throws(UsageError) -> KernelRequest? {
    guard ["conv", "depthwise", "dense"].contains(words[0]) else { return nil }
    let numbers = words.dropFirst().compactMap { Int32($0).map(Int.init) }
    guard words.count == 7, numbers.count == 6, numbers.allSatisfy({ $0 > 0 }) else {
      throw UsageError("\(words[0]) wants height, width, channels, window, stride and outputs")
    }
    let (height, width, channels) = (numbers[0], numbers[1], numbers[2])
    let (window, stride, outputs) = (numbers[3], "\(numbers[4])", numbers[5])
    if words[0] == "dense" {
      return KernelRequest(
        operatorName: "FULLY_CONNECTED",
        operands: [.shape([height * width, channels]), .shape([outputs, channels])])
    }
    let isDepthwise = words[0] == "depthwise"
    let weights =
      isDepthwise ? [1, window, window, channels] : [outputs, window, window, channels]
    return KernelRequest(
      operatorName: isDepthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D",
      operands: [.shape([1, height, width, channels]), .shape(weights)],
      options: [("padding", "same"), ("stride_h", stride), ("stride_w", stride)])
  }

  /// Parses a node such as `ADD 16384 16384 int8`.
  private static func node(_ words: [String]) throws(UsageError) -> KernelRequest {
    var request = KernelRequest(operatorName: words[0], operands: [])
    for word in words.dropFirst() {
      if let type = KernelRequest.types.first(where: { $0.word == word }) {
        request.type = type.value
      } else if let equals = word.firstIndex(of: "="), equals != word.startIndex {
        try request.set(String(word[..<equals]), to: String(word[word.index(after: equals)...]))
      } else {
        request.operands.append(try .init(word))
      }
    }
    return request
  }
}

extension KernelRequest {
  /// Sets the type of the results or of the weights, or an option of the operator.
  mutating func set(_ name: String, to value: String) throws(UsageError) {
    let type = Self.types.first { $0.word == value }?.value
    switch (name, type) {
    case ("result", let type?): resultType = type
    case ("weights", let type?): weightType = type
    case ("result", nil), ("weights", nil): throw UsageError("'\(value)' is no type")
    default: options.append((name, value))
    }
  }
}
