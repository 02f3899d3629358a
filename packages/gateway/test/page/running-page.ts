import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  gatewayOptions,
  loadGatewayConfig,
  startGatewayPage,
  type Gateway,
  type GatewayConfig,
  type GatewayPage,
  type PageSettings,
} from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import WebSocket from 'ws'
import { z } from 'zod'

import type { Events, Methods } from '../../src/page-service/protocol.ts'
import { serveTest, startTestGateway } from '../gateway/running.ts'

/** A server with a few tools, one of which answers when it is told to. */
export function notes(): Server & { release(): void } {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  let release: () => void = () => undefined
  server.tool('read', { annotations: { readOnlyHint: true } }, () => 'some notes')
  server.tool(
    'write',
    { inputSchema: z.object({ path: z.string(), password: z.string().optional() }) },
    ({ path }) => `wrote ${path}`,
  )
  server.tool('fail', {}, () => {
    throw new Error('broken')
  })
  server.tool('wait', {}, async () => {
    await new Promise<void>((resolve) => (release = resolve))
    return 'waited'
  })
  return Object.assign(server, { release: () => release() })
}

/** A server that says more than is seen. Its address is `HIDDEN` in `wholeConfig`. */
export function hiding(): Server {
  const server = createServer({ name: 'hidden <b>server</b>', version: '1.0.0' })
  server.tool('look', { description: 'Looks\u202e <img src=x onerror=alert(1)>' }, () => 'seen')
  return server
}

/** A configuration with something to show in every view. */
export const wholeConfig = `servers:
  notes: { url: UPSTREAM }
  hidden: { url: HIDDEN }
  gone: { url: "http://127.0.0.1:1/mcp", startTimeout: 5s }
policy: [ 'mcp.tool.name != "fail"' ]
pinning: { mode: warn, file: pins.json }
audit: audit.jsonl
auth: { keys: keys.json }
`

/** A gateway with a file of its own, and its page. */
export interface RunningPage extends AsyncDisposable {
  readonly gateway: Gateway
  readonly page: GatewayPage
  readonly folder: string
  readonly file: string
  config(): GatewayConfig
  write(text: string): void
  /** What was told of changes made on the page. */
  readonly told: readonly string[]
}

/** Starts a gateway from the text of its file. `UPSTREAM` in it is the address of the server with notes. */
export async function startPage(
  text: string,
  {
    settings = {},
    server = notes(),
    isStarted = true,
    servers = {},
  }: {
    settings?: PageSettings
    server?: Server
    /** Wait until all servers have answered. */
    isStarted?: boolean
    /** More servers, by the word that stands for their address in the text. */
    servers?: { readonly [word: string]: Server }
  } = {},
): Promise<RunningPage> {
  const upstream = await serveTest(server)
  const others = await Promise.all(
    Object.entries(servers).map(async ([word, each]) => ({ word, served: await serveTest(each) })),
  )
  const fill = (given: string): string =>
    others.reduce(
      (filled, { word, served }) => filled.replaceAll(word, served.url.href),
      given.replaceAll('UPSTREAM', upstream.url.href),
    )
  const folder = mkdtempSync(join(tmpdir(), 'parley-page-'))
  const file = join(folder, 'gateway.yaml')
  writeFileSync(file, fill(text))
  const load = () => loadGatewayConfig(file, { cwd: folder, env: {} })
  const { config: first, problems } = await load()
  const [problem] = problems.filter(({ level }) => level === 'error')
  if (problem) throw new Error(`${problem.key ?? ''}: ${problem.message}`)
  let config = first
  const gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  if (isStarted) await gateway.started
  const told: string[] = []
  const page = await startGatewayPage({
    ...settings,
    gateway,
    config: () => config,
    load,
    async reload() {
      const loaded = await load()
      const wrong = loaded.problems.filter(({ level }) => level === 'error')
      if (wrong.length > 0) throw new Error(`${wrong.length} errors in the configuration`)
      const difference = gateway.reload(gatewayOptions(loaded.config))
      const before = config
      config = loaded.config
      await before.audit?.[Symbol.asyncDispose]()
      return difference
    },
    onOperation: (line) => told.push(line),
  })
  return {
    gateway,
    page,
    folder,
    file,
    config: () => config,
    write: (next) => writeFileSync(file, fill(next)),
    told,
    async [Symbol.asyncDispose]() {
      await page.close()
      await gateway.close({ deadlineMs: 0 })
      await config.audit?.[Symbol.asyncDispose]()
      await upstream.drain({ deadlineMs: 0 })
      for (const { served } of others) await served.drain({ deadlineMs: 0 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Enters as the page does: a secret becomes a cookie and a key. */
export async function enter(link: URL): Promise<{ headers: Record<string, string>; base: URL }> {
  const base = new URL(link)
  const secret = /secret=(.+)$/.exec(base.hash)?.[1]
  base.hash = ''
  const response = await fetch(new URL('api/enter', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base.origin, 'x-parley': '1' },
    body: JSON.stringify({ secret }),
  })
  if (!response.ok) throw new Error(`not let in: ${response.status}`)
  const { key } = (await response.json()) as { readonly key: string } // as the listener answers
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    base,
    headers: { cookie, 'x-parley': key, origin: base.origin, 'content-type': 'application/json' },
  }
}

/** What a page can do, without a browser. */
export interface PageClient extends AsyncDisposable {
  ask<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']>
  /** The next event of a kind that fits, also one that was told already. */
  next<E extends keyof Events>(event: E, fits?: (data: Events[E]) => boolean): Promise<Events[E]>
}

/** A page that was let in. */
export async function openClient({ page }: Pick<RunningPage, 'page'>): Promise<PageClient> {
  const { base, headers } = await enter(page.createEntryUrl())
  const response = await fetch(new URL('api/ticket', base), { method: 'POST', headers, body: '{}' })
  const { ticket } = (await response.json()) as { readonly ticket: string } // as the listener answers
  const address = new URL('api/channel', base)
  address.protocol = 'ws:'
  const { cookie = '', origin = '' } = headers
  const socket = new WebSocket(address, ['parley.gateway.1', `ticket.${ticket}`], {
    headers: { cookie, origin },
  })
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  const events: { readonly event: string; readonly data: unknown }[] = []
  const watchers = new Set<() => void>()
  let count = 0
  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString('utf8')) as {
      id?: number
      result?: never
      error?: { code: string; message: string }
      event?: string
      data?: unknown
    }
    if (message.event !== undefined) {
      events.push({ event: message.event, data: message.data })
      if (events.length > 200) events.shift()
      for (const watch of watchers) watch()
      return
    }
    const asked = waiting.get(message.id ?? 0)
    waiting.delete(message.id ?? 0)
    if (message.error) asked?.reject(new Error(`${message.error.code}: ${message.error.message}`))
    else asked?.resolve(message.result as never) // typed by what was asked
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    ask(method, params) {
      count += 1
      socket.send(JSON.stringify({ id: count, method, params }))
      return new Promise((resolve, reject) => waiting.set(count, { resolve, reject }))
    },
    async next(event, fits = () => true) {
      for (;;) {
        const found = events.find((one) => one.event === event && fits(one.data as never))
        if (found !== undefined) return found.data as never // typed by the event
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
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.close()
      await closed
    },
  }
}
