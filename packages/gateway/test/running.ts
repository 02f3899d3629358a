import { readdirSync } from 'node:fs'

import { startBridge, type Bridge, type BridgeOptions } from '@parley/gateway'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

/** Starts a bridge on a free port of loopback. */
export function startTestBridge(
  options: Partial<BridgeOptions> & Pick<BridgeOptions, 'from'>,
): Promise<Bridge> {
  return startBridge({ to: 'http', port: 0, onError: () => undefined, ...options })
}

/** A client of the bridge that prints nothing. */
export function open({ url }: Bridge, options: ConnectOptions = {}): Promise<Client> {
  if (url === undefined) throw new TypeError('a bridge over stdio has no address')
  return connect(url, {
    cache: false,
    reconnect: false,
    onError: () => undefined,
    onDeprecated: () => undefined,
    ...options,
  })
}

/** The processes that wrote their numbers into a folder and still live. */
export function livingIn(folder: string): readonly number[] {
  return readdirSync(folder).map(parseFloat).filter(isAlive)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The text of a result. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  const [block] = content as readonly { readonly text?: string }[] // text is all there is
  return block?.text ?? ''
}
