import OcellusArrays
import Testing

@Suite struct NPYArrayTests {
  private func file(
    version: UInt8 = 1, header: String, data: [UInt8], lengthOffBy: Int = 0
  ) -> [UInt8] {
    let text = Array(header.utf8)
    let length = text.count + lengthOffBy
    var size = [UInt8(length & 0xFF), UInt8(length >> 8)]
    if version > 1 { size += [0, 0] }
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + size + text + data
  }

  @Test func writesWhatNumPyWrites() {
    let array = NPYArray(element: .int16, shape: [], bytes: [3, 0])
    // These are the bytes of numpy.save(numpy.array(3, dtype="<i2")) with NumPy 2.
    let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (), }"
    let padding = String(repeating: " ", count: 128 - 10 - header.utf8.count - 1) + "\n"
    #expect(array.file == file(header: header + padding, data: [3, 0]))
  }

  @Test(arguments: [[], [0], [4], [2, 3], [1, 2, 0, 3]])
  func readsWhatItWrites(shape: [Int]) throws {
    let bytes = (0..<shape.reduce(4, *)).map { UInt8($0) }
    let array = NPYArray(element: .float32, shape: shape, bytes: bytes)
    #expect(array.file.count % 64 == bytes.count % 64)
    #expect(try NPYArray(file: array.file) == array)
  }

  @Test(arguments: [
    "|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8",
    "<c16", "|S7", "<U5",
  ])
  func knowsTheNumericTypesAndText(descriptor: String) throws {
    #expect(try #require(NPYElement(descriptor: descriptor)).descriptor == descriptor)
  }

  @Test(arguments: [1, 2, 3] as [UInt8])
  func readsAllFormatVersions(version: UInt8) throws {
    let header = "{\"shape\": (2,), 'fortran_order': False, 'descr': '|u1'}\n"
    let array = try NPYArray(file: file(version: version, header: header, data: [7, 8]))
    #expect(array == NPYArray(element: .uint8, shape: [2], bytes: [7, 8]))
  }

  @Test(arguments: [
    "'shape': (\(String(repeating: "1,", count: 33)))", "'shape': (1,), 'shape': (1,)",
    "'shape': (1,), '\(String(repeating: "x", count: 50_000))': 1",
    "'shape': (\(String(repeating: " ", count: 60_000))x)",
  ])
  func endlessHeadersAreRefusedInFewWords(members: String) {
    let header = "{'descr': '|u1', 'fortran_order': True, \(members)}"
    let error = #expect(throws: NPYError.self) {
      try NPYArray(file: file(version: 2, header: header, data: [1]))
    }
    #expect((error?.description.utf8.count ?? 0) < 2000)
  }

  @Test func turnsBigEndianNumbers() throws {
    let header = "{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }"
    #expect(try NPYArray(file: file(header: header, data: [1, 2, 3, 4])).bytes == [4, 3, 2, 1])
    // The bytes of a complex number's two parts are swapped separately.
    let complex = "{'descr': '>c8', 'fortran_order': False, 'shape': (), }"
    let array = try NPYArray(file: file(header: complex, data: [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(array.bytes == [4, 3, 2, 1, 8, 7, 6, 5])
  }

  @Test func putsFortranOrderIntoRows() throws {
    // The 2 x 3 matrix 1 2 3 / 4 5 6 in column order.
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }"
    #expect(
      try NPYArray(file: file(header: header, data: [1, 4, 2, 5, 3, 6])).bytes == [
        1, 2, 3, 4, 5, 6,
      ])
  }

  @Test(arguments: [
    "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 2), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
    "{'descr': '<f4', 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
    "",
  ])
  func refusesWrongHeaders(header: String) {
    let data: [UInt8] = [0, 0, 0, 0]
    #expect(throws: NPYError.self) { try NPYArray(file: file(header: header, data: data)) }
  }

  @Test func refusesEveryPrefix() {
    let whole = NPYArray(element: .float32, shape: [2], bytes: [0, 0, 0, 0, 0, 0, 0, 0]).file
    for length in 0..<whole.count {
      #expect(throws: NPYError.self) { try NPYArray(file: Array(whole[..<length])) }
    }
  }
}
