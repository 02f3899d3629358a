import type { ClientAuth } from '@parley/mcp/client'

import { isAuthError, type AuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { createBrowserTokenStore } from '../grants/browser-store.ts'
import type { SignInOptions } from './interactive.ts'
import { createPendingList } from './pending-list.ts'
import { beginSignIn, completeSignIn, authFromStore } from './two-step.ts'

/** How people sign in from a page. */
export interface PageSignInOptions extends SignInOptions {
  /** Where the browser comes back to; this page calls `completeSignIn()`. @defaultValue the address of this page, without query and fragment */
  readonly redirectUri?: string | undefined
  /** The page. @defaultValue that of the browser */
  readonly page?: PageLocation | undefined
}

/** A sign-in that this page came back from. */
export interface CompletedSignIn {
  /** The server that was signed in to. */
  readonly server: string
  /** Where the page was when it began. */
  readonly returnTo: string
  /** Why it failed, if it did: the user declined, or it took too long. */
  readonly error?: unknown
}

/** Signing in from a page, which leaves for the issuer and is loaded again. */
export interface PageSignIn {
  /** For `connect`. Fails with `grant_lost` or `insufficient_scope` where somebody has to sign in. */
  readonly auth: ClientAuth
  /** The address to send the browser to, to sign in to a server; good for ten minutes. */
  begin(
    url: string | URL,
    options?: {
      /** The scopes of an `insufficient_scope` challenge. */
      readonly scopes?: readonly string[] | undefined
      /** Gives up finding out where to sign in. */
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<string>
  /** Call it when the page is loaded: completes the sign-in it came back from, and cleans its address. Undefined if there was none. Resolves also when it failed: look at `error`. */
  complete(): Promise<CompletedSignIn | undefined>
  /** The error that says that somebody has to sign in, in what `connect` or a call failed with. */
  neededBy(error: unknown): AuthError | undefined
}

/** The parameters that issuers add to the address of a callback. */
const callbackParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/** The one sign-in that a page can come back from: whoever asks in this page gets the same. */
let last:
  | { readonly state: string; readonly done: Promise<CompletedSignIn | undefined> }
  | undefined

/** Lets people sign in from a page of their browser. Tokens are kept by `createBrowserTokenStore()` unless told otherwise. */
export function createPageSignIn(options: PageSignInOptions = {}): PageSignIn {
  const {
    page = pageHere(),
    store = createBrowserTokenStore(),
    redirectUri = withoutQuery(page.href),
  } = options
  const all = { network: 'any', ...options, store } as const // a page reaches what its user reaches
  const pendings = createPendingList(store)

  async function finish(callback: URL, state: string): Promise<CompletedSignIn | undefined> {
    const pending = await pendings.take(state)
    if (pending === undefined) return undefined // somebody else's
    const { signIn, server, returnTo } = pending
    clean(callback, returnTo)
    try {
      await completeSignIn(signIn, callback, all)
      return { server, returnTo }
    } catch (error) {
      return { server, returnTo, error }
    }
  }

  /** Codes and errors do not belong into the history. */
  function clean(callback: URL, returnTo: string): void {
    const back = parseUrl(returnTo)
    const isHere = back?.origin === callback.origin && back.pathname === callback.pathname
    const plain = isHere ? back : new URL(callback.href)
    for (const name of callbackParameters) plain.searchParams.delete(name)
    page.replace(plain.href)
  }

  return {
    auth: authFromStore(all),

    async begin(url, { scopes, signal } = {}) {
      const wanted = scopes === undefined ? {} : { scopes: [...(options.scopes ?? []), ...scopes] }
      const signIn = await beginSignIn(url, { ...all, ...wanted, redirectUri, signal })
      await pendings.add({ signIn, server: new URL(url).href, returnTo: page.href })
      return signIn.authorizationUrl
    },

    complete() {
      const callback = new URL(page.href)
      const state = callback.searchParams.get('state')
      const isAnswer = callback.searchParams.has('code') || callback.searchParams.has('error')
      // The address is clean as soon as it was read; who asks a moment later waits for the same.
      if (state === null || !isAnswer || state === last?.state) {
        return last?.done ?? Promise.resolve(undefined)
      }
      const done = finish(callback, state)
      last = { state, done }
      return done
    },

    neededBy(error) {
      const cause = error instanceof Error && !isAuthError(error) ? error.cause : error
      const isNeeded = isAuthError(cause, 'grant_lost') || isAuthError(cause, 'insufficient_scope')
      return isNeeded ? cause : undefined
    },
  }
}

function withoutQuery(href: string): string {
  const { origin, pathname } = new URL(href)
  return `${origin}${pathname}`
}

/** The address of a page. */
export interface PageLocation {
  /** The address as the browser shows it. */
  readonly href: string
  /** Shows another address, without loading it and without an entry in the history. */
  replace(href: string): void
}

/** The page that this runs in. */
function pageHere(): PageLocation {
  const { location, history } = globalThis as {
    location?: { readonly href: string }
    history?: { replaceState(state: unknown, unused: string, url: string): void; state: unknown }
  } // may be missing: not only browsers run this
  if (location === undefined || history === undefined) {
    throw new TypeError(
      'createPageSignIn() needs a browser: use beginSignIn() and completeSignIn() in other programs',
    )
  }
  return {
    get href() {
      return location.href
    },
    replace: (href) => history.replaceState(history.state, '', href),
  }
}
