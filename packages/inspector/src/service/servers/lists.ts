import type { JsonObject } from '@parley/mcp'
import type { Client, Subscription } from '@parley/mcp/client'
import { isJsonObject } from '@parley/mcp/json'

import type { Problem } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError, toProblem } from '../problem.ts'
import type { ServerRecord } from './server-hold.ts'
import type { Servers } from './servers.ts'
import type { Offered } from './warnings.ts'

/** What servers list, and hearing when that changes. */
export interface Lists {
  readonly handlers: Handlers<'lists/all' | 'resources/subscribe' | 'resources/unsubscribe'>
  all(client: Client, kind: ListKind): Promise<AllPages>
  /** Everything a server lists; what it cannot list is empty. */
  offered(server: string): Promise<Offered>
  /** Listens to changes of lists from now on. */
  listen(record: ServerRecord, client: Client): void
}

export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts'

export interface AllPages {
  readonly items: readonly JsonObject[]
  readonly pages: number
  /** What is wrong with the list, or why it ends here. */
  readonly problem?: Problem | undefined
}

/** A list under way, or how it was a moment ago. */
interface Listing {
  readonly pages: Promise<AllPages>
  endedAt: number | undefined
}

const kinds = {
  tools: { method: 'tools/list', member: 'tools' },
  resources: { method: 'resources/list', member: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates' },
  prompts: { method: 'prompts/list', member: 'prompts' },
} as const satisfies { readonly [K in ListKind]: object }

const maxPages = 1000
const maxItems = 100_000
/** How long a list that was just fetched for one question answers another. */
const recentMs = 3000

export function createLists(emit: Emit, servers: Servers): Lists {
  const recent = new WeakMap<Client, Map<ListKind, Listing>>()

  /** What is being listed, or was a moment ago, is not asked for again: every request is seen in the trace. */
  function listed(client: Client, kind: ListKind): Promise<AllPages> {
    const latest = recent.get(client)?.get(kind)
    const isGood =
      latest && (latest.endedAt === undefined || Date.now() - latest.endedAt < recentMs)
    return isGood ? latest.pages : all(client, kind)
  }

  /** From the server, unless it is just being asked. */
  function all(client: Client, kind: ListKind): Promise<AllPages> {
    const listings = recent.get(client) ?? new Map<ListKind, Listing>()
    const running = listings.get(kind)
    if (running && running.endedAt === undefined) return running.pages
    const listing: Listing = { pages: fetchAll(client, kind), endedAt: undefined }
    const end = (): void => {
      listing.endedAt = Date.now()
    }
    listing.pages.then(end, end)
    recent.set(client, listings.set(kind, listing))
    return listing.pages
  }

  /** Page by page as they come, since what is wrong with one item or page should not hide the others. */
  async function fetchAll(client: Client, kind: ListKind): Promise<AllPages> {
    const { method, member } = kinds[kind]
    const items: JsonObject[] = []
    const odd: unknown[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let pages = 1; ; pages += 1) {
      const params = cursor === undefined ? {} : { cursor }
      let result: JsonObject
      try {
        result = await client.request(method, params, { fresh: true })
      } catch (error) {
        if (pages === 1) throw error
        return { items, pages: pages - 1, problem: afterPage(pages - 1, toProblem(error)) }
      }
      const page = result[member]
      for (const item of Array.isArray(page) ? page : []) {
        if (isJsonObject(item)) items.push(item)
        else odd.push(item)
      }
      const { nextCursor } = result
      const problem = odd.length > 0 ? oddItems(method, odd) : undefined
      if (typeof nextCursor !== 'string') return { items, pages, problem }
      if (seen.has(nextCursor)) {
        return { items, pages, problem: endless(`${method} returned the same cursor twice`) }
      }
      if (pages >= maxPages || items.length >= maxItems) {
        return { items, pages, problem: endless(`${method} does not end`) }
      }
      seen.add(nextCursor)
      cursor = nextCursor
    }
  }

  async function hear(record: ServerRecord, client: Client): Promise<void> {
    const { tools, prompts, resources } = client.server.capabilities
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    }
    if (Object.keys(filter).length === 0) return
    const subscription = await client.listen(filter)
    for await (const change of subscription) {
      if (change.type === 'resource') continue
      const changed =
        change.type === 'gap' ? (['tools', 'resources', 'prompts'] as const) : [change.type]
      recent.delete(client)
      for (const kind of changed) emit('lists/changed', { server: record.name, kind })
    }
  }

  async function hearUpdates(server: string, uri: string, changes: Subscription): Promise<void> {
    for await (const change of changes) {
      if (change.type === 'resource') emit('resources/updated', { server, uri: change.uri })
      else if (change.type === 'gap') emit('resources/updated', { server, uri })
    }
  }

  async function offered(server: string): Promise<Offered> {
    const client = servers.client(server)
    const { capabilities, instructions } = client.server
    const items = async (kind: ListKind, has: unknown): Promise<readonly JsonObject[]> =>
      has === undefined ? [] : itemsOf(kind, await listed(client, kind).catch(failedList))
    const problems: Problem[] = []
    const itemsOf = (kind: ListKind, { items: found, problem }: Omit<AllPages, 'pages'>) => {
      if (problem) problems.push({ ...problem, message: `${kind}: ${problem.message}` })
      return found
    }
    return {
      problems,
      tools: await items('tools', capabilities.tools),
      resources: await items('resources', capabilities.resources),
      templates: await items('templates', capabilities.resources),
      prompts: await items('prompts', capabilities.prompts),
      instructions,
    }
  }

  return {
    all,
    offered,
    listen(record, client) {
      hear(record, client).catch(() => undefined) // the lists can still be asked for
    },
    handlers: {
      // Asked for by the page's own button too: what ended before is not good enough then.
      'lists/all': ({ server, kind }) => all(servers.client(server), kind),
      async 'resources/subscribe'({ server, uri }) {
        const record = servers.find(server)
        const client = servers.client(server)
        if (record.subscriptions.has(uri)) return {}
        if (record.subscriptions.size >= 500)
          throw new ProblemError('too_many', 'too many subscriptions')
        const subscription = await client.listen({ resourceSubscriptions: [uri] })
        if (record.subscriptions.has(uri)) {
          await subscription[Symbol.asyncDispose]() // asked for twice at once
          return {}
        }
        record.subscriptions.set(uri, subscription)
        hearUpdates(server, uri, subscription).catch(() => undefined) // it can still be read
        return {}
      },
      async 'resources/unsubscribe'({ server, uri }) {
        const { subscriptions } = servers.find(server)
        const subscription = subscriptions.get(uri)
        subscriptions.delete(uri)
        await subscription?.[Symbol.asyncDispose]()
        return {}
      },
    },
  }
}

function failedList(error: unknown): Omit<AllPages, 'pages'> {
  return { items: [], problem: toProblem(error) }
}

function endless(message: string): Problem {
  return { code: 'endless_list', message, hint: 'The items received until then are shown.' }
}

function afterPage(page: number, { message, ...problem }: Problem): Problem {
  return { ...problem, message: `after page ${page}: ${message}` }
}

function oddItems(method: string, odd: readonly unknown[]): Problem {
  const [first] = odd
  const shown = (JSON.stringify(first) ?? typeof first).slice(0, 60)
  return {
    code: 'odd_items',
    message: `${method} lists ${odd.length} items that are not objects, such as ${shown}`,
    hint: 'They are left out here; other clients may refuse the whole list.',
  }
}
