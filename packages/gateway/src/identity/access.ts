import { isLoopbackAddress } from '@parley/mcp/address'
import type { HttpGuard, GuardDecision } from '@parley/mcp/http'

import type { GatewayOptions, ReloadOptions } from '../gateway/gateway.ts'
import { UsageError } from '../usage-error.ts'
import { certificateGuard } from './certificate-guard.ts'
import { replaceableGuard, type ReplaceableGuard } from './replaceable-guard.ts'

/** The guard for the callers of a running gateway. */
export interface Access {
  /** For the listener. */
  readonly guard: ReplaceableGuard
  /**
   * Checks what a reload says about callers and returns the function that puts it into force. Throws `UsageError` for what would
   * let strangers in.
   */
  prepare(next: ReloadOptions): () => void
}

/** Begins with the options of the start. Throws `UsageError` where strangers could call without a guard. */
export function createAccess(options: GatewayOptions): Access {
  const { host = '127.0.0.1', to = 'http', tls, url, origins = [] } = options
  const hasUrl = url !== undefined
  const isPublic = to === 'http' && !isLoopbackAddress(host)
  let auth = options.auth
  let rejectedOrigins: readonly string[] = []
  requireLocation(auth)

  function requireLocation(next: HttpGuard | undefined): void {
    if (isPublic && next === undefined && tls?.clientCa === undefined) {
      throw new UsageError(
        `a gateway that listens on ${host} needs auth: add it, or start the gateway on 127.0.0.1`,
      )
    }
  }

  /** Paths of a guard need the public address, which is settled at the start. */
  function placed(input: HttpGuard | undefined): HttpGuard | undefined {
    const usable = input?.route === undefined || hasUrl ? input : nobody
    return tls?.clientCa === undefined ? usable : certificateGuard(usable)
  }

  /** With origins that were taken out of the file. */
  function guarded(input: HttpGuard | undefined): HttpGuard | undefined {
    const inner = placed(input)
    if (rejectedOrigins.length === 0) return inner
    const isRejected = new Set(rejectedOrigins.map((origin) => origin.toLowerCase()))
    return {
      ...inner,
      authenticate(request) {
        const origin = request.header('origin')?.toLowerCase()
        if (origin === undefined || !isRejected.has(origin))
          return inner?.authenticate(request) ?? { kind: 'allow' }
        return deny(403, `pages of ${origin} may no longer call this gateway`)
      },
    }
  }

  if (auth?.route !== undefined && !hasUrl) {
    throw new UsageError(
      'auth needs url, the public address of the gateway: tokens are issued for that address',
    )
  }
  const guard = replaceableGuard(placed(auth), { hasUrl })

  return {
    guard,
    prepare(next) {
      const nextAuth = 'auth' in next ? next.auth : auth
      requireLocation(nextAuth)
      const nextOrigins = 'origins' in next ? (next.origins ?? []) : origins
      const nextRejected = origins.filter((origin) => !nextOrigins.includes(origin))
      return () => {
        const isSame = nextAuth === auth && nextRejected.join(' ') === rejectedOrigins.join(' ')
        auth = nextAuth
        rejectedOrigins = nextRejected
        if (!isSame) guard.replace(guarded(auth))
      }
    },
  }
}

const nobody: HttpGuard = {
  authenticate: () =>
    deny(503, 'who may call has changed, and the gateway must be started again for it'),
}

function deny(status: 403 | 503, message: string): GuardDecision {
  return { kind: 'deny', status, headers: {}, message }
}
