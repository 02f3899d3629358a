import { parseUrl } from '@parley/mcp/address'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { connecting, idle, type McpConnection, type UseMcpOptions } from './connection.ts'
import { openConnection, signInOf } from './open-connection.ts'

/**
 * Connects a component to a server for as long as it is shown. In a page, people sign in by `signInUrl` or `signIn()`, and the
 * page takes up the sign-in when it is loaded again.
 */
export function useMcp(url: string | URL, options: UseMcpOptions = {}): McpConnection {
  const href = absolute(url)
  const { enabled = true } = options
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState(enabled ? connecting : idle)
  const latest = useRef(options)

  // Before the effect that connects: effects run in their order.
  useEffect(() => {
    latest.current = options
  })

  useEffect(() => {
    setState(enabled ? connecting : idle)
    if (!enabled) return undefined
    const controller = new AbortController()
    void openConnection(href, latest.current, controller.signal, setState)
    return () => controller.abort()
  }, [href, enabled, attempt])

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  const { signInUrl } = state

  const signIn = useCallback(
    async (error?: unknown) => {
      const page = signInOf(latest.current)
      if (page === undefined) throw new TypeError('signing in needs the option signIn')
      const scopes = page.neededBy(error)?.scopes
      const isPrepared = signInUrl !== undefined && scopes === undefined
      leave(isPrepared ? signInUrl : await page.begin(href, { scopes }))
    },
    [href, signInUrl],
  )

  return useMemo(() => ({ ...state, retry, signIn }), [state, retry, signIn])
}

/** An address of the page's own origin may be only a path. */
function absolute(url: string | URL): string {
  const { location } = globalThis as { location?: { readonly href?: string } } // may be missing: not only browsers run this
  const text = String(url)
  return parseUrl(text, location?.href)?.href ?? text
}

function leave(address: string): void {
  const { location } = globalThis as { location?: { assign(address: string): void } } // may be missing: not only browsers run this
  if (location === undefined)
    throw new TypeError('there is no page to leave: show signInUrl instead')
  location.assign(address)
}
