import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { requestGateway } from './running-gateway.ts'

/** What `GET /api/status` says. */
interface Status {
  readonly file: string
  readonly url: string | null
  readonly servers: {
    readonly [name: string]: {
      readonly state: string
      readonly cause?: string
      readonly nextAt?: string
      readonly tools: number
      readonly connections: number
    }
  }
  readonly warnings: readonly string[]
}

/** `parley gateway status` */
export function buildStatus({ io }: CommandContext): Command {
  const command = newCommand('status', 'How the servers of a running gateway are.').argument(
    '<file>',
    'the configuration that it runs with',
  )
  return addOutputFlags(command).action(async (file: string, flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const status = (await requestGateway(file, 'GET /api/status', io)) as Status // of our own program
    if (printer.isJson) return printer.json(status)
    if (status.url !== null) printer.line(status.url)
    const rows = Object.entries(status.servers).map(([name, server]) => [
      flat(name),
      server.state,
      String(server.tools),
      String(server.connections),
      flat(server.cause ?? ''),
    ])
    printer.table(rows, [
      { title: 'server' },
      { title: 'state' },
      { title: 'tools' },
      { title: 'connections' },
      { title: 'why', overflow: 'wrap' },
    ])
    for (const warning of status.warnings) printer.line(`warning: ${flat(warning)}`)
  })
}

/** `parley gateway reload` */
export function buildReload({ io }: CommandContext): Command {
  const command = newCommand('reload', 'Has a running gateway read its file again.').argument(
    '<file>',
    'the configuration that it runs with',
  )
  return addOutputFlags(command).action(async (file: string, flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const answer = (await requestGateway(file, 'POST /api/reload', io)) as {
      readonly [what: string]: readonly string[]
    } // of our own program
    if (printer.isJson) return printer.json(answer)
    for (const [what, names] of Object.entries(answer)) {
      if (names.length > 0) printer.line(`${what}: ${names.map((name) => flat(name)).join(', ')}`)
    }
  })
}

/** `parley gateway drain` */
export function buildDrain({ io }: CommandContext): Command {
  const command = newCommand('drain', 'Ends a running gateway when its calls have ended.').argument(
    '<file>',
    'the configuration that it runs with',
  )
  return addOutputFlags(command).action(async (file: string, flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const answer = await requestGateway(file, 'POST /api/drain', io)
    if (printer.isJson) printer.json(answer)
    else printer.note('it takes no more calls, and ends when those under way have')
  })
}

/** `parley gateway page` */
export function buildPage({ io }: CommandContext): Command {
  const command = newCommand('page', 'A fresh link to the page of a running gateway.').argument(
    '<file>',
    'the configuration that it runs with',
  )
  return addOutputFlags(command).action(async (file: string, flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const answer = (await requestGateway(file, 'POST /api/page', io)) as { readonly url: string } // of our own program
    if (printer.isJson) printer.json(answer)
    else printer.line(answer.url)
    printer.note('The link is good for one browser, once.')
  })
}
