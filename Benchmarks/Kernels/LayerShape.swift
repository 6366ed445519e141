import OcellusKernelABI

/// One layer of a network, as the files in Benchmarks/Shapes list them.
struct LayerShape {
  /// What the layer computes.
  enum Kind: String {
    case conv, depthwise, dense
  }

  var text: String
  var kind: Kind
  var geometry: PatchGeometry
  var outputs: Int

  /// Reads `kind height width channels kernel stride outputs`; the padding is SAME.
  init?(line: Substring) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.count == 7, numbers.count == 6, let kind = Kind(rawValue: String(words[0]))
    else { return nil }
    text = String(line)
    self.kind = kind
    var geometry = PatchGeometry(
      inputHeight: numbers[0], inputWidth: numbers[1], channels: numbers[2])
    let kernel = numbers[3], stride = numbers[4]
    geometry.windowHeight = kernel
    geometry.windowWidth = kernel
    geometry.strideHeight = stride
    geometry.strideWidth = stride
    geometry.outputHeight = (geometry.inputHeight + stride - 1) / stride
    geometry.outputWidth = (geometry.inputWidth + stride - 1) / stride
    let covered = (geometry.outputHeight - 1) * stride + kernel
    geometry.paddingTop = max(0, covered - geometry.inputHeight) / 2
    geometry.paddingLeft = geometry.paddingTop
    self.geometry = geometry
    outputs = numbers[5]
  }

  var rows: Int { geometry.outputHeight * geometry.outputWidth }

  var multiplyAdds: Int {
    rows * geometry.depth * (kind == .depthwise ? 1 : outputs)
  }
}
