import {
  RequestFailure,
  systemCodeOf,
  type BodySink,
  type HttpResponse,
  type HttpRequester,
} from './http-request.ts'

/** Failures of Node's `fetch` in which no byte of the request has left. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Sends by any `fetch`: the runtime's, or one that adds something of the user's. */
export function createFetchRequester(fetch: typeof globalThis.fetch): HttpRequester {
  const running = new Set<AbortController>()

  return {
    start({ method, url, headers, body, onSent }) {
      const controller = new AbortController()
      running.add(controller)
      const finish = (): void => void running.delete(controller)
      onSent?.() // it does not say when it has connected
      return { answer: ask(), abort: () => controller.abort() }

      async function ask(): Promise<HttpResponse> {
        try {
          const { signal } = controller
          const init = { method, headers, body: body ?? null, signal, redirect: 'manual' } as const
          return createResponse(await fetch(url.href, init), finish)
        } catch (error) {
          finish()
          throw new RequestFailure(error, { sent: !unsentCodes.has(systemCodeOf(error) ?? '') })
        }
      }
    },

    close() {
      for (const controller of running) controller.abort()
    },
  }
}

function createResponse(response: Response, finish: () => void): HttpResponse {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    read: (sink) => void read(response, sink).finally(finish),
    async discard() {
      finish()
      await response.body?.cancel().catch(() => undefined) // nobody waits for it
    },
  }
}

async function read({ body }: Response, sink: BodySink): Promise<void> {
  try {
    const reader = body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const drained = sink.data(part.value)
      if (drained) await drained
    }
  } catch (error) {
    return sink.end(error)
  }
  sink.end()
}
