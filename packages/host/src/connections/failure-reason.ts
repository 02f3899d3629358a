import { maskSecrets } from '@parley/foundation/secrets'
import { isMcpError, type ChildDetails } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import { HostError } from '../host-error.ts'
import type { ServerStatus } from './server-status.ts'

/** Why a server is not there, for people: what was seen, and what to do about it. */
export function failureStatus(error: unknown): ServerStatus {
  const reason = { error: failureReason(error) }
  if (error instanceof HostError && error.code === 'server_off') return { state: 'off', ...reason }
  return { state: isMcpError(error, 'unauthorized') ? 'sign-in' : 'failed', ...reason }
}

/** The same in words. */
export function failureReason(error: unknown): string {
  const message = errorMessage(error)
  const hint = isMcpError(error) ? error.hint : undefined
  const last = lastWords(error)
  const more = last === undefined ? hint : `It wrote: ${last}`
  if (more === undefined) return maskSecrets(message)
  return maskSecrets(`${message}${/[.!?]$/.test(message) ? '' : '.'} ${more}`)
}

/** The last line a program wrote to its standard error. */
function lastWords(error: unknown): string | undefined {
  if (!isMcpError(error, 'spawn_failed') && !isMcpError(error, 'connection_lost')) return undefined
  const { stderr = '' }: ChildDetails = error.details
  const line = stderr.trimEnd().split('\n').at(-1)?.trim()
  return line === undefined || line === '' ? undefined : line.slice(0, 500)
}
