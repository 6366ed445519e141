import OcellusModelFile

extension TensorMetadata {
  /// The author's description of a tensor in one line.
  var summary: String {
    var parts: [String] = []
    if let name, !name.isEmpty { parts.append(name) }
    if let content, let text = content.properties.text { parts.append(text) }
    parts += processUnits.compactMap(\.text)
    if !minimum.isEmpty, !maximum.isEmpty {
      parts.append("\(list(minimum)) to \(list(maximum))")
    }
    return parts.isEmpty ? "no description" : parts.joined(separator: ", ")
  }
}

/// Returns a single number plainly, and one number per channel in brackets.
private func list(_ numbers: [Float]) -> String {
  numbers.count == 1 ? "\(numbers[0])" : "\(numbers)"
}

extension TensorContent.Properties {
  fileprivate var text: String? {
    switch self {
    case .feature, .unknown: return nil
    case .image(let colorSpace, let size):
      let colors =
        switch colorSpace {
        case .rgb: "RGB image"
        case .grayscale: "grayscale image"
        case .unknown: "image"
        }
      return size.map { "\(colors) of \($0.width) x \($0.height)" } ?? colors
    case .boundingBox(let index, let kind, let coordinates):
      let order = index.isEmpty ? "" : " in the order \(index)"
      return "boxes (\(kind), \(coordinates))\(order)"
    case .audio(let sampleRate, let channels):
      return "audio, \(sampleRate) Hz, \(channels) channels"
    }
  }
}

extension ProcessUnit {
  fileprivate var text: String? {
    switch self {
    case .normalization(let mean, let deviation):
      "(x - \(list(mean))) / \(list(deviation))"
    case .scoreCalibration: "calibrated scores"
    case .scoreThresholding(let threshold): "scores from \(threshold)"
    case .bertTokenizer: "BERT tokens"
    case .sentencePieceTokenizer: "SentencePiece tokens"
    case .regexTokenizer: "tokens split by a pattern"
    case .unknown: nil
    }
  }
}
