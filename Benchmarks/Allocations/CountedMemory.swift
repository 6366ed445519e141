// The C library's allocation functions, replaced by functions that count.
//
// The linker prefers a program's symbols, so allocations by Swift, its runtime and C all count. The
// compiler reserves the name `malloc`, which Package.swift therefore defines for the linker.

import Synchronization

/// The number of allocations by this process.
enum CountedMemory {
  fileprivate static let requests = Atomic(0)

  static var requestCount: Int { requests.load(ordering: .relaxed) }

  fileprivate static func count() { requests.wrappingAdd(1, ordering: .relaxed) }
}

@_silgen_name("__libc_malloc")
private func libraryAllocate(_ byteCount: Int) -> UnsafeMutableRawPointer?

@_silgen_name("__libc_calloc")
private func libraryAllocateZeroed(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?

@_silgen_name("__libc_realloc")
private func libraryReallocate(
  _ block: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer?

@_silgen_name("__libc_memalign")
private func libraryAllocateAligned(_ alignment: Int, _ byteCount: Int) -> UnsafeMutableRawPointer?

/// `malloc`, counted.
@_cdecl("counted_malloc")
public func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
  CountedMemory.count()
  return libraryAllocate(byteCount)
}

/// `calloc`, counted.
@_cdecl("calloc")
public func allocateZeroed(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
  CountedMemory.count()
  return libraryAllocateZeroed(count, size)
}

/// `realloc`, counted.
@_cdecl("realloc")
public func reallocate(
  _ block: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer? {
  CountedMemory.count()
  return libraryReallocate(block, byteCount)
}

/// `memalign`, counted.
@_cdecl("memalign")
public func allocateAligned(_ alignment: Int, _ byteCount: Int) -> UnsafeMutableRawPointer? {
  CountedMemory.count()
  return libraryAllocateAligned(alignment, byteCount)
}

/// `aligned_alloc`, counted.
@_cdecl("aligned_alloc")
public func allocateAligned(to alignment: Int, _ byteCount: Int) -> UnsafeMutableRawPointer? {
  allocateAligned(alignment, byteCount)
}

/// `posix_memalign`, counted.
@_cdecl("posix_memalign")
public func allocateAligned(
  _ block: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ byteCount: Int
) -> Int32 {
  block.pointee = allocateAligned(alignment, byteCount)
  let outOfMemory: Int32 = 12
  return block.pointee == nil ? outOfMemory : 0
}
