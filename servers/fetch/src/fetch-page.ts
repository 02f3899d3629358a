import { ToolError } from '@parley/mcp'
import { anySignal } from '@parley/mcp/signals'
import {
  createGuardedFetch,
  createHostLimit,
  FetchError,
  isFetchError,
  type FetchProgress,
  type GuardedFetchOptions,
} from '@parley/server-kit/fetch'

import { describeRejection } from './failure.ts'
import { createPageCache, ifChanged, validatorsOf } from './page-cache.ts'
import { createPage, readablePage, type Page, type Read, type ReadablePage } from './page.ts'
import { requireRobots } from './robots.ts'
import type { RunPageTask } from './task/page-tasks.ts'
import { runInThread } from './task/run-in-thread.ts'

/** Who fetches: a model by itself, or a user who chose the page. */
export type Agent = 'autonomous' | 'user-specified'

/** How pages are fetched. */
export interface FetchPageOptions {
  /** For both agents. @defaultValue one that says which of them asks */
  readonly userAgent?: string | undefined
  /** @defaultValue false */
  readonly ignoreRobots?: boolean | undefined
  /** Where to, how much and how long. */
  readonly guard?: GuardedFetchOptions | undefined
  /** From one host; 20 of them may come at once. @defaultValue 60 */
  readonly pagesPerMinute?: number | undefined
  /** Where pages are worked on. @defaultValue threads of their own, ended when they take too long or too much */
  readonly runTask?: RunPageTask | undefined
}

/** How one page is fetched. */
export interface PageRequest {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined
  /** As it came, without simplification. @defaultValue false */
  readonly isRaw?: boolean | undefined
}

/** Fetches one page and makes it readable. Throws `ToolError` with a text for the model. */
export type FetchPage = (url: URL, agent: Agent, request: PageRequest) => Promise<ReadablePage>

const agentNames = { autonomous: 'Autonomous', 'user-specified': 'User-Specified' } as const

/** Fetches within the rules of the guard, of the host, and not too often. */
export function createFetchPage(options: FetchPageOptions = {}): FetchPage {
  const { ignoreRobots = false, guard, pagesPerMinute = 60, runTask = runInThread } = options
  const { timeoutMs = 30_000 } = guard ?? {}
  const guarded = createGuardedFetch(guard)
  const waitFor = createHostLimit({
    burst: Math.min(20, pagesPerMinute),
    perMinute: pagesPerMinute,
  })
  const cache = createPageCache()

  async function load(
    url: URL,
    userAgent: string,
    request: Pick<PageRequest, 'signal' | 'onProgress'>,
    read: Read,
    isFresh = false,
  ): Promise<Page> {
    const key = `${userAgent}\n${url.href}`
    const cached = isFresh ? undefined : cache.get(key)
    const headers = { 'user-agent': userAgent, ...(cached && ifChanged(cached.validators)) }
    const fetched = await guarded(url, { ...request, headers })
    const { status } = fetched
    if (status >= 400) {
      await fetched.discard()
      throw new ToolError(`Failed to fetch ${url.href} - status code ${status}`)
    }
    if (status === 304 && cached) {
      await fetched.discard()
      // What did not change is somewhere else than what is known.
      if (fetched.url.href !== cached.page.url) return load(url, userAgent, request, read, true)
      return cached.page
    }
    const contentType = fetched.headers.get('content-type') ?? ''
    const source = { url: fetched.url.href, status, contentType }
    const page = await createPage(source, await fetched.bytes(), read)
    const validators = status === 200 ? validatorsOf(fetched.headers) : undefined
    if (validators) cache.keep(key, { page, validators })
    return page
  }

  return async (url, agent, request) => {
    const userAgent =
      options.userAgent ??
      `ModelContextProtocol/1.0 (${agentNames[agent]}; +https://github.com/modelcontextprotocol/servers)`
    const waitMs = waitFor(url.host)
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000)
      throw new ToolError(
        `Failed to fetch ${url.href}: ${url.host} was asked too often. Try again in ${seconds} s.`,
      )
    }
    // For all of it: asking, receiving and reading.
    const late = AbortSignal.timeout(timeoutMs)
    const signal = anySignal(late, request.signal)
    const read: Read = (name, input) => runTask(name, input, signal)
    try {
      if (agent === 'autonomous' && !ignoreRobots) {
        await requireRobots(guarded, url, { userAgent, signal, read })
      }
      const { isRaw = false, onProgress } = request
      const page = await load(url, userAgent, { signal, onProgress }, read)
      return await readablePage(page, isRaw, read)
    } catch (error) {
      request.signal.throwIfAborted()
      if (late.aborted) {
        const why = `it takes longer than ${timeoutMs} ms`
        throw describeRejection(url.href, new FetchError('timeoutMs', url, why, { cause: error }))
      }
      throw isFetchError(error) ? describeRejection(url.href, error) : error
    }
  }
}
