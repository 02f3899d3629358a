import { get, type ClientRequest } from 'node:http'

/** One server behind a balancer. */
export interface Backend {
  readonly origin: URL
  /** Its state at `/readyz`; `gone` without a response. */
  state: 'ready' | 'unready' | 'gone'
  delayMs: number
  /** The requests in progress. */
  readonly open: Set<ClientRequest>
}

/** The servers of a balancer, asked again and again whether they are ready. */
export interface Backends extends Disposable {
  add(url: string): void
  remove(url: string): void
  /**
   * The next one in turn that is ready and not among these. If none is ready, one that is there: when what they share is
   * down all of them are unready, and calls that do not need it are still answered.
   */
  next(tried: ReadonlySet<Backend>): Backend | undefined
  /** Those with this address, also if they were removed and still have something to do; without an address all. */
  find(url: string | undefined): readonly Backend[]
  ready(): readonly string[]
}

/** A server that takes longer is not there. */
const minTimeoutMs = 1_000

export function createBackends(readyEveryMs: number): Backends {
  const timeoutMs = Math.max(minTimeoutMs, readyEveryMs)
  let turning: readonly Backend[] = []
  const leaving = new Set<Backend>()
  const visited = new Set<Backend>()
  let turn = 0
  const asking = setInterval(() => {
    for (const backend of turning) void ask(backend)
    for (const backend of leaving) if (backend.open.size === 0) leaving.delete(backend)
  }, readyEveryMs).unref()

  async function ask(backend: Backend): Promise<void> {
    if (visited.has(backend)) return
    visited.add(backend)
    backend.state = await requestState(backend.origin, timeoutMs)
    visited.delete(backend)
  }

  function nextThatIs(state: Backend['state'], tried: ReadonlySet<Backend>): Backend | undefined {
    for (let step = 0; step < turning.length; step += 1) {
      turn = (turn + 1) % turning.length
      const backend = turning[turn]
      if (backend?.state === state && !tried.has(backend)) return backend
    }
    return undefined
  }

  return {
    add(url) {
      const { origin } = new URL(url)
      if (turning.some((backend) => backend.origin.origin === origin)) return
      const open = new Set<ClientRequest>()
      turning = [...turning, { origin: new URL(origin), state: 'ready', delayMs: 0, open }]
    },
    remove(url) {
      const { origin } = new URL(url)
      for (const backend of turning) if (backend.origin.origin === origin) leaving.add(backend)
      turning = turning.filter((backend) => !leaving.has(backend))
    },
    next: (tried) => nextThatIs('ready', tried) ?? nextThatIs('unready', tried),
    find(url) {
      const origin = url && new URL(url).origin
      const all = [...turning, ...leaving]
      return origin === undefined
        ? all
        : all.filter((candidate) => candidate.origin.origin === origin)
    },
    ready: () =>
      turning.filter(({ state }) => state === 'ready').map(({ origin }) => origin.origin),
    [Symbol.dispose]: () => clearInterval(asking),
  }
}

function requestState(origin: URL, timeoutMs: number): Promise<Backend['state']> {
  return new Promise((resolve) => {
    const request = get(
      new URL('/readyz', origin),
      { agent: false, timeout: timeoutMs },
      (response) => {
        response.resume()
        resolve(response.statusCode === 200 ? 'ready' : 'unready')
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve('gone'))
  })
}
