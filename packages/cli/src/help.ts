import type { CommandEntry } from './commands/table.ts'

/** What `parley` says about itself: the commands of a first day, or all of them, or the flags that most have in common. */
export function helpText(commands: readonly CommandEntry[], page?: string): string {
  if (page === 'connection') return connectionText
  const shown = commands.filter(({ help = 'more' }) =>
    page === 'all' ? help !== 'hidden' : help === 'first',
  )
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const more = page === 'all' ? '' : `\nparley help all shows the other commands.\n`
  return `Usage: parley <command> [target] [arguments] [-- command that starts a server]

Talks to MCP servers from the command line. Run it as npx @parley/cli, or install it:
npm install --global @parley/cli

${lines.join('\n')}
${more}
A target is one of:
  a URL              https://example.com/mcp, or ws:, wss:
  a name             of an entry in a configuration file (parley config)
  a file             that exports a server definition, or a configuration with one server
  -- command args    at the end: a command that starts a server

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

const connectionText = `Flags that most commands have in common.

Which server:
  --config <file>        a configuration file; may be repeated
  --server <name>        the entry to use, instead of a target
  --input <pair>         an answer to a question of the configuration, id=value
  --trust                approve what a project's configuration starts or sends
  -H, --header <line>    a header, "Name: value"; may be repeated
  --transport <kind>     http, sse or ws; for URLs that do not say
  -e, --env <pair>       a variable for a command, NAME=value; may be repeated
  --cwd <folder>         the working directory of a command

Talking to it:
  --era <era>            auto, legacy, modern, or a revision such as 2025-06-18
  --root <folder>        a root to offer the server; may be repeated
  --timeout <time>       the limit for connecting and for each answer, such as 5s
  --trace <file>         write every message to this file
  -v, --verbose          show what the server writes to standard error, logs and warnings

Output:
  --json                 print JSON, and errors as one line of JSON
  -q, --quiet            print results only

NO_COLOR=1 prints no colours, FORCE_COLOR=1 prints them without a terminal.
`
