import { createPageSignIn, type PageSignIn } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'

import {
  failed,
  ready,
  signInNeeded,
  type ConnectionState,
  type UseMcpOptions,
} from './connection.ts'

let shared: PageSignIn | undefined

/** How people sign in: as the options say, or from this page if it is one. */
export function signInOf({ signIn, auth }: UseMcpOptions): PageSignIn | undefined {
  if (signIn !== undefined) return signIn === false ? undefined : signIn
  if (auth !== undefined || !('location' in globalThis)) return undefined
  shared ??= createPageSignIn()
  return shared
}

/** Connects, and tells each state until the signal is aborted. Never rejects. */
export async function openConnection(
  url: string,
  options: UseMcpOptions,
  signal: AbortSignal,
  onState: (state: ConnectionState) => void,
): Promise<void> {
  const report = (state: ConnectionState): void => {
    if (!signal.aborted) onState(state)
  }
  try {
    const signIn = signInOf(options)
    const completed = await signIn?.complete()
    if (completed?.server === url && completed.error !== undefined) throw completed.error
    try {
      await follow(url, { ...options, auth: options.auth ?? signIn?.auth }, signal, report)
    } catch (error) {
      const needed = signIn?.neededBy(error)
      if (signIn === undefined || needed === undefined || signal.aborted) throw error
      report(signInNeeded(await signIn.begin(url, { scopes: needed.scopes, signal })))
    }
  } catch (error) {
    report(failed(error))
  }
}

/** Connected for as long as the signal lets it, with the tools as they change. */
async function follow(
  url: string,
  { signIn: _signIn, enabled: _enabled, ...options }: UseMcpOptions,
  signal: AbortSignal,
  report: (state: ConnectionState) => void,
): Promise<void> {
  const client = await connect(url, { ...options, signal })
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    if (client.server.capabilities.tools === undefined) report(ready(client, []))
    else for await (const tools of client.watch('tools', { signal })) report(ready(client, tools))
    await aborted
  } finally {
    await client.close()
  }
}
