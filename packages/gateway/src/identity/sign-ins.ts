/**
 * Signs callers in to servers, in a browser, on the gateway's own listener: the link, the proof that it is the caller who
 * opens it, the way to the server's issuer, and the way back.
 *
 * What is under way is remembered in a `SignInState`: in one gateway of several processes each request of the browser may
 * come to another process, and the call that waits may be at yet another. Which callers there are is the guard's business;
 * tokens belong to the `TokenStore`; pages are in `sign-in-pages.ts`.
 *
 * Guarantees: a link is good for one caller, in one browser, for ten minutes, and leads to an issuer once.
 */
import { randomBytes } from 'node:crypto'

import { isAuthError } from '@parley/auth'
import {
  beginSignIn,
  completeSignIn,
  createMemoryTokenStore,
  type StartedSignIn,
  type TokenStore,
} from '@parley/auth/client'
import type { StoreCluster } from '@parley/cluster'
import { RpcError, type AuthInfo, type OnError } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'

import type { GatewayServer } from '../upstreams/server-options.ts'
import { createBrowserProof, type BrowserProof, type ProofClient } from './browser-proof.ts'
import type { OutgoingAuth } from './outgoing-auth.ts'
import { accountOf, networkFor } from './outgoing-credentials.ts'
import { page, redirect, withCookie } from './sign-in-pages.ts'
import {
  createLocalSignInState,
  createSharedSignInState,
  isNamed,
  nameOf,
  signInMs,
} from './sign-in-state.ts'

/** Signing callers in to servers, in a browser, on the gateway's own listener. */
export interface SignIns {
  /** An address that the caller, and nobody else, can sign in at. Rejects with `overloaded` if too many wait already. */
  begin(wanted: SignInRequest): Promise<string>
  /** Resolves when somebody has signed in, at whichever process, or has not for two minutes. */
  settled(account: string, signal: AbortSignal): Promise<void>
  /** Answers for its own paths; undefined for others. */
  route(request: Request): Promise<Response | undefined>
  /** The public address; nothing can be begun before it is known. */
  listensAt(url: URL): void
  /** Hears nothing of other processes any more. */
  close(): void
}

/** A sign-in: the person and the server. */
export interface SignInRequest {
  readonly caller: AuthInfo
  readonly upstream: string
  /** Besides those that are configured. */
  readonly scopes: readonly string[]
  /** It has worked. */
  onDone(): void
}

/** Options of sign-ins. */
export interface SignInsOptions {
  readonly store: TokenStore
  /** Returns the current guard for callers: the person at the browser must be the same as the caller. */
  readonly guard: () => HttpGuard | undefined
  /** Returns the gateway's client at the issuer of its callers, for people at a browser. @defaultValue it registers itself */
  readonly client: () => ProofClient | undefined
  /** The server of that name as it is configured now. */
  readonly server: (upstream: string) => GatewayServer | undefined
  /** Somebody has signed in to a server, at this process or at another one. */
  readonly onSignedIn: (upstream: string, account: string) => void
  /** What all processes share. @defaultValue this process is alone */
  readonly cluster?: Pick<StoreCluster, 'values' | 'secrets' | 'messages'> | undefined
  readonly onError: OnError
}

/** What a link is for. */
interface Ticket {
  readonly account: string
  readonly upstream: string
  readonly scopes: readonly string[]
}

/** Somebody is at the server's issuer. */
interface Waiting extends Ticket {
  readonly ticket: string
  /** The name of the browser's cookie. */
  readonly browser: string
  readonly signIn: StartedSignIn
}

/** A link that a caller of this process was given. */
interface Begun {
  readonly account: string
  readonly until: number
  onDone(): void
}

/** How long a request waits for its user to sign in. */
const patienceMs = 120_000
const maxTickets = 1_000
const maxPerCaller = 10
/** Keys that may be tried at one link. */
const maxKeys = 5
/** How often a link is looked at. */
const maxOpened = 20
const paths = {
  start: '/oauth/sign-in',
  callback: '/oauth/callback',
  proof: '/oauth/proof',
} as const
const cookieName = 'parley-sign-in'
const messageType = 'gateway-signed-in'

