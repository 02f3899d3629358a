import type { Client } from '@parley/mcp/client'

import { toProblem } from '../problem.ts'
import type { Logs } from '../trace/logs.ts'
import type { ServerHold } from './server-hold.ts'

/** Asks servers again and again whether they are there, where their settings want that. */
export interface Pings {
  /** Begins anew with the interval of the settings; none where they name none, or nothing is connected. */
  follow(hold: ServerHold): void
  stop(hold: ServerHold): void
}

export interface PingsContext {
  readonly logs: Logs
  /** Something about a server changed that its view shows. */
  readonly changed: () => void
}

export function createPings({ logs, changed }: PingsContext): Pings {
  const timers = new Map<string, NodeJS.Timeout>()

  function stop({ name }: ServerHold): void {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }

  function follow(hold: ServerHold): void {
    stop(hold)
    const { client, settings } = hold
    const { pingEveryMs } = settings
    if (client === undefined || pingEveryMs === undefined) return
    const timer = setTimeout(async () => {
      if (!hold.isQuiet) await ping(hold, client, pingEveryMs)
      if (hold.client === client && timers.get(hold.name) === timer) follow(hold)
    }, pingEveryMs)
    timer.unref()
    timers.set(hold.name, timer)
  }

  /** Answers are waited for as long as an interval. */
  async function ping(hold: ServerHold, client: Client, ms: number): Promise<void> {
    try {
      await client.ping({ timeouts: { idleMs: ms, totalMs: ms } })
      if (hold.problem?.code !== 'ping_lost') return
      hold.problem = undefined
      report(hold, 'info', 'pings are answered again')
    } catch (error) {
      if (hold.client !== client) return // it was let go of meanwhile
      const { message } = toProblem(error)
      hold.problem = {
        code: 'ping_lost',
        message: `no answer to a ping: ${message}`,
        hint: 'The server may be busy or stuck; restart it if it does not recover.',
      }
      report(hold, 'warning', hold.problem.message)
    }
    changed()
  }

  function report({ name, tap }: ServerHold, level: string, message: string): void {
    tap.add({ kind: 'status', text: message })
    logs.add({ server: name, from: 'inspector', level, data: message })
  }

  return { follow, stop }
}
