import Glibc
import OcellusCommands

exit(Program.run(Array(CommandLine.arguments.dropFirst()), in: .process()).rawValue)
