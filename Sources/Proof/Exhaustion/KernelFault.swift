/// A result of a kernel that is not as specified.
struct KernelFault: Error {
  let description: String

  init(_ description: String) { self.description = description }

  init(channel: Int, sum: Int64, found: Int64, wanted: Int64) {
    description = "channel \(channel): the sum \(sum) becomes \(found), and not \(wanted)"
  }
}
