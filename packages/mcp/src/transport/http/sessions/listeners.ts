import type { Clock } from '../../../rpc/time/clock.ts'
import type { EventStream } from '../streams/event-stream.ts'
import { randomId } from './random-id.ts'

/** A stream for what belongs to no call that is about to be opened here: the other processes are told first. */
export interface Claim {
  readonly id: string
}

/**
 * The streams of one session that carry what belongs to no call. Of several in this process the newest is used; of several
 * processes only the one where the client listened last has any.
 */
export interface Listeners {
  /** Nothing is listened to, and nobody is about to. */
  isIdle(): boolean
  claim(): Claim
  /** It will not be opened. */
  drop(claim: Claim): void
  /** A claim is needed where there are other processes. */
  add(stream: EventStream, claim: Claim | undefined): void
  forget(stream: EventStream): void
  /** On one stream only: the newest that somebody reads, else the newest. False without any. */
  tell(json: string): boolean
  /**
   * Everybody hears in the same order who listened: one of this process, or another, to which what was claimed here before
   * it gives way. What is claimed here but was not heard of yet is newer.
   */
  hear(own: string | undefined): void
  /** Nobody knows who listened meanwhile: whoever listens from now on elsewhere is newer. */
  hearGap(): void
  /** Ends what nobody will come back for. */
  sweep(): void
  clear(): void
}

interface OwnClaim extends Claim {
  isHeard: boolean
  isLost: boolean
  stream: EventStream | undefined
}

/** Read at once by one client that listens. */
const mostListeners = 16
/** A listener that lost its connection may come back for so long. */
const keepListenerMs = 600_000

export function createListeners(clock: Clock): Listeners {
  const listeners: EventStream[] = []
  const claims = new Map<string, OwnClaim>()

  return {
    isIdle: () => listeners.length === 0 && claims.size === 0,

    claim() {
      const id = randomId().slice(0, 16)
      const claim: OwnClaim = { id, isHeard: false, isLost: false, stream: undefined }
      claims.set(id, claim)
      return claim
    },

    drop: ({ id }) => void claims.delete(id),

    add(stream, claim) {
      listeners.push(stream)
      if (listeners.length > mostListeners) listeners.shift()?.end()
      const own = claim && claims.get(claim.id)
      if (own) own.stream = stream
      if (own?.isLost) stream.end()
    },

    forget(stream) {
      const index = listeners.indexOf(stream)
      if (index !== -1) listeners.splice(index, 1)
      for (const [id, claim] of claims) if (claim.stream === stream) claims.delete(id)
    },

    tell(json) {
      const open = listeners.filter(({ isEnded }) => !isEnded)
      const stream = open.findLast(({ isAttached }) => isAttached) ?? open.at(-1)
      stream?.send(json)
      return stream !== undefined
    },

    hear(own) {
      const known = own === undefined ? undefined : claims.get(own)
      if (known) known.isHeard = true
      if (own !== undefined) return
      for (const claim of claims.values()) {
        if (!claim.isHeard) continue
        claim.isLost = true
        claim.stream?.end()
      }
    },

    hearGap() {
      for (const claim of claims.values()) claim.isHeard = true
    },

    sweep() {
      const now = clock.now()
      const left = listeners.filter(
        ({ isAttached, leftAt }) => !isAttached && now - leftAt >= keepListenerMs,
      )
      for (const stream of left) stream.end()
    },

    clear() {
      listeners.length = 0
      claims.clear()
    },
  }
}
