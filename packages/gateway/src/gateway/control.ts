import { createHash } from 'node:crypto'
import { join } from 'node:path'

import type { Listener } from '@parley/foundation/listener'
import { errorMessage } from '@parley/mcp/json'

import type { GatewayDifference } from './exchange.ts'
import type { Gateway } from './gateway.ts'

/** Operations of a running gateway for other programs of the same user. */
export interface ControlOptions {
  /** The gateway that runs. */
  readonly gateway: Gateway
  /** The configuration that it runs with. */
  readonly file: string
  /** Where the token is written, for this user alone. */
  readonly folder: string
  /** Reads the configuration again. */
  reload(): Promise<GatewayDifference>
  /** Ends the gateway when its calls have ended. */
  drain(): void
  /** A link to its page, good for one browser; undefined if it has none. */
  pageLink?(): string | undefined
}

/** Where a gateway with this configuration can be reached. */
export function controlFile(folder: string, file: string): string {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 16)
  return join(folder, 'gateways', `${digest}.json`)
}

/** Opens a port on loopback for the commands of this user; a token in a private file lets them in. */
export async function startControl(options: ControlOptions): Promise<Listener> {
  const { gateway, file, folder, reload, drain, pageLink } = options
  const { startListener } = await import('@parley/foundation/listener')
  return startListener({
    tokenFile: controlFile(folder, file),
    app: {
      name: 'gateway',
      routes: {
        'GET /api/status': () => ({
          json: { file, url: gateway.url?.href ?? null, ...gateway.status() },
        }),
        'POST /api/reload': async () => {
          try {
            return { json: await reload() }
          } catch (error) {
            const message = errorMessage(error)
            return { status: 409, json: { error: { message } } }
          }
        },
        'POST /api/page': () => {
          const url = pageLink?.()
          if (url !== undefined) return { json: { url } }
          const message = 'it has no page: start it with --page, or write page: true in its file'
          return { status: 409, json: { error: { message } } }
        },
        'POST /api/drain': () => {
          setImmediate(drain) // when this has been answered
          return { json: { draining: true } }
        },
      },
    },
  })
}
