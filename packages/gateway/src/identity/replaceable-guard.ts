import type { AuthInfo } from '@parley/mcp'
import type { HttpGuard, GuardDecision } from '@parley/mcp/http'

/** A guard whose rules change while a listener uses it. */
export interface ReplaceableGuard extends HttpGuard {
  /** From now on, `next` decides. Streams, sockets and calls of everybody who was let in before end. */
  replace(next: HttpGuard | undefined): void
  /** Without one, everybody is let in. */
  readonly current: HttpGuard | undefined
}

type OnRevoked = (isRevoked: (auth: AuthInfo | undefined) => boolean) => void

const everybody: GuardDecision = Object.freeze({ kind: 'allow' })

/** Begins with `first`. Paths of a guard, such as metadata, need a public address: without one there are none. */
export function replaceableGuard(
  first: HttpGuard | undefined,
  { hasUrl }: { readonly hasUrl: boolean },
): ReplaceableGuard {
  const watchers = new Map<OnRevoked, Disposable | undefined>()
  let current = first

  return {
    get current() {
      return current
    },
    replace(next) {
      current = next
      for (const [onRevoked, watching] of watchers) {
        watching?.[Symbol.dispose]()
        watchers.set(onRevoked, next?.watch?.(onRevoked))
        onRevoked(() => true)
      }
    },
    authenticate: (request) => current?.authenticate(request) ?? everybody,
    authorize(auth, operation) {
      if (current?.authorize) return current.authorize(auth, operation)
      const missing = operation.scopes.filter((scope) => !auth?.scopes.has(scope))
      if (missing.length === 0 || current === undefined) return everybody
      const message = `${operation.method} needs the scopes ${missing.join(', ')}`
      return { kind: 'deny', status: 403, headers: {}, message }
    },
    watch(onRevoked) {
      watchers.set(onRevoked, current?.watch?.(onRevoked))
      return {
        [Symbol.dispose]() {
          watchers.get(onRevoked)?.[Symbol.dispose]()
          watchers.delete(onRevoked)
        },
      }
    },
    ...(hasUrl && {
      route: async (request, resource, caller) => current?.route?.(request, resource, caller),
    }),
  }
}
