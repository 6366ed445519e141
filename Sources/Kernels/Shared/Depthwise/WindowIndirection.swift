import OcellusKernelABI

#if WINDOW_QUADS
  /// The addresses of the taps of a run of windows (an indirection buffer); taps in the padding
  /// point to a pixel of padding values.
  struct WindowIndirection {
    let geometry: PatchGeometry
    let input: UnsafeRawPointer
    let padding: UnsafeRawPointer
    /// The number of entries per window, in whole vectors: its taps row by row, and padding.
    let slots: Int
    /// The offsets of the taps from the first one of their window, followed by the entries.
    let memory: UnsafeMutableRawPointer

    @inline(__always)
    init(
      geometry: PatchGeometry, input: UnsafeRawPointer, padding: UnsafeRawPointer, slots: Int,
      memory: UnsafeMutableRawPointer
    ) {
      self.geometry = geometry
      self.input = input
      self.padding = padding
      self.slots = slots
      self.memory = memory
      let rowBytes = geometry.dilationHeight &* geometry.inputWidth &* geometry.pixelStride
      let columnBytes = geometry.dilationWidth &* geometry.pixelStride
      var distance = distances
      for row in 0..<geometry.windowHeight {
        for column in 0..<geometry.windowWidth {
          distance.pointee = row &* rowBytes &+ column &* columnBytes
          distance += 1
        }
      }
      // Further entries have weights of zero, so any address will do.
      for _ in geometry.windowHeight &* geometry.windowWidth..<slots {
        distance.pointee = 0
        distance += 1
      }
    }

    @inline(__always)
    private var distances: UnsafeMutablePointer<Int> { memory.assumingMemoryBound(to: Int.self) }

    @inline(__always)
    private var entries: UnsafeMutablePointer<UnsafeRawPointer> {
      UnsafeMutableRawPointer(distances + slots).assumingMemoryBound(to: UnsafeRawPointer.self)
    }

    /// The entries, window by window.
    @inline(__always)
    var table: UnsafePointer<UnsafeRawPointer> { UnsafePointer(entries) }

    /// Stores the tap addresses of windows.
    ///
    /// The last window is repeated to a multiple of four windows, unless only one is left over.
    @inline(never)
    func find(_ windows: Range<Int>) {
      let imageBytes = geometry.inputHeight &* geometry.inputWidth &* geometry.pixelStride
      var pixel = OutputPixel(windows.lowerBound, geometry)
      var entry = entries
      let count = windows.count % 4 == 1 ? windows.count : roundUp(windows.count, to: 4)
      for index in 0..<count {
        let top = pixel.y &* geometry.strideHeight &- geometry.paddingTop
        let left = pixel.x &* geometry.strideWidth &- geometry.paddingLeft
        let image = input + pixel.image &* imageBytes
        let anchor =
          image + (top &* geometry.inputWidth &+ left) &* geometry.pixelStride
        if isInside(top: top, left: left) {
          note(anchor, at: entry)
        } else {
          note(image, top: top, left: left, at: entry)
        }
        entry += slots
        if index &+ 1 < windows.count { pixel.advance(geometry) }
      }
    }

    /// Whether a window is entirely inside the input.
    @inline(__always)
    private func isInside(top: Int, left: Int) -> Bool {
      let bottom = top &+ (geometry.windowHeight &- 1) &* geometry.dilationHeight
      let right = left &+ (geometry.windowWidth &- 1) &* geometry.dilationWidth
      return top >= 0 && left >= 0 && bottom < geometry.inputHeight && right < geometry.inputWidth
    }

    /// Stores the tap addresses of a window without padding.
    @inline(__always)
    private func note(
      _ anchor: UnsafeRawPointer, at entry: UnsafeMutablePointer<UnsafeRawPointer>
    ) {
      let anchors = WideVector(repeating: Int64(Int(bitPattern: anchor)))
      var slot = 0
      while slot < slots {
        store(loadWide(distances + slot) &+ anchors, to: UnsafeMutableRawPointer(entry + slot))
        slot &+= WideVector.scalarCount
      }
    }

    /// Stores the tap addresses of any window.
    @inline(__always)
    private func note(
      _ image: UnsafeRawPointer, top: Int, left: Int,
      at entry: UnsafeMutablePointer<UnsafeRawPointer>
    ) {
      var entry = entry
      for row in 0..<geometry.windowHeight {
        let y = top &+ row &* geometry.dilationHeight
        let hasRow = y >= 0 && y < geometry.inputHeight
        let inputRow = image + y &* geometry.inputWidth &* geometry.pixelStride
        var x = left
        for _ in 0..<geometry.windowWidth {
          let isInside = hasRow && x >= 0 && x < geometry.inputWidth
          entry.pointee = isInside ? inputRow + x &* geometry.pixelStride : padding
          entry += 1
          x &+= geometry.dilationWidth
        }
      }
      for _ in geometry.windowHeight &* geometry.windowWidth..<slots {
        entry.pointee = padding
        entry += 1
      }
    }
  }
#endif
