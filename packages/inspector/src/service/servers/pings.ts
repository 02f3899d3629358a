import type { Client } from '@parley/mcp/client'

import { toProblem } from '../problem.ts'
import type { Logs } from '../trace/logs.ts'
import type { ServerRecord } from './server-hold.ts'

/** Asks servers again and again whether they are there, where their settings want that. */
export interface Pings {
  /** Begins anew with the interval of the settings; none where they name none, or nothing is connected. */
  follow(record: ServerRecord): void
  stop(record: ServerRecord): void
}

export interface PingsContext {
  readonly logs: Logs
  /** Something about a server changed that its view shows. */
  readonly changed: () => void
}

export function createPings({ logs, changed }: PingsContext): Pings {
  const timers = new Map<string, NodeJS.Timeout>()

  function stop({ name }: ServerRecord): void {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }

  function follow(record: ServerRecord): void {
    stop(record)
    const { client, settings } = record
    const { pingEveryMs } = settings
    if (client === undefined || pingEveryMs === undefined) return
    const timer = setTimeout(async () => {
      if (!record.isQuiet) await ping(record, client, pingEveryMs)
      if (record.client === client && timers.get(record.name) === timer) follow(record)
    }, pingEveryMs)
    timer.unref()
    timers.set(record.name, timer)
  }

  /** Answers are waited for as long as an interval. */
  async function ping(record: ServerRecord, client: Client, ms: number): Promise<void> {
    try {
      await client.ping({ timeouts: { idleMs: ms, totalMs: ms } })
      if (record.problem?.code !== 'ping_lost') return
      record.problem = undefined
      report(record, 'info', 'pings are answered again')
    } catch (error) {
      if (record.client !== client) return // it was let go of meanwhile
      const { message } = toProblem(error)
      record.problem = {
        code: 'ping_lost',
        message: `no answer to a ping: ${message}`,
        hint: 'The server may be busy or stuck; restart it if it does not recover.',
      }
      report(record, 'warning', record.problem.message)
    }
    changed()
  }

  function report({ name, tap }: ServerRecord, level: string, message: string): void {
    tap.add({ kind: 'status', text: message })
    logs.add({ server: name, from: 'inspector', level, data: message })
  }

  return { follow, stop }
}
