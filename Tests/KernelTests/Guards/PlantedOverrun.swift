import OcellusKernelABI

/// A kernel that accesses one byte outside of its operands, which the guard page tests must find.
struct PlantedOverrun: CustomStringConvertible, Sendable {
  /// The entry that calls the kernel, and a description of the fault.
  let entry: String
  let description: String
  /// Puts the faulty kernel into a table.
  let plant: @Sendable (inout KernelTable) -> Void

  private init(
    _ entry: String, _ description: String, plant: @escaping @Sendable (inout KernelTable) -> Void
  ) {
    (self.entry, self.description) = (entry, "\(entry) \(description)")
    self.plant = plant
  }

  static let all: [PlantedOverrun] = products + others

  private static let products: [PlantedOverrun] = [
    PlantedOverrun("floatGEMM", "reads behind its filter") { table in
      table.floatGEMM.replaceEach { kernel in
        let pack = kernel.pack
        kernel.pack = { arguments in
          let last =
            (arguments.columns - 1) * arguments.columnStride
            + (arguments.depth - 1) * arguments.depthStride
          read(arguments.filter, at: 4 * (last + 1))
          pack(arguments)
        }
      }
    },
    PlantedOverrun("floatGEMM", "reads in front of the first pixel") { table in
      table.floatGEMM.replaceEach { kernel in
        let run = kernel.run
        kernel.run = { arguments in
          if arguments.patches.channels == arguments.patches.pixelStride {
            read(arguments.input, at: -1)
          }
          run(arguments)
        }
      }
    },
    PlantedOverrun("quantizedGEMM", "takes the groups in front for more of its image") {
      table in
      table.quantizedGEMM.replaceEach { kernel in
        let run = kernel.run
        kernel.run = { arguments in
          let patches = arguments.patches
          read(
            arguments.input, at: patches.inputHeight * patches.inputWidth * patches.pixelStride - 1)
          run(arguments)
        }
      }
    },
    PlantedOverrun("int16GEMM", "writes behind its scratch memory") { table in
      let (run, byteCount) = (table.int16GEMM.run, table.int16GEMM.scratchByteCount)
      table.int16GEMM.run = { arguments in
        run(arguments)
        write(arguments.scratch, at: byteCount(arguments.patches))
      }
    },
    PlantedOverrun("blockwiseGEMM", "writes in front of its packed weights") { table in
      let pack = table.blockwiseGEMM.pack
      table.blockwiseGEMM.pack = { arguments in
        pack(arguments)
        write(arguments.packed, at: -1)
      }
    },
    PlantedOverrun("floatDepthwise", "writes the pixel behind those asked for") { table in
      table.floatDepthwise.replaceEach { kernel in
        let run = kernel.run
        kernel.run = { arguments in
          run(arguments)
          write(arguments.output, at: 4 * arguments.pixels.upperBound * arguments.patches.channels)
        }
      }
    },
    PlantedOverrun("quantizedDepthwise", "reads in front of its input") { table in
      table.quantizedDepthwise.replaceEach { kernel in
        let run = kernel.run
        kernel.run = { arguments in
          read(arguments.input, at: -1)
          run(arguments)
        }
      }
    },
    PlantedOverrun("floatQuantization.round", "writes behind its output") { table in
      let round = table.floatQuantization.round
      table.floatQuantization.round = { arguments in
        round(arguments)
        write(arguments.output, at: arguments.count)
      }
    },
  ]

  private static let others: [PlantedOverrun] = [
    PlantedOverrun("repeatChannels", "writes behind its output") { table in
      let repeated = table.repeatChannels
      table.repeatChannels = { arguments in
        repeated(arguments)
        write(
          arguments.output, at: arguments.count * arguments.repetitions * arguments.elementBytes)
      }
    },
    PlantedOverrun("elementwise.lookUp", "writes in front of its output") { table in
      let lookUp = table.elementwise.lookUp
      table.elementwise.lookUp = { arguments in
        lookUp(arguments)
        write(arguments.output, at: -1)
      }
    },
    PlantedOverrun("elementwise.softmax", "reads behind its input") { table in
      let softmax = table.elementwise.softmax
      table.elementwise.softmax = { arguments in
        read(arguments.input, at: 4 * arguments.rowLength * arguments.rowCount)
        softmax(arguments)
      }
    },
    PlantedOverrun("reductions.sumInt8", "writes behind its last sum") { table in
      let sum = table.reductions.sumInt8
      table.reductions.sumInt8 = { arguments in
        sum(arguments)
        write(arguments.output, at: 4 * arguments.outer.upperBound * arguments.innerCount)
      }
    },
    PlantedOverrun("dataMovement.gatherRows", "reads in front of its list") { table in
      let gather = table.dataMovement.gatherRows
      table.dataMovement.gatherRows = { arguments in
        read(arguments.rows, at: -1)
        gather(arguments)
      }
    },
    PlantedOverrun("pooling.maximumInt8", "reads behind its last image") { table in
      let pool = table.pooling.maximumInt8
      table.pooling.maximumInt8 = { arguments in
        let windows = arguments.windows
        let count = windows.inputHeight * windows.inputWidth * windows.channels
        read(arguments.input, at: arguments.imageCount * count)
        pool(arguments)
      }
    },
    PlantedOverrun("resampling.nearest", "leaves what was in its scratch memory") { table in
      let nearest = table.resampling.nearest
      table.resampling.nearest = { arguments in
        nearest(arguments)
        // No access is out of bounds, but the result comes from uninitialized memory.
        arguments.output.storeBytes(of: arguments.scratch.load(as: UInt8.self), as: UInt8.self)
      }
    },
  ]

  private static func read(_ address: UnsafeRawPointer, at offset: Int) {
    readByte(address, at: offset)
  }

  private static func write(_ address: UnsafeMutableRawPointer, at offset: Int) {
    address.storeBytes(of: 0x77, toByteOffset: offset, as: UInt8.self)
  }
}

extension KernelFamily {
  /// Changes the kernels of all strategies.
  fileprivate mutating func replaceEach(_ change: (inout Kernel) -> Void) {
    for index in strategies.indices { change(&strategies[index].kernel) }
  }
}
