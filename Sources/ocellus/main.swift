import OcellusCommands

Program.main()
