import type { ClientAuth } from '../../client/client-auth.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { Traffic } from '../../rpc/observe-request.ts'
import { respondToChallenge, authorize } from './request/challenge.ts'
import {
  RequestFailure,
  type HttpResponse,
  type HttpRequest,
  type HttpExchange,
  type HttpHeaders,
  type HttpRequester,
} from './request/http-request.ts'

/** The server we talk to, and what goes with every request to it. */
export interface Endpoint {
  readonly peer: string
  /** Sends with our headers and credentials; follows redirects and answers challenges. */
  send(call: HttpCall): PendingCall
}

export interface HttpCall extends HttpRequest {
  /** Until the head of the answer is there; a request may take as long as its caller waits. */
  readonly headMs: number
  /** Set for a request that is watched. */
  readonly watched?: Traffic | undefined
}

/** An HTTP call under way. */
export interface PendingCall extends HttpExchange {
  /** Where the answer came from in the end. */
  readonly url: URL
  /** It was sent again with other credentials. */
  readonly isChallenged: boolean
}

export interface EndpointOptions {
  readonly url: URL
  readonly peer: string
  /** The user's; never sent to another origin. */
  readonly headers: HttpHeaders
  readonly auth: ClientAuth | undefined
  readonly requester: HttpRequester
  readonly clock: Clock
}

/** The most a request is repeated with other credentials: a nonce, a refresh, signing in, more scopes twice. */
const maxChallenges = 6
/** 0 is what a `fetch` says that keeps to itself where to. */
const redirecting: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308])

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { peer, auth, requester, clock } = options
  const home = options.url.origin
  const server = options.url

  function authorized(clientAuth: ClientAuth, method: string, url: URL): Promise<HttpHeaders> {
    return authorize(clientAuth, { method, url, server }, peer)
  }

  return {
    peer,
    send(request) {
      const call = request.watched?.overHttp(request, requester) ?? request
      let { url, headers: own } = call
      let current: HttpExchange | undefined
      let isAborted = false
      const attempts = { 401: 0, 403: 0 }
      let challenge: AbortController | undefined

      // No getters: V8 makes a shape of its own for each object literal that has one, and shapes live, with all that the
      // getter reaches, until the whole heap is collected.
      const pending: { -readonly [Key in keyof PendingCall]: PendingCall[Key] } = {
        answer: run(),
        url,
        isChallenged: false,
        abort() {
          isAborted = true
          challenge?.abort()
          current?.abort()
        },
      }
      return pending

      async function run(): Promise<HttpResponse> {
        for (let redirects = 0; ;) {
          const { origin } = url
          const isOurs = auth !== undefined && origin === home
          const authHeaders = isOurs ? await authorized(auth, call.method, url) : {}
          const headers =
            origin === home ? Object.assign({}, options.headers, own, authHeaders) : own
          if (isAborted) throw new RequestFailure('given up', { sent: false })
          const { method, body, onSent } = call
          current = requester.start({ method, url, headers, body, onSent })
          const answer = await answerWithin(call.headMs, current, clock)
          if (redirecting.has(answer.status)) {
            void answer.discard()
            const { redirectOf, headersAt } = await import('./request/redirect.ts')
            pending.url = url = redirectOf(answer, { method, url }, redirects, peer)
            own = headersAt(url, call)
            redirects += 1
          } else if (isOurs && isRejection(answer.status) && sum(attempts) < maxChallenges) {
            const { status } = answer
            const attempt = (attempts[status] += 1)
            pending.isChallenged = true
            challenge = new AbortController()
            const { signal } = challenge
            const rejection = {
              answer,
              status,
              url,
              server,
              peer,
              signal,
              given: authHeaders,
              attempt,
            }
            await respondToChallenge(auth, rejection)
          } else return answer
        }
      }
    },
  }
}

function sum(attempts: { readonly 401: number; readonly 403: number }): number {
  return attempts[401] + attempts[403]
}

function isRejection(status: number): status is 401 | 403 {
  return status === 401 || status === 403
}

function answerWithin(ms: number, exchange: HttpExchange, clock: Clock): Promise<HttpResponse> {
  return ms === Infinity ? exchange.answer : withinTime(exchange, ms, clock)
}

async function withinTime(exchange: HttpExchange, ms: number, clock: Clock): Promise<HttpResponse> {
  let isLate = false
  const timer = clock.setTimer(() => {
    isLate = true
    exchange.abort()
  }, ms)
  try {
    return await exchange.answer
  } catch (error) {
    throw isLate ? new RequestFailure(new Error(`no answer for ${ms} ms`), { sent: true }) : error
  } finally {
    timer[Symbol.dispose]()
  }
}
