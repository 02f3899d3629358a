import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import { isAuthError } from '@parley/auth'
import {
  beginSignIn,
  completeSignIn,
  type StartedSignIn,
  type TokenStore,
} from '@parley/auth/client'
import { RpcError, type AuthInfo, type OnError } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'

import { createBrowserProof, type BrowserProof, type ProofClient } from './browser-proof.ts'
import type { OutgoingAuth } from './outgoing-auth.ts'
import { accountOf, networkFor } from './outgoing-credentials.ts'
import { page, redirect, withCookie } from './sign-in-pages.ts'

/** Signing callers in to servers, in a browser, on the gateway's own listener. */
export interface SignIns {
  /** An address that the caller, and nobody else, can sign in at. Throws `overloaded` if too many wait already. */
  begin(wanted: SignInRequest): string
  /** Resolves when somebody has signed in, or has not for two minutes. */
  settled(account: string, signal: AbortSignal): Promise<void>
  /** Answers for its own paths; undefined for others. */
  route(request: Request): Promise<Response | undefined>
  /** The public address; nothing can be begun before it is known. */
  listensAt(url: URL): void
}

/** Who wants to sign in where. */
export interface SignInRequest {
  readonly caller: AuthInfo
  readonly upstream: string
  readonly url: string
  readonly auth: Extract<OutgoingAuth, { type: 'user' }>
  /** Besides those that are configured. */
  readonly scopes: readonly string[]
  /** It has worked. */
  onDone(): void
}

/** What sign-ins are made with. */
export interface SignInsOptions {
  readonly store: TokenStore
  /** Who lets callers in now: the person at the browser has to be let in as the same. */
  readonly guard: () => HttpGuard | undefined
  /** Who the gateway is at the issuer of its callers, for people at a browser. @defaultValue it registers itself */
  readonly client: () => ProofClient | undefined
  readonly onError: OnError
}

interface Ticket extends SignInRequest {
  readonly until: number
  /** Which browser it was opened in, once it was: the hash of its cookie. */
  browser?: Buffer
  /** Answers that showed nobody. */
  failures?: number
  isProven?: boolean
}

interface Waiting {
  readonly ticket: Ticket
  readonly signIn: StartedSignIn
}

const validMs = 600_000
/** How long a request waits for its user to sign in. */
const patienceMs = 120_000
const maxTickets = 1_000
const maxPerCaller = 10
/** Keys that may be tried at one link. */
const maxFailures = 5
const paths = {
  start: '/oauth/sign-in',
  callback: '/oauth/callback',
  proof: '/oauth/proof',
} as const
const cookieName = 'parley-sign-in'

