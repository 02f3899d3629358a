import type { ServerStatus } from '../document/server-document.ts'
import { Problem } from './problem.ts'

const statuses: readonly string[] = ['active', 'deprecated', 'deleted'] satisfies ServerStatus[]
const maxCharacters = 500

/** The body of a change of status. */
export function readStatusBody(value: unknown): {
  readonly status: ServerStatus
  readonly message: string | undefined
} {
  if (typeof value !== 'object' || value === null) throw wrong('body', 'expected an object')
  const { status, statusMessage: message } = value as {
    readonly status?: unknown
    readonly statusMessage?: unknown
  } // an object may have these; both are checked
  if (!isStatus(status)) {
    throw wrong('body.status', `expected one of ${statuses.join(', ')}`)
  }
  const isText = typeof message === 'string'
  if (message !== undefined && (!isText || message.length > maxCharacters)) {
    throw wrong('body.statusMessage', `expected a text of at most ${maxCharacters} characters`)
  }
  if (isText && message.includes('\0')) throw wrong('body.statusMessage', 'contains U+0000')
  if (isText && status === 'active') {
    throw new Problem(400, 'statusMessage has no meaning for the status active: leave it out.')
  }
  return { status, message: isText && message !== '' ? message : undefined }
}

function isStatus(value: unknown): value is ServerStatus {
  return typeof value === 'string' && statuses.includes(value)
}

function wrong(location: string, message: string): Problem {
  return new Problem(422, `The body is not a change of status: ${location} ${message}.`, {
    details: [{ message, location }],
  })
}
