import type { Revision } from '../../../schema/revision.ts'
import { createKeyRing } from '../../../server/input/key-ring.ts'
import type { SaidByClient } from '../../../server/peer/initialize.ts'

/** What the id of a session in a cluster says, to us only: all that never changes. */
export interface SealedSession {
  readonly key: string
  readonly revision: Revision
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Absent where that is too long: then its record has it. */
  readonly client?: SaidByClient
}

/** Makes ids of sessions that any process which has the secrets can open. */
export interface SessionSeal {
  /** Visible ASCII. */
  seal(session: SealedSession, principal: string): Promise<string>
  /** Undefined for whatever is not the id of a session of this server, of this principal, that still lasts. */
  open(id: string, principal: string): Promise<SealedSession | undefined>
}

/** Longer ids would be refused by some proxies, together with the other headers of a request. */
export const longestId = 1_500

/** What is kept of an id to find a session that is known here: all of it would take more memory than the rest of a session. */
const endLength = 24

/**
 * By what a process finds a session it knows: the end of its id, and its length. The end is sealed text, 144 bits that nobody
 * has who does not have the id. A process that does not know the session opens the whole id.
 */
export function shortOf(id: string): string {
  return `${id.slice(-endLength)}${id.length}`
}

/** The same text, without the longer one that it was cut from. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string // a text stays one
}

/** The name of the server is bound too: another server may have the same secrets. */
export function createSessionSeal(server: string, secrets: () => readonly string[]): SessionSeal {
  const keys = createKeyRing(secrets, 'session id')
  const bindingOf = (principal: string): string => JSON.stringify([server, principal])

  return {
    seal: (session, principal) => keys.seal(JSON.stringify(session), bindingOf(principal)),

    async open(id, principal) {
      const text = await keys.open(id, bindingOf(principal))
      if (text === undefined) return undefined
      const session = JSON.parse(text) as SealedSession // sealed by us
      return session.expiresAt > Date.now() ? session : undefined
    },
  }
}