export function createSignIns({ store, guard, client, onError }: SignInsOptions): SignIns {
  const tickets = new Map<string, Ticket>()
  /** By the state that the issuer sends back. */
  const waiting = new Map<string, Waiting>()
  const done = new Map<string, Set<() => void>>()
  let base: URL | undefined
  let proof: { readonly guard: HttpGuard; readonly by: BrowserProof } | undefined
  const handlers = new Map<string, (request: Request) => Promise<Response>>([
    [paths.start, start],
    [paths.proof, proven],
    [paths.callback, callback],
  ])

  function forgetOld(): void {
    const now = Date.now()
    for (const [id, { until }] of tickets) if (until < now) tickets.delete(id)
    for (const [state, { ticket }] of waiting) if (ticket.until < now) waiting.delete(state)
  }

  function addressOf(path: string): URL {
    if (base === undefined) throw new RpcError('overloaded', 'the gateway does not listen yet')
    return new URL(path, base)
  }

  return {
    listensAt(url) {
      base = url
    },

    begin(wanted) {
      forgetOld()
      const account = accountOf(wanted.caller)
      const own = [...tickets].filter(([, { caller }]) => accountOf(caller) === account)
      const [oldest] = own
      if (own.length >= maxPerCaller && oldest !== undefined) tickets.delete(oldest[0])
      if (tickets.size >= maxTickets) {
        throw new RpcError('overloaded', 'too many people are signing in: try again in a minute')
      }
      const id = randomBytes(24).toString('base64url')
      tickets.set(id, { ...wanted, until: Date.now() + validMs })
      const url = addressOf(paths.start)
      url.searchParams.set('ticket', id)
      return url.href
    },

    async settled(account, signal) {
      const isUnderWay = [
        ...tickets.values(),
        ...[...waiting.values()].map((each) => each.ticket),
      ].some(({ caller, until }) => until > Date.now() && accountOf(caller) === account)
      if (!isUnderWay) return
      const events = done.get(account) ?? new Set<() => void>()
      done.set(account, events)
      let finish = (): void => undefined
      const timer = setTimeout(() => finish(), patienceMs)
      try {
        await new Promise<void>((resolve) => {
          finish = resolve
          events.add(finish)
          signal.addEventListener('abort', finish, { once: true })
          if (signal.aborted) finish()
        })
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        events.delete(finish)
        if (events.size === 0) done.delete(account)
      }
    },

    async route(request) {
      const { pathname } = new URL(request.url)
      const handler = handlers.get(pathname)
      if (handler === undefined) return undefined
      forgetOld()
      try {
        return await handler(request)
      } catch (error) {
        onError(error, { severity: 'warning', operation: 'sign-in' })
        const isOurs = isAuthError(error) || error instanceof RpcError
        const why = isOurs ? error.message : 'something went wrong in the gateway'
        return page(isOurs ? 400 : 500, 'Not signed in', why)
      }
    },
  }

  /** By the guard of now; what was begun by another one cannot be finished. */
  function proofNow(): BrowserProof | undefined {
    const current = guard()
    if (current === undefined || base === undefined) return undefined
    if (proof?.guard !== current) {
      const urls = { url: base, callback: new URL(paths.proof, base) }
      const by = createBrowserProof({ guard: current, client: client(), ...urls })
      proof = { guard: current, by }
    }
    return proof.by
  }

  function ticketOf(
    request: Request,
  ): { readonly id: string; readonly ticket: Ticket } | undefined {
    const id = new URL(request.url).searchParams.get('ticket') ?? ''
    const ticket = tickets.get(id)
    return ticket && { id, ticket }
  }

  /** The first browser that opens a ticket has it; another one has nothing to do here. */
  function boundTo(ticket: Ticket, request: Request): string | undefined {
    const cookie = cookieOf(request)
    if (ticket.browser === undefined) {
      const fresh = cookie ?? randomBytes(24).toString('base64url')
      ticket.browser = digest(fresh)
      return fresh
    }
    return cookie !== undefined && timingSafeEqual(digest(cookie), ticket.browser)
      ? cookie
      : undefined
  }

  /** The link of the caller: who they are is proven first. */
  async function start(request: Request): Promise<Response> {
    const found = ticketOf(request)
    const by = proofNow()
    if (found === undefined || by === undefined) return over()
    const { id, ticket } = found
    const cookie = boundTo(ticket, request)
    if (cookie === undefined) return foreign()
    const secure = addressOf('/').protocol === 'https:'
    const challenge = await by.ask(request, { id, upstream: ticket.upstream })
    if (request.method === 'POST' && challenge.kind === 'response') {
      ticket.failures = (ticket.failures ?? 0) + 1
      if (ticket.failures >= maxFailures) tickets.delete(id)
    }
    if (challenge.kind === 'response')
      return withCookie(challenge.response, cookieName, cookie, secure)
    return withCookie(await proceed(id, ticket, challenge.auth), cookieName, cookie, secure)
  }

  /** Back from the gateway's own issuer. */
  async function proven(request: Request): Promise<Response> {
    const outcome = await proofNow()?.answer(request)
    const ticket = tickets.get(outcome?.id ?? '')
    if (outcome === undefined || ticket === undefined) return over()
    if (ticket.browser === undefined || boundTo(ticket, request) === undefined) return foreign()
    return proceed(outcome.id, ticket, outcome.auth)
  }

  /** Sends the person on to the server's issuer: only who asked for it. */
  async function proceed(id: string, ticket: Ticket, who: AuthInfo): Promise<Response> {
    if (accountOf(who) !== accountOf(ticket.caller)) {
      tickets.delete(id)
      const why =
        'This link was made for somebody else. Nothing was done. If you did not ask for it yourself, do not open it again.'
      onError(new Error(`a link to sign in to ${ticket.upstream} was opened by another user`), {
        severity: 'warning',
        operation: 'sign-in',
      })
      return page(403, 'Not your link', why)
    }
    ticket.isProven = true
    const signIn = await beginSignIn(ticket.url, {
      ...optionsOf(ticket),
      redirectUri: addressOf(paths.callback).href,
    })
    tickets.delete(id)
    waiting.set(signIn.state, { ticket, signIn })
    return redirect(signIn.authorizationUrl)
  }

  /** Back from the server's issuer. */
  async function callback(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const state = url.searchParams.get('state') ?? ''
    const found = waiting.get(state)
    if (found === undefined) return over()
    const { ticket, signIn } = found
    if (!ticket.isProven || boundTo(ticket, request) === undefined) return foreign()
    waiting.delete(state)
    const arrived = addressOf(paths.callback)
    arrived.search = url.search
    await completeSignIn(signIn, arrived, optionsOf(ticket))
    ticket.onDone()
    for (const finish of done.get(accountOf(ticket.caller)) ?? []) finish()
    const text = `You are signed in to ${ticket.upstream}. You can close this page and go back to your program.`
    return page(200, 'Signed in', text)
  }

  function optionsOf({ auth, url, caller, scopes }: Ticket) {
    const { type: _, ...settings } = auth
    const wanted = [...new Set([...(settings.scopes ?? []), ...scopes])]
    return {
      ...settings,
      ...(wanted.length > 0 && { scopes: wanted }),
      clientName: 'Parley gateway',
      account: accountOf(caller),
      network: networkFor(url),
      dpop: 'off',
      store,
    } as const
  }
}

function cookieOf(request: Request): string | undefined {
  const found = /(?:^|;\s*)(?:__Host-)?parley-sign-in=([\w-]{16,64})/.exec(
    request.headers.get('cookie') ?? '',
  )
  return found?.[1]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function over(): Response {
  const why = 'This link is no longer good. Go back to your program and start again.'
  return page(410, 'Start again', why)
}

function foreign(): Response {
  const why = 'This link was opened in another browser. Go back to your program and start again.'
  return page(403, 'Another browser', why)
}
