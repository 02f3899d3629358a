import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { TokenFile } from '@parley/foundation/listener'
import { stateFolder } from '@parley/foundation/secrets'
import { anySignal } from '@parley/mcp/signals'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** Asks the gateway that runs with a file. Fails with what to do if none does. */
export async function requestGateway(
  file: string,
  route: `${'GET' | 'POST'} /${string}`,
  io: Io,
): Promise<unknown> {
  const { controlFile } = await import('@parley/gateway')
  const path = resolve(io.cwd, file)
  const token = await readToken(controlFile(stateFolder({ env: io.env }), path))
  if (token === undefined) throw notRunning(path)
  const [method = 'GET', at = ''] = route.split(' ')
  let response: Response
  try {
    response = await fetch(new URL(at.slice(1), token.url), {
      method,
      headers: { authorization: `Bearer ${token.token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
      signal: anySignal(io.signal, AbortSignal.timeout(30_000)),
    })
  } catch (error) {
    throw notRunning(path, error)
  }
  const answer: unknown = await response.json()
  if (response.ok) return answer
  const { error } = answer as { readonly error?: { readonly message?: string } } // as a listener refuses
  throw new CliError('error', `the gateway refused: ${error?.message ?? response.status}`)
}

async function readToken(path: string): Promise<TokenFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as TokenFile // written by the gateway, for this user alone
  } catch {
    return undefined
  }
}

function notRunning(path: string, cause?: unknown): CliError {
  return new CliError('unreachable', `no gateway of this user runs with ${path}`, {
    hint: `Start it: parley gateway run --config ${path}`,
    cause,
  })
}