export function createSignIns(options: SignInsOptions): SignIns {
  const { store, guard, client, server, onSignedIn, cluster, onError } = options
  const state = cluster ? createSharedSignInState(cluster, onError) : createLocalSignInState()
  const registrations = cluster ? store : createMemoryTokenStore()
  /** By the name of the ticket. */
  const begun = new Map<string, Begun>()
  const wakers = new Map<string, Set<() => void>>()
  let base: URL | undefined
  let proof: { readonly guard: HttpGuard; readonly by: BrowserProof } | undefined
  const handlers = new Map<string, (request: Request) => Promise<Response>>([
    [paths.start, start],
    [paths.proof, proven],
    [paths.callback, callback],
  ])
  const listening = cluster?.messages.listen({
    receive({ type, ticket, upstream, account }) {
      if (type !== messageType || typeof ticket !== 'string') return
      if (typeof upstream === 'string' && typeof account === 'string') {
        signedIn(ticket, upstream, account)
      }
    },
    // Whoever waits tries again, and is told to sign in if that is still to be done.
    onGap: () => [...wakers.keys()].forEach(wake),
  })

  function addressOf(path: string): URL {
    if (base === undefined) throw new RpcError('overloaded', 'the gateway does not listen yet')
    return new URL(path, base)
  }

  function wake(account: string): void {
    for (const finish of wakers.get(account) ?? []) finish()
  }

  function signedIn(ticket: string, upstream: string, account: string): void {
    onSignedIn(upstream, account)
    begun.get(ticket)?.onDone()
    begun.delete(ticket)
    wake(account)
  }

  /** A link is no longer good. */
  async function forget(ticket: string, account: string): Promise<void> {
    begun.delete(ticket)
    await state.delete('ticket', ticket)
    await settle(ticket, account)
  }

  /** Nobody has to wait for this link. */
  async function settle(ticket: string, account: string): Promise<void> {
    const name = nameOf(account)
    if ((await state.get('newest', name)) === ticket) await state.delete('newest', name)
  }

  /** The oldest link of the caller goes when there are too many; the caller is refused when all have too many. */
  async function freeCapacity(account: string): Promise<void> {
    const now = Date.now()
    for (const [ticket, { until }] of begun) if (until < now) begun.delete(ticket)
    const own = [...begun].filter(([, each]) => each.account === account)
    const [oldest] = own
    if (own.length >= maxPerCaller && oldest !== undefined) await forget(oldest[0], account)
    if (begun.size < maxTickets) return
    throw new RpcError('overloaded', 'too many people are signing in: try again in a minute')
  }

  return {
    listensAt(url) {
      base = url
    },

    async begin({ caller, upstream, scopes, onDone }) {
      const url = addressOf(paths.start)
      const account = accountOf(caller)
      await freeCapacity(account)
      const id = randomBytes(24).toString('base64url')
      const name = nameOf(id)
      begun.set(name, { account, until: Date.now() + signInMs, onDone })
      await state.set('ticket', name, { account, upstream, scopes } satisfies Ticket)
      await state.set('newest', nameOf(account), name)
      url.searchParams.set('ticket', id)
      return url.href
    },

    async settled(account, signal) {
      const waiting = wakers.get(account) ?? new Set<() => void>()
      wakers.set(account, waiting)
      let finish = (): void => undefined
      const finished = new Promise<void>((resolve) => (finish = resolve))
      waiting.add(finish) // before the look at the store: nothing that happens meanwhile is missed
      const timer = setTimeout(finish, patienceMs)
      signal.addEventListener('abort', finish, { once: true })
      try {
        if (signal.aborted || (await state.get('newest', nameOf(account))) === undefined) return
        await finished
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        waiting.delete(finish)
        if (waiting.size === 0) wakers.delete(account)
      }
    },

    async route(request) {
      const { pathname } = new URL(request.url)
      const handler = handlers.get(pathname)
      if (handler === undefined) return undefined
      try {
        return await handler(request)
      } catch (error) {
        onError(error, { severity: 'warning', operation: 'sign-in' })
        const isOurs = isAuthError(error) || error instanceof RpcError
        const why = isOurs ? error.message : 'something went wrong in the gateway'
        return page(isOurs ? 400 : 500, 'Not signed in', why)
      }
    },

    close: () => listening?.[Symbol.dispose](),
  }

  /** By the guard of now; what was begun by another one cannot be finished. */
  function proofNow(): BrowserProof | undefined {
    const current = guard()
    if (current === undefined || base === undefined) return undefined
    if (proof?.guard !== current) {
      const urls = { url: base, callback: new URL(paths.proof, base) }
      const kept = { state, registrations }
      const by = createBrowserProof({ guard: current, client: client(), ...urls, ...kept })
      proof = { guard: current, by }
    }
    return proof.by
  }

  async function ticketOf(name: string): Promise<Ticket | undefined> {
    return (await state.get('ticket', name)) as Ticket | undefined // as `begin` wrote it
  }

  /** The first browser that opens a ticket has it; another one has nothing to do here. */
  async function bind(ticket: string, request: Request): Promise<string | undefined> {
    const cookie = cookieOf(request)
    const fresh = cookie ?? randomBytes(24).toString('base64url')
    if (await state.add('browser', ticket, nameOf(fresh))) return fresh
    return isNamed(cookie, await state.get('browser', ticket)) ? cookie : undefined
  }

  /** Counts before anything is tried, so that tries at the same time count too. */
  async function mayTry(ticket: string, { method }: Request): Promise<boolean> {
    const max = method === 'POST' ? maxKeys : maxOpened
    for (let count = 0; count < max; count += 1) {
      if (await state.add('try', `${ticket} ${method} ${count}`, true)) return true
    }
    return false
  }

  /** The link of the caller: who they are is proven first. */
  async function start(request: Request): Promise<Response> {
    const id = new URL(request.url).searchParams.get('ticket') ?? ''
    const name = nameOf(id)
    const ticket = await ticketOf(name)
    const by = proofNow()
    if (ticket === undefined || by === undefined) return over()
    const cookie = await bind(name, request)
    if (cookie === undefined) return foreign()
    if (!(await mayTry(name, request))) {
      await forget(name, ticket.account)
      return over()
    }
    const secure = addressOf('/').protocol === 'https:'
    const challenge = await by.ask(request, { id, upstream: ticket.upstream })
    const response =
      challenge.kind === 'response'
        ? challenge.response
        : await proceed(name, ticket, challenge.auth, cookie)
    return withCookie(response, cookieName, cookie, secure)
  }

  /** Back from the gateway's own issuer. */
  async function proven(request: Request): Promise<Response> {
    const outcome = await proofNow()?.answer(request)
    if (outcome === undefined) return over()
    const name = nameOf(outcome.id)
    const ticket = await ticketOf(name)
    if (ticket === undefined) return over()
    const cookie = cookieOf(request)
    if (cookie === undefined || !isNamed(cookie, await state.get('browser', name))) return foreign()
    return proceed(name, ticket, outcome.auth, cookie)
  }

  /** Sends the person on to the server's issuer: only who asked for it, and once. */
  async function proceed(
    name: string,
    ticket: Ticket,
    who: AuthInfo,
    cookie: string,
  ): Promise<Response> {
    if (accountOf(who) !== ticket.account) {
      await forget(name, ticket.account)
      const why =
        'This link was made for another person. Nothing was changed. If you did not ask for it yourself, do not open it again.'
      onError(new Error(`a link to sign in to ${ticket.upstream} was opened by another user`), {
        severity: 'warning',
        operation: 'sign-in',
      })
      return page(403, 'Not your link', why)
    }
    const { url, with: settings } = settingsOf(ticket)
    const redirectUri = addressOf(paths.callback).href
    const signIn = await beginSignIn(url, { ...settings, redirectUri })
    if ((await state.take('ticket', name)) === undefined) return over()
    const waiting: Waiting = { ...ticket, ticket: name, browser: nameOf(cookie), signIn }
    await state.set('waiting', nameOf(signIn.state), waiting)
    return redirect(signIn.authorizationUrl)
  }

  /** Back from the server's issuer. */
  async function callback(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const name = nameOf(url.searchParams.get('state') ?? '')
    const found = (await state.get('waiting', name)) as Waiting | undefined // as `proceed` wrote it
    if (found === undefined) return over()
    if (!isNamed(cookieOf(request), found.browser)) return foreign()
    if ((await state.take('waiting', name)) === undefined) return over()
    const { ticket, account, upstream, signIn } = found
    const arrived = addressOf(paths.callback)
    arrived.search = url.search
    await completeSignIn(signIn, arrived, settingsOf(found).with)
    await settle(ticket, account)
    await announce(ticket, upstream, account)
    const text = `You are signed in to ${upstream}. You can close this page and go back to your program.`
    return page(200, 'Signed in', text)
  }

  /** To all processes, this one too. */
  async function announce(ticket: string, upstream: string, account: string): Promise<void> {
    if (cluster === undefined) return signedIn(ticket, upstream, account)
    try {
      await cluster.messages.notify({ type: messageType, ticket, upstream, account })
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'sign-in' })
      signedIn(ticket, upstream, account) // the grant is there: the others find it at the next call
    }
  }

  function settingsOf({ upstream, account, scopes }: Ticket) {
    const found = server(upstream)
    if (found === undefined || !('url' in found) || found.auth?.type !== 'user') {
      const what = `this process of the gateway has no server ${JSON.stringify(upstream)} to sign in to`
      throw new RpcError('invalid_params', `${what}: its configuration is another`)
    }
    const { url } = found
    const { type: _, ...configured }: Extract<OutgoingAuth, { type: 'user' }> = found.auth
    const wanted = [...new Set([...(configured.scopes ?? []), ...scopes])]
    const settings = {
      ...configured,
      ...(wanted.length > 0 && { scopes: wanted }),
      clientName: 'Parley gateway',
      account,
      network: networkFor(url),
      dpop: 'off',
      store,
    } as const
    return { url, with: settings }
  }
}

function cookieOf(request: Request): string | undefined {
  const found = /(?:^|;\s*)(?:__Host-)?parley-sign-in=([\w-]{16,64})/.exec(
    request.headers.get('cookie') ?? '',
  )
  return found?.[1]
}

function over(): Response {
  const why = 'This link has expired. Go back to your program and start again.'
  return page(410, 'Start again', why)
}

function foreign(): Response {
  const why = 'This link was opened in another browser. Go back to your program and start again.'
  return page(403, 'Another browser', why)
}
