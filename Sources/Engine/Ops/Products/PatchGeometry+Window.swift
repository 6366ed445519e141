import OcellusKernelABI

extension PatchGeometry {
  /// The patches under a window over an image with `pixelStride` channels, of which each patch
  /// takes `channels`.
  init(_ window: WindowGeometry, channels: Int, pixelStride: Int) {
    self.init(
      inputHeight: window.rows.inputExtent, inputWidth: window.columns.inputExtent,
      channels: channels)
    self.pixelStride = pixelStride
    windowHeight = window.rows.tapCount
    windowWidth = window.columns.tapCount
    strideHeight = window.rows.stride
    strideWidth = window.columns.stride
    dilationHeight = window.rows.dilation
    dilationWidth = window.columns.dilation
    paddingTop = window.rows.leadingPadding
    paddingLeft = window.columns.leadingPadding
    outputHeight = window.rows.outputExtent
    outputWidth = window.columns.outputExtent
  }

  /// Whether a window may hang over an edge of the input.
  var mayLeaveInput: Bool {
    let lastRow = (outputHeight - 1) * strideHeight + (windowHeight - 1) * dilationHeight
    let lastColumn = (outputWidth - 1) * strideWidth + (windowWidth - 1) * dilationWidth
    return paddingTop > 0 || paddingLeft > 0 || lastRow - paddingTop >= inputHeight
      || lastColumn - paddingLeft >= inputWidth
  }
}
