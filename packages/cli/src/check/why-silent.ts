import { CliError } from '../exit.ts'
import type { Subject } from './check.ts'
import { describe, initializeMessage } from './legacy-peer.ts'
import { checkedRevisions } from './revisions.ts'

const doctorHint = '`parley doctor` with the same target shows what is wrong.'

/** Says that a server cannot be reached where that is why opening failed. */
export async function reached<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw new CliError('unreachable', `it cannot be reached: ${reasonOf(error)}`, {
      hint: doctorHint,
      cause: error,
    })
  }
}

/** In words; what `fetch` says of itself is that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

/** Why a server that can be reached speaks no revision we know. */
export async function whySilent(subject: Subject): Promise<CliError> {
  await using link = await subject.open()
  const found = await link.exchange(initializeMessage(checkedRevisions.legacy), { waitMs: 5_000 })
  const status = found.http?.status
  if (status === 401 || status === 403) {
    return new CliError('auth_required', `it requires sign-in (HTTP ${status})`, {
      hint: 'Pass a token: --header "Authorization: Bearer …".',
    })
  }
  if (subject.kind === 'http') {
    const headers = { accept: 'text/event-stream' }
    const stream = await link.exchange('', { method: 'GET', headers, waitMs: 2_000 })
    if (isOldTransport(stream.http?.body)) {
      return new CliError('unreachable', 'it supports only the old HTTP+SSE transport', {
        hint: 'Clients reach it with --transport sse; the checks are for Streamable HTTP.',
      })
    }
  }
  if (subject.timeoutMs !== undefined && found.ended === 'silence') {
    return new CliError('timeout', `no answer in ${subject.timeoutMs} ms`, { hint: doctorHint })
  }
  const words = link.lastWords?.() ?? ''
  return new CliError(
    'unreachable',
    `it answers neither initialize nor server/discover: ${describe(found)}${words}`,
    { hint: doctorHint },
  )
}

/** The transport of 2024-11-05 begins by naming the address for messages. */
export function isOldTransport(events: string | undefined): boolean {
  return events !== undefined && /^event: ?endpoint\r?$/m.test(events)
}
