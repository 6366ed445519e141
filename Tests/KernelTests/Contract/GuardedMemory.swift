import OcellusPlatform

/// Memory whose last byte lies right before a page that may not be touched, so that a kernel that
/// reads or writes behind the end dies in the test rather than, rarely, in an application.
final class GuardedMemory<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedBytes: Int

  init(count: Int, filledWith value: Element) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let bytes = count * MemoryLayout<Element>.stride
    let usable = (bytes + page - 1) / page * page
    mappedBytes = usable + page
    guard
      let mapping = mmap(
        nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      mapping != MAP_FAILED, mprotect(mapping + usable, page, PROT_NONE) == 0
    else { fatalError("no memory") }
    self.mapping = mapping
    self.count = count
    start = (mapping + (usable - bytes)).bindMemory(to: Element.self, capacity: count)
    start.initialize(repeating: value, count: count)
  }

  convenience init(_ elements: [Element]) where Element: ExpressibleByIntegerLiteral {
    self.init(count: elements.count, filledWith: 0)
    for (index, element) in elements.enumerated() { start[index] = element }
  }

  deinit { munmap(mapping, mappedBytes) }

  var elements: [Element] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
