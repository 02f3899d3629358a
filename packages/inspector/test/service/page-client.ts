import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Inspector, type InspectorOptions, startInspector } from '@parley/inspector'
import WebSocket from 'ws'

import type {
  Access,
  Events,
  LogLine,
  Methods,
  PageMessage,
  Problem,
} from '../../src/protocol/index.ts'

/** The service said no. */
export class AskError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.message}`)
    this.problem = problem
  }
}

/** What a page can do, without a browser. */
export interface PageClient extends AsyncDisposable {
  readonly inspector: Inspector
  readonly stateDirectory: string
  ask<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']>
  /** The next event of a kind that fits, also one that was told already. */
  next<E extends keyof Events>(event: E, fits?: (data: Events[E]) => boolean): Promise<Events[E]>
  readonly events: { readonly event: string; readonly data: unknown }[]
}

/** The next line of the logs that comes from there. */
export async function nextLine(page: PageClient, from: LogLine['from']): Promise<LogLine> {
  const { lines } = await page.next('logs/lines', (data) =>
    data.lines.some((line) => line.from === from),
  )
  const found = lines.find((line) => line.from === from)
  if (found === undefined) throw new Error(`no line from ${from}`)
  return found
}

/** Enters as the page does: secret, cookie and key, ticket, WebSocket. */
export async function enter(url: string): Promise<{ headers: Record<string, string>; base: URL }> {
  const base = new URL(url)
  const secret = /secret=(.+)$/.exec(base.hash)?.[1]
  base.hash = ''
  const response = await fetch(new URL('api/enter', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base.origin, 'x-parley': '1' },
    body: JSON.stringify({ secret }),
  })
  if (!response.ok) throw new Error(`not let in: ${response.status}`)
  const { key } = (await response.json()) as Access['POST api/enter']['answer']
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    base,
    headers: { cookie, 'x-parley': key, origin: base.origin, 'content-type': 'application/json' },
  }
}

/** An open channel with its own cookie and ticket. */
export async function openSocket(url: string): Promise<WebSocket> {
  const { base, headers } = await enter(url)
  const response = await fetch(new URL('api/ticket', base), { method: 'POST', headers, body: '{}' })
  const { ticket } = (await response.json()) as Access['POST api/ticket']['answer']
  const address = new URL('api/channel', base)
  address.protocol = 'ws:'
  const { cookie = '', origin = '' } = headers
  const socket = new WebSocket(address, ['parley.inspector.1', `ticket.${ticket}`], {
    headers: { cookie, origin },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return socket
}

/** An inspector of its own, and a page that has entered. */
export async function openPage(options: InspectorOptions = {}): Promise<PageClient> {
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'inspector-')))
  const inspector = await startInspector({ noOpen: true, port: 0, ...options, stateDirectory })
  const socket = await openSocket(inspector.url)
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  const events: { readonly event: string; readonly data: unknown }[] = []
  const watchers = new Set<() => void>()
  let count = 0

  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString('utf8')) as {
      id?: number
      result?: never
      error?: Problem
      event?: string
      data?: unknown
    }
    if (message.event !== undefined) {
      events.push({ event: message.event, data: message.data })
      for (const watch of watchers) watch()
      return
    }
    const asked = waiting.get(message.id ?? 0)
    waiting.delete(message.id ?? 0)
    if (message.error) asked?.reject(new AskError(message.error))
    else asked?.resolve(message.result as never)
  })

  return {
    inspector,
    stateDirectory,
    events,
    ask(method, params) {
      count += 1
      const message = { id: count, method, params } as PageMessage // the pair fits by the type of ask
      socket.send(JSON.stringify(message))
      return new Promise((resolve, reject) => waiting.set(count, { resolve, reject }))
    },
    async next(event, fits = () => true) {
      for (;;) {
        const found = events.find((one) => one.event === event && fits(one.data as never))
        if (found !== undefined) return found.data as never
        await new Promise<void>((resolve) => {
          const watch = () => {
            watchers.delete(watch)
            resolve()
          }
          watchers.add(watch)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await inspector.close()
      if (options.stateDirectory === undefined)
        await rm(stateDirectory, { recursive: true, force: true })
    },
  }
}
