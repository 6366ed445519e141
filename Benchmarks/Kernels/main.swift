import OcellusKernelDispatch

for candidate in KernelChoice.current.candidates {
  print(candidate.name, candidate.reason ?? "available")
}
