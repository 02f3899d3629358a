import type { CommandEntry } from './commands/table.ts'

/** What `parley` says about itself. */
export function helpText(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: parley <command> [target] [arguments] [-- command that starts a server]

Talks to MCP servers from the command line. Run it as npx @parley/cli, or install it:
npm install --global @parley/cli

${lines.join('\n')}

A target is one of:
  a URL              https://example.com/mcp, or ws:, wss:
  a name             of an entry in a configuration file (parley config list)
  a file             that exports a server definition, or a configuration with one server
  -- command args    behind everything else: a command that starts a server

Examples:
  parley list tools -- npx -y @modelcontextprotocol/server-everything
  parley call https://example.com/mcp echo message=hello
  parley read files file:///tmp/notes.txt --json
  parley inspect

parley <command> --help shows more. Exit codes: 0 ok, 1 usage or other, 3 sign-in or input
needed, 4 unreachable, 5 the tool failed, 6 invalid against a schema, 7 assertion failed,
124 timeout, 130 interrupted.
`
}
