/// Every tuned kernel of one instruction set; filled by the kernel targets.
public struct KernelTable: Sendable { public var name: String }
