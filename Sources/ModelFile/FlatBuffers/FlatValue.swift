/// The value of a field in a FlatBuffers table that is to be written.
package indirect enum FlatValue: Sendable, Hashable {
  case bool(Bool)
  case int8(Int8)
  case uint8(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case float(Float)
  case string(String)
  case bytes([UInt8], alignment: Int = 4)
  case bools([Bool])
  case uint16s([UInt16])
  case int32s([Int32])
  case uint32s([UInt32])
  case int64s([Int64])
  case floats([Float])
  case strings([String])
  case table(FlatFields)
  case tables([FlatFields])
}

/// The fields of a table by their index in the schema; missing ones have their defaults.
package typealias FlatFields = [Int: FlatValue]
