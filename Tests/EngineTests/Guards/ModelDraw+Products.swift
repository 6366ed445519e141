import OcellusModelFile

extension ModelDraw {
  /// The extents of an image and a window, with the options for padding, strides and dilations.
  private struct Window {
    var images: Int
    var height: Int
    var width: Int
    var windowHeight: Int
    var windowWidth: Int
    var strides: (Int, Int)
    var dilations: (Int, Int)
    var isSame: Bool

    var label: String {
      """
      \(images)×\(height)×\(width), window \(windowHeight)×\(windowWidth), strides \(strides), dilations \(dilations)\
      \(isSame ? ", same" : "")
      """
    }
  }

  private mutating func window() -> Window {
    let isLong = bool()
    var window = Window(
      images: number(1...3), height: number(1...(isLong ? 5 : 10)),
      width: number(1...(isLong ? 70 : 12)), windowHeight: 3, windowWidth: 3, strides: (1, 1),
      dilations: (1, 1), isSame: bool())
    if bool() { (window.windowHeight, window.windowWidth) = (number(1...4), number(1...4)) }
    if number(0...2) == 0 { window.strides = (number(1...3), number(1...3)) }
    if number(0...2) == 0 { window.dilations = (number(1...3), number(1...3)) }
    if !window.isSame {
      // The window must fit into the image.
      window.height = max(window.height, (window.windowHeight - 1) * window.dilations.1 + 1)
      window.width = max(window.width, (window.windowWidth - 1) * window.dilations.0 + 1)
    }
    return window
  }

  mutating func convolution() -> DrawnModel {
    let arithmetic = choice(Arithmetic.allCases), window = window()
    // Some have few channels, so that vectors also read other groups, and some fill whole vectors.
    let groups = bool() ? 1 : number(2...4)
    let channels = bool() ? size(1...130) : choice([8, 16, 32, 64])
    let columns = bool() ? number(1...4) : size(1...40)
    let weights = weights(
      arithmetic, [groups * columns, window.windowHeight, window.windowWidth, channels],
      channels: groups * columns, axis: 0, hasBias: true)
    return DrawnModel(
      "CONV_2D", "\(arithmetic), \(window.label), \(groups)×\(channels) to \(groups)×\(columns)",
      reading: [
        tensor(
          "x", arithmetic.type, [window.images, window.height, window.width, groups * channels])
      ] + weights, writing: tensor("y", arithmetic.type),
      options: .init(
        tag: BuiltinOptionsTag.conv2D,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(Int32(window.strides.0)),
          2: .int32(Int32(window.strides.1)), 4: .int32(Int32(window.dilations.0)),
          5: .int32(Int32(window.dilations.1)),
        ]))
  }

  mutating func depthwise() -> DrawnModel {
    let arithmetic = choice(Arithmetic.allCases), window = window()
    let channels = size(1...130), multiplier = number(0...3) == 0 ? number(2...3) : 1
    let weights = weights(
      arithmetic, [1, window.windowHeight, window.windowWidth, channels * multiplier],
      channels: channels * multiplier, axis: 3, hasBias: bool())
    return DrawnModel(
      "DEPTHWISE_CONV_2D", "\(arithmetic), \(window.label), \(channels)·\(multiplier)",
      reading: [
        tensor("x", arithmetic.type, [window.images, window.height, window.width, channels])
      ]
        + weights, writing: tensor("y", arithmetic.type),
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(Int32(window.strides.0)),
          2: .int32(Int32(window.strides.1)), 3: .int32(Int32(multiplier)),
          5: .int32(Int32(window.dilations.0)), 6: .int32(Int32(window.dilations.1)),
        ]))
  }

  mutating func transposed() -> DrawnModel {
    let arithmetic = choice(Arithmetic.allCases), window = window()
    let channels = size(1...70), columns = size(1...40)
    let strides = (number(1...3), number(1...3))
    let extents =
      window.isSame
      ? [window.height * strides.1, window.width * strides.0]
      : [
        (window.height - 1) * strides.1 + window.windowHeight,
        (window.width - 1) * strides.0 + window.windowWidth,
      ]
    var weights = weights(
      arithmetic, [columns, window.windowHeight, window.windowWidth, channels], channels: columns,
      axis: 0, hasBias: bool())
    weights.insert(
      tensor("x", arithmetic.type, [window.images, window.height, window.width, channels]), at: 1)
    return DrawnModel(
      "TRANSPOSE_CONV", "\(arithmetic), \(window.label), by \(strides), \(channels) to \(columns)",
      reading: [integers([window.images] + extents + [columns])] + weights,
      writing: tensor("y", arithmetic.type),
      options: .init(
        tag: BuiltinOptionsTag.transposeConv,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(Int32(strides.0)),
          2: .int32(Int32(strides.1)),
        ]))
  }

  /// Draws a fully connected layer or a BATCH_MATMUL whose operands are both computed.
  mutating func product() -> DrawnModel {
    let depth = size(1...130), columns = size(1...130), rows = size(1...20)
    if bool() {
      let arithmetic = choice(Arithmetic.allCases)
      return DrawnModel(
        "FULLY_CONNECTED", "\(arithmetic), \(rows)×\(depth) to \(columns)",
        reading: [tensor("x", arithmetic.type, [rows, depth])]
          + weights(
            arithmetic, [columns, depth], channels: columns, axis: 0, hasBias: bool(),
            isPerChannel: arithmetic == .int8), writing: tensor("y", arithmetic.type),
        options: .init(tag: BuiltinOptionsTag.fullyConnected))
    }
    let type = choice([.float32, .int8, .int16] as [TensorType]), batches = number(1...3)
    let areTurned = (bool(), bool())
    return DrawnModel(
      "BATCH_MATMUL", "\(type), \(batches) of \(rows)×\(depth)×\(columns), turned \(areTurned)",
      reading: [
        tensor("a", type, [batches] + (areTurned.0 ? [depth, rows] : [rows, depth])),
        tensor("b", type, [batches] + (areTurned.1 ? [columns, depth] : [depth, columns])),
      ], writing: tensor("y", type),
      options: .init(
        tag: BuiltinOptionsTag.batchMatMul, [0: .bool(areTurned.0), 1: .bool(areTurned.1)]))
  }

  mutating func pool() -> DrawnModel {
    var window = window()
    window.dilations = (1, 1)
    let type = choice([.float32, .int8, .uint8, .int16] as [TensorType])
    let channels = size(1...130)
    return DrawnModel(
      choice(["AVERAGE_POOL_2D", "MAX_POOL_2D"]), "\(type), \(window.label), \(channels)",
      reading: [tensor("x", type, [window.images, window.height, window.width, channels])],
      writing: tensor("y", type),
      options: .init(
        tag: BuiltinOptionsTag.pool2D,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(Int32(window.strides.0)),
          2: .int32(Int32(window.strides.1)), 3: .int32(Int32(window.windowWidth)),
          4: .int32(Int32(window.windowHeight)),
        ]))
  }
}
