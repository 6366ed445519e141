import OcellusEngine
package import OcellusJSON

extension Profile {
  /// The profile as JSON, without what only pages and viewers show; the names are stable.
  package var json: JSONObject {
    [
      "instruction_set": .string(instructionSet), "threads": .integer(threads),
      "packed_bytes": .integer(packedByteCount),
      "first_ms": .number(firstMilliseconds), "runs": .integer(bare.count),
      "run_ms": bare.json, "watched_ms": watched.json, "steps_ms": .number(stepMilliseconds),
      "overhead": .number(overhead), "accounted": .number(accountedShare),
      "noise": noise.json, "multiply_adds": .integer(multiplyAdds),
      "limits": limits?.json ?? .null, "of_limit": ofLimit,
      "counters": [
        "counted": .array(counters.counted.map { .string($0.rawValue) }),
        "reason": .string(orNull: counters.reason),
      ],
      "steps": .array(
        steps.map { .object($0.json(limits, isComparable: comparableLimits != nil)) }),
    ]
  }

  private var ofLimit: JSONValue {
    guard let share = comparableLimits?.share(of: steps), let quotient = share.share else {
      return .null
    }
    return [
      "share": .number(quotient), "limit_ms": .number(share.limitMilliseconds),
      "ms": .number(share.milliseconds),
    ]
  }
}

extension Noise {
  package var json: JSONValue {
    [
      "runs": .integer(runs), "left_out": .integer(leftOut),
      "involuntary_switches": .integer(involuntarySwitches),
      "waiting_ms": .number(waitingMilliseconds), "stolen_ms": .number(stolenMilliseconds),
      "reason": .string(orNull: reason),
    ]
  }
}

extension ProfiledStep {
  /// Returns the step as JSON, with its bound if the machine's limits are known.
  ///
  /// Its time is compared with the bound only if both mean something.
  package func json(_ limits: MachineLimits?, isComparable: Bool = true) -> JSONObject {
    let bound = limits?.bound(on: self)
    let share = isComparable ? limits?.share(of: [self]).share : nil
    return [
      "subgraph": .integer(subgraph), "node": .integer(node),
      "fused_nodes": .integers(nodes.map(\.index).filter { $0 != node }),
      "operator": .string(operatorName), "kernel": .string(kernel),
      "chosen_by": .string(orNull: strategyBasis?.rawValue), "output": .string(shape),
      "output_name": .string(outputName), "multiply_adds": .integer(multiplyAdds),
      "ms": .number(time.median), "time": time.json, "calls_per_run": .number(callsPerRun),
      "first_ms": .number(firstMilliseconds), "read_bytes": .integer(readByteCount),
      "written_bytes": .integer(writtenByteCount), "intensity": .number(orNull: intensity),
      "gmac_per_s": .number(gigaMultiplyAddsPerSecond), "gb_per_s": .number(gigabytesPerSecond),
      "bound": .string(orNull: bound?.name), "bound_ms": .number(orNull: bound?.milliseconds),
      "of_limit": .number(orNull: share), "is_noise": .bool(time.isNoise),
      "busy": .number(orNull: busyShare),
      "counts": .object(
        JSONObject(
          ProcessorCounter.allCases.compactMap { counter in
            counts[counter].map { .init(name: counter.rawValue, value: .number($0)) }
          })),
      "nodes": .array(
        nodes.map { node in
          [
            "node": .integer(node.index), "operator": .string(node.operatorName),
            "multiply_adds": .integer(node.multiplyAdds), "output": .string(node.shape),
            "output_name": .string(node.outputName),
          ]
        }),
    ]
  }
}

extension MachineLimits {
  package var json: JSONValue {
    [
      "instruction_set": .string(instructionSet), "threads": .integer(threads),
      "float_gmac_per_s": .number(gigaFloatMultiplyAdds),
      "byte_gmac_per_s": .number(gigaByteMultiplyAdds), "is_disturbed": .bool(isDisturbed),
      "levels": .array(
        levels.map { level in
          [
            "name": .string(level.name),
            "bytes": level.byteCount == .max ? .null : .integer(level.byteCount),
            "gb_per_s": .number(level.gigabytesPerSecond),
          ]
        }),
    ]
  }
}

extension JSONValue {
  fileprivate static func number(orNull number: Double?) -> JSONValue {
    number.map { .number($0) } ?? .null
  }
}
