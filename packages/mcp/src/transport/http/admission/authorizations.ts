import type { AuthInfo } from '../../../rpc/auth-info.ts'
import type { Clock } from '../../../rpc/clock.ts'
import type { HttpGuard } from '../http-options.ts'

/** Why a socket or a stream is closed then. */
export const authorizationExpired = 'the authorization has expired'

/** Why a call is given up. */
export const authorizationRevoked = 'the authorization has been revoked'

interface Watched {
  readonly auth: AuthInfo | undefined
  readonly onEnded: () => void
}

/**
 * Sockets, streams and calls outlive the request that the guard let in, but not what their caller is allowed: each ends when its
 * credential expires, and when the guard says that it was revoked.
 */
export class Authorizations implements Disposable {
  private readonly watched = new Set<Watched>()
  private readonly watching: Disposable | undefined
  private readonly clock: Clock

  constructor(guard: HttpGuard | undefined, clock: Clock) {
    this.clock = clock
    this.watching = guard?.watch?.((isRevoked) => {
      for (const { auth, onEnded } of this.watched) if (isRevoked(auth)) onEnded()
    })
  }

  /** False where the guard revokes nothing, so that nothing need be watched for it. */
  get canRevoke(): boolean {
    return this.watching !== undefined
  }

  /** Calls back once the caller's credential has expired or was revoked. */
  watch(auth: AuthInfo | undefined, onEnded: () => void): Disposable {
    const expiry = watchExpiry(auth?.expiresAt, this.clock, onEnded)
    const revocation = this.watchRevoked(auth, onEnded)
    return {
      [Symbol.dispose]() {
        expiry?.[Symbol.dispose]()
        revocation?.[Symbol.dispose]()
      },
    }
  }

  /** For a call, which may outlive the token it came with. Undefined where the guard revokes nothing. */
  watchRevoked(auth: AuthInfo | undefined, onEnded: () => void): Disposable | undefined {
    if (this.watching === undefined) return undefined
    const entry = { auth, onEnded }
    this.watched.add(entry)
    return { [Symbol.dispose]: () => void this.watched.delete(entry) }
  }

  [Symbol.dispose](): void {
    this.watching?.[Symbol.dispose]()
    this.watched.clear()
  }
}

function watchExpiry(
  expiresAt: number | undefined,
  clock: Clock,
  onExpired: () => void,
): Disposable | undefined {
  if (expiresAt === undefined || expiresAt === Infinity) return undefined
  let timer: Disposable | undefined
  wait(expiresAt)

  /** Timers end early when they are asked for weeks. */
  function wait(until: number): void {
    const leftMs = until - Date.now()
    timer = clock.setTimer(
      () => (leftMs > maxMs ? wait(until) : onExpired()),
      Math.min(leftMs, maxMs),
    )
  }

  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

const maxMs = 24 * 60 * 60 * 1000
