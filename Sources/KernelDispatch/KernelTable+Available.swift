public import OcellusKernelABI

extension KernelTable { public static var available: [KernelTable] { [] } }
