import { createTestClient, type TestOptions } from '@parley/mcp/testing'

import { openLoggedServer, type LoggedServer } from '../../../test-support/http-log.ts'
import { createFetchServer, type FetchServerOptions } from '../src/fetch.ts'
import { runHere } from '../src/task/page-tasks.ts'

/** What a host of a test answers with. */
export interface HostPage {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
  /** Sends no content type unless `headers` has one. @defaultValue 'text/html' */
  readonly type?: string | null
}

/** A host of this machine with these pages; others are not found. */
export function openHost(pages: Record<string, HostPage>): Promise<LoggedServer> {
  return openLoggedServer(({ path }, { response }) => {
    const {
      status = 200,
      headers,
      body = '',
      type = 'text/html',
    } = pages[path] ?? {
      status: 404,
      body: 'not here',
    }
    if (type !== null) response.setHeader('content-type', type)
    response.writeHead(status, headers).end(body)
    return undefined
  })
}

/** Options under which hosts of this machine may be asked. */
export const atHome = { guard: { allowPrivate: true } } as const

/** A client of a fresh server that reads pages in this thread, since threads of their own take a build. */
export function openClient(server: FetchServerOptions = atHome, options: TestOptions = {}) {
  return createTestClient(createFetchServer({ runTask: runHere, ...server }), options)
}

/** A page with enough in it to be an article. */
export function article(inside: string): string {
  const filler = '<p>Some sentence that makes this an article, with a comma or two, and an end.</p>'
  return `<!doctype html><html><head><title>A title</title></head><body><nav><a href="/menu">Menu</a></nav><article>${inside}${filler.repeat(8)}</article><footer>Imprint</footer></body></html>`
}
