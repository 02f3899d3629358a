import { maskArguments } from '@parley/foundation/secrets'
import { createMask } from '@parley/foundation/trace'

import { memoryByGroup } from '../bridge/memory-watch.ts'
import { definitionWarnings } from '../checks/pinning/definition-warnings.ts'
import type { GatewayInsides } from '../gateway/insides.ts'
import type { GatewaySession } from '../gateway/session.ts'
import { listedBy } from '../naming/catalogue.ts'
import { listNames } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { ChildView, OfferedView, Overview, ServerView, SessionView } from './protocol.ts'
import type { Traffic } from './traffic.ts'

const maxSessions = 500
const maxWarnings = 200

/** How everything is now, as the page shows it. */
export function overviewOf(
  { cores, servesOver, startedAt }: GatewayInsides,
  traffic: Traffic,
  waiting: number,
): Overview {
  const now = performance.now()
  const upstreams = [...cores.whole.upstreams.values()]
  const sessions = cores.all().flatMap((core) => [...core.sessions])
  const hasChildren = upstreams.some(({ children }) => children && [...children.alive].length > 0)
  const memory = hasChildren ? memoryByGroup() : new Map<number, number>()
  const newest = sessions
    .toSorted((session, two) => two.number - session.number)
    .slice(0, maxSessions)
  return {
    at: Date.now(),
    gateway: {
      ...traffic.all.metrics(now),
      memoryBytes: process.memoryUsage.rss(),
      startedAt,
    },
    servers: upstreams.map((upstream) => serverView(upstream, traffic, memory)),
    callers: traffic.callers().slice(0, 50),
    sessions: newest.map((session) => sessionView(session, servesOver)),
    sessionCount: sessions.length,
    warnings: cores.whole.catalogue().warnings.slice(0, maxWarnings),
    waiting,
    history: traffic.histories.quarter.read(now),
  }
}

function serverView(
  upstream: Upstream,
  traffic: Traffic,
  memory: ReadonlyMap<number, number>,
): ServerView {
  const { name, state, server, proxy, lists, description, children } = upstream
  const { tools, prompts, resources, resourceTemplates } = lists
  const info = description?.info
  return {
    name,
    state,
    kind: 'command' in server ? 'command' : 'url',
    where: whereOf(upstream),
    mode: server.mode ?? 'per-session',
    ...(info && { info: { name: info.name, version: info.version } }),
    connections: proxy.connections,
    maxConnections: server.maxConnections ?? 100,
    counts: {
      tools: tools.length,
      prompts: prompts.length,
      resources: resources.length,
      resourceTemplates: resourceTemplates.length,
    },
    metrics: traffic.metricsOf(name),
    children: [...(children?.alive ?? [])].map(({ handle: { pid }, startedAt }): ChildView => {
      const memoryBytes = memory.get(pid)
      return { pid, startedAt, ...(memoryBytes !== undefined && { memoryBytes }) }
    }),
    started: children?.started ?? 0,
  }
}

const maskText = createMask()

/** How it is reached, without what nobody should read. */
function whereOf({ server }: Upstream): string {
  if ('command' in server) {
    return [server.command, ...maskArguments(server.args ?? [])].join(' ').slice(0, 500)
  }
  if (!('url' in server)) return ''
  const url = new URL(server.url)
  if (url.password !== '') url.password = '***'
  for (const [name, value] of url.searchParams) {
    const shown = (maskText({ [name]: value }) as { readonly [name: string]: string })[name] // the same shape
    if (shown !== undefined && shown !== value) url.searchParams.set(name, shown)
  }
  return decodeURI(url.href).slice(0, 500)
}

function sessionView(session: GatewaySession, transport: 'http' | 'stdio'): SessionView {
  const { number, openedAt, opening, upstreams, client } = session
  const { clientDescription, codec, auth } = opening
  const streams = client?.transport.countStreams?.()
  const inFlight = client?.transport.countCalls?.()
  const { clientInfo } = clientDescription
  return {
    id: number,
    caller: auth?.subject.slice(0, 120) ?? 'anonymous',
    client: clientInfo
      ? `${clientInfo.name} ${clientInfo.version}`.slice(0, 120)
      : 'unknown program',
    revision: codec.revision,
    era: codec.has.initialize ? 'legacy' : 'modern',
    transport,
    openedAt,
    ...(streams !== undefined && { streams }),
    ...(inFlight !== undefined && { inFlight }),
    upstreams,
    canClose: client?.transport.dismiss !== undefined,
  }
}

/** Everything that a server offers, under the names that clients use. */
export function offersOf(
  { cores }: GatewayInsides,
  upstream: Upstream,
  traffic: Traffic,
): readonly OfferedView[] {
  return listNames.flatMap((list) =>
    listedBy(upstream, upstream.lists, list, cores.whole.naming).map(({ subject, listed }) => ({
      kind: subject.kind,
      name: subject.name,
      exposedName: subject.exposedName,
      definition: listed,
      warnings: definitionWarnings(subject.name, listed),
      calls: traffic.callsOf(upstream.name, subject.name),
    })),
  )
}
