extension ChildProcess {
  /// The path from which the program of this process can be started once more.
  package static var thisProgram: String {
    #if os(Linux) || os(Android)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// Returns everything that the program prints until it ends.
  ///
  /// - Throws: an error if that is more than `limit` bytes; the program is then stopped.
  package func wholeOutput(limit: Int) throws(FileError) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let result = chunk.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in try read(into: buffer, milliseconds: 1000) }
      }
      guard let count = try result.get() else { continue }
      if count == 0 { return output }
      output += chunk[..<count]
      if output.count > limit {
        stop()
        throw FileError(.tooLarge(limit: limit), path: "the output of a program")
      }
    }
  }
}
