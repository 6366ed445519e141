// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Core Foundation's name for bytes.
public typealias CFData = Data
/// Core Foundation's name for a text.
public typealias CFString = String
/// Core Foundation's name for a dictionary, to which any dictionary literal can be cast.
public typealias CFDictionary = [AnyHashable: Any]
/// Core Foundation's name for a truth value.
public typealias CFBoolean = Bool
/// A code of four characters, or a small number, that denotes a format.
public typealias OSType = UInt32
/// The result of a function: 0, or the number of an error.
public typealias OSStatus = Int32

/// A choice of memory, of which there is only one here.
public struct CFAllocator: Sendable {}

/// The usual memory.
public let kCFAllocatorDefault: CFAllocator? = nil
/// Core Foundation's name for `true`.
public let kCFBooleanTrue: CFBoolean! = true
/// Core Foundation's name for `false`.
public let kCFBooleanFalse: CFBoolean! = false

/// A number of a count or a size.
public typealias CFIndex = Int

/// The order of the bytes of numbers in memory.
public struct CFByteOrder: RawRepresentable, Hashable, Sendable {
  /// The number of the order.
  public let rawValue: UInt32

  /// Creates an order from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The order of a machine that is not known.
public let CFByteOrderUnknown = CFByteOrder(rawValue: 0)
/// The lowest byte first.
public let CFByteOrderLittleEndian = CFByteOrder(rawValue: 1)
/// The highest byte first.
public let CFByteOrderBigEndian = CFByteOrder(rawValue: 2)

/// Returns the number of this machine's order of bytes.
public func CFByteOrderGetCurrent() -> Int {
  let order = 1.littleEndian == 1 ? CFByteOrderLittleEndian : CFByteOrderBigEndian
  return Int(order.rawValue)
}
