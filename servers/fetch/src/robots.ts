import { ToolError } from '@parley/mcp'
import { decodeText, isFetchError, type Fetched, type GuardedFetch } from '@parley/server-kit/fetch'

import { describeRejection } from './failure.ts'
import type { Read } from './page.ts'

/** As much of the file as RFC 9309 asks to be read. */
const maxBytes = 512 * 1024

/** Of the file, so much is shown to the model. */
const maxShown = 5_000

/** Who asks, for how long, and how the answer is read. */
export interface RobotsOptions {
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly read: Read
}

/** Throws unless the host lets programs read the page by themselves. */
export async function requireRobots(
  guarded: GuardedFetch,
  page: URL,
  { userAgent, signal, read }: RobotsOptions,
): Promise<void> {
  const robots = new URL('/robots.txt', page)
  const fetched = await guarded(robots, { headers: { 'user-agent': userAgent }, signal }).catch(
    (error: unknown) => {
      if (!isFetchError(error)) throw error
      if (isRejection(error.rule)) throw describeRejection(page.href, error)
      throw new ToolError(
        `Failed to fetch robots.txt ${robots.href} due to a connection issue: ${error.reason}`,
        { cause: error },
      )
    },
  )
  const { status } = fetched
  if (status >= 400 && status < 500) {
    await fetched.discard()
    if (status === 401 || status === 403) throw new ToolError(forbidden(robots, status))
    return
  }
  const text = withoutComments(decodeText(await readFirst(fetched), 'text/plain'))
  const question = { robotsUrl: robots.href, text, page: page.href, userAgent }
  const isAllowed = await read('askRobots', question)
  if (!isAllowed) throw new ToolError(disallowed(robots, page, userAgent, text))
}

function isRejection(rule: string): boolean {
  return rule !== 'unreachable' && rule !== 'timeoutMs'
}

async function readFirst({ body }: Fetched): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.byteLength
    if (length >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes)
}

function withoutComments(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
}

function forbidden(robots: URL, status: number): string {
  return (
    `When fetching robots.txt (${robots.href}), received status ${status}: autonomous fetching is ` +
    'assumed to be forbidden. The user can still fetch the page with the prompt fetch.'
  )
}

function disallowed(robots: URL, page: URL, userAgent: string, text: string): string {
  return [
    `The robots.txt of the site (${robots.href}) does not allow autonomous fetching of this page.`,
    `<useragent>${userAgent}</useragent>`,
    `<url>${page.href}</url>`,
    `<robots>\n${text.slice(0, maxShown)}\n</robots>`,
    'Tell the user that the page could not be read. The user can still fetch it with the prompt fetch.',
  ].join('\n')
}
