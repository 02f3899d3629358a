#!/usr/bin/env node
/** A guided tour: a client and the everything server, and what passes between them. */

import process, { argv, cwd, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { supportedRevisions, type Revision } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { clientSkills } from '@parley/mcp/skills'
import { clientTasks } from '@parley/mcp/tasks'

import { answerAsModel, answerForms } from './demo/answers.ts'
import { extensionStops } from './demo/extension-stops.ts'
import { createFramePrinter } from './demo/frames.ts'
import { openTerminal, type Terminal } from './demo/terminal.ts'
import { stops } from './demo/tour.ts'

type Era = 'auto' | Revision

const usage = `Usage: npm start -- [options]

Starts the everything server as a child process, talks to it, and shows every message.

  --fast      do not wait between the parts
  --frames    show messages in full
  --revision  which revision of the protocol to speak (default: the newest the server has)
  --help      show this

NO_COLOR turns colours off. Without a terminal nothing is asked: a scripted user answers.
`

/** Walks through all stops; rejects if one of them does not go as it should. */
async function run(terminal: Terminal, isFull: boolean, era: Era): Promise<void> {
  heading(terminal, 1, 'Connect and negotiate')
  terminal.print(
    '  The client asks which versions the server speaks, or offers its newest; both say what they can do.',
  )
  const client = await open(terminal, isFull, era)
  const { revision } = client.negotiated
  const path = [...stops, ...extensionStops].filter(({ since = '' }) => revision >= since)
  try {
    const { info } = client.server
    terminal.print(`    ${info?.title ?? info?.name} ${info?.version}, ${revision}`)
    for (const [index, { title, why, visit }] of path.entries()) {
      await terminal.pause()
      heading(terminal, index + 2, title)
      terminal.print(`  ${why}`)
      await visit(client, terminal)
    }
  } finally {
    await client.close()
  }
  heading(terminal, path.length + 2, 'The end')
  terminal.print('  The client closed the pipe; the server finished and its process has gone.')
}

function open(terminal: Terminal, isFull: boolean, protocolVersion: Era): Promise<Client> {
  const server = fileURLToPath(new URL('./main.js', import.meta.url))
  return connect(
    { command: execPath, args: [server, 'stdio', '--extras'] },
    {
      protocolVersion,
      info: { name: 'guided-tour', version: '1.0.0' },
      elicit: answerForms(terminal),
      sample: answerAsModel(terminal),
      roots: [cwd()],
      extensions: [clientTasks(), clientSkills()],
      onMessage: createFramePrinter(terminal, isFull),
      onDeprecated: () => undefined, // it shows every feature, as long as there is one
      onLog: ({ level, data }) => terminal.print(`    log, ${level}: ${JSON.stringify(data)}`),
      onElicitationComplete: () => terminal.print('    the server says that the link is done'),
      onStderr: (line) => terminal.print(terminal.paint('warning', `    stderr: ${line}`)),
    },
  )
}

function heading({ print, paint }: Terminal, number: number, title: string): void {
  print()
  print(paint('heading', `${number}. ${title}`))
}

function readEra(text: string): Era {
  const era = (['auto', ...supportedRevisions] as const).find((supported) => supported === text)
  if (era === undefined) throw new Error(`--revision is one of ${supportedRevisions.join(', ')}`)
  return era
}

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      args: argv.slice(2),
      options: {
        fast: { type: 'boolean', default: false },
        frames: { type: 'boolean', default: false },
        revision: { type: 'string', default: 'auto' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) console.log(usage)
    else await run(openTerminal(values.fast), values.frames, readEra(values.revision))
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(`\n${usage}`)
    return 1
  }
}

process.exitCode = await main()
