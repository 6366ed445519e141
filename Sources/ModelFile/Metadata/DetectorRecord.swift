/// What MediaPipe's tools pack with a detector as custom metadata: anchors, and how boxes are encoded.
package struct DetectorRecord: Sendable, Hashable {
  /// The name of the custom metadata.
  package static let name = "DETECTOR_METADATA"

  /// A default box, in fractions of the input.
  package struct Anchor: Sendable, Hashable {
    package let x: Float
    package let y: Float
    package let width: Float
    package let height: Float
  }

  /// The anchors, in the order of the network's rows; empty if the record has none.
  package private(set) var anchors: [Anchor] = []
  /// The divisor of the offsets of a box's centre.
  package private(set) var centerScale: Float = 0
  /// The divisor of the sizes of a box.
  package private(set) var sizeScale: Float = 0
  /// Whether sizes are logarithms.
  package private(set) var sizesAreLogarithms = false

  /// Decodes the record: a FlatBuffer of its own.
  package init(decoding bytes: [UInt8]) throws(ModelFileError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ModelFileError) in try Self(ByteReader(bytes)) }
    }
    self = try result.get()
  }

  private init(_ reader: ByteReader) throws(ModelFileError) {
    let root = try FlatTable.root(of: reader, identifier: "V001")
    if let list = try root.table(1)?.table(0)?.tables(0) {
      for index in list.indices {
        let table = try list[index]
        anchors.append(
          Anchor(
            x: try table.float(0), y: try table.float(1), width: try table.float(2),
            height: try table.float(3)))
      }
    }
    guard let options = try root.table(2) else { return }
    centerScale = try options.float(6)
    sizeScale = try options.float(8)
    sizesAreLogarithms = try options.bool(10)
  }
}
