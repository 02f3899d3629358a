import type { Revision } from '../../../schema/revision.ts'
import { createKeyRing } from '../../../server/input/key-ring.ts'
import type { SaidByClient } from '../../../server/peer/initialize.ts'

/** What the id of a session in a cluster says, to us only: all that never changes. */
export interface SealedSession {
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
  /** Tells which ids were sealed with one of today's secrets. */
  current(): Promise<(id: string) => boolean>
}

/** Longer ids would be refused by some proxies, together with the other headers of a request. */
export const longestId = 1_500

/** Of sealed text, which nobody can guess: 96 bits each. */
const partLength = 16

/** The part of an id by which processes name the session to each other, and in the store. The part behind it stays secret. */
export function keyIn(id: string): string {
  return id.slice(-2 * partLength, -partLength)
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

    current: keys.current,
  }
}
