/**
 * Answers the operator's page of a gateway: servers, tools, callers, traffic, quarantine, keys. Each message of the protocol has one
 * handler here; events are sent as they happen. Counting and recording is `traffic.ts`.
 */

import { verifyAuditLog } from '@parley/foundation/audit'
import type { TraceRecord } from '@parley/foundation/trace'

import type { GatewayConfig, LoadedGatewayConfig } from '../config/gateway-config.ts'
import type { GatewayDifference } from '../gateway/exchange.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { insidesOf } from '../gateway/insides.ts'
import { version } from '../own-files.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { findEntries } from './audit-entries.ts'
import { maskConfigText, previewOf } from './config-preview.ts'
import { explainRequest } from './explain.ts'
import { isMethod, readParams } from './methods.ts'
import { createOperate } from './operations.ts'
import { PageProblem } from './problem.ts'
import type { Events, Methods, Overview } from './protocol.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { offersOf, overviewOf } from './views.ts'

/** Context of the page's service. */
export interface PageServiceOptions {
  readonly gateway: Gateway
  /** The configuration that is in use now. */
  readonly config: () => GatewayConfig
  /** Reads the file without using it. Without it there is no preview. */
  readonly load?: (() => Promise<LoadedGatewayConfig>) | undefined
  /** Reads the file again and uses it. */
  readonly reload?: (() => Promise<GatewayDifference>) | undefined
  /** Record messages also while nobody looks. */
  readonly isRecording: boolean
  /** Messages that are kept. */
  readonly recordBytes: number
  readonly onOperation?: ((text: string) => void) | undefined
}

/** Answers a page, and tells it what happens. */
export interface PageService extends Disposable {
  handle(method: unknown, params: unknown): Promise<unknown>
  /** Sets the number of open pages. Without any, nothing is counted or recorded unless the configuration asks for it. */
  setPages(count: number): void
}

type Emit = <Name extends keyof Events>(event: Name, data: Events[Name]) => void
type Handlers = {
  readonly [Name in keyof Methods]: (
    params: Methods[Name]['params'],
  ) => Methods[Name]['result'] | Promise<Methods[Name]['result']>
}

const tellEveryMs = 1_000
const recordsEveryMs = 200
const maxReported = 2_000
const maxPageBytes = 8 * 1024 * 1024
const drainMs = 60_000

export function createPageService(options: PageServiceOptions, emit: Emit): PageService {
  const { gateway, config, isRecording } = options
  const insides = insidesOf(gateway)
  const { cores } = insides
  const traffic = createTraffic({ bytes: options.recordBytes })
  const { recorder } = traffic
  const operate = createOperate({
    operated: () => config().operated,
    onOperation: options.onOperation,
  })
  let pages = 0
  let ticking: NodeJS.Timeout | undefined
  let notifying: NodeJS.Timeout | undefined
  let unsent: TraceRecord[] = []
  let waiting = -1

  function observe(observer: Traffic | undefined): void {
    for (const core of cores.all()) core.observer = observer
  }

  if (isRecording) observe(traffic)
  const recording = recorder.onRecord((record) => {
    if (pages === 0) return
    // The newest are kept; a page that sees a gap asks for what is missing.
    if (unsent.length >= maxReported) unsent = unsent.slice(maxReported / 2)
    unsent.push(record)
    notifying ??= setTimeout(tellRecords, recordsEveryMs).unref()
  })

  function tellRecords(): void {
    notifying = undefined
    const records = fitting(unsent.map((record) => recorder.masked(record)))
    unsent = []
    if (records.length > 0 && pages > 0) emit('trace/records', { records })
  }

  function overview(): Overview {
    const { pinning } = config().operated
    const quarantined =
      pinning?.listQuarantine().filter(({ isRejected }) => !isRejected).length ?? 0
    return overviewOf(insides, traffic, quarantined)
  }

  function notify(): void {
    const now = overview()
    if (waiting !== -1 && waiting !== now.waiting) emit('quarantine/changed', {})
    waiting = now.waiting
    emit('overview', now)
  }

  function upstreamOf(name: string): Upstream {
    const upstream = cores.whole.upstreams.get(name)
    if (upstream) return upstream
    throw new PageProblem('unknown_server', `The server ${JSON.stringify(name)} no longer exists.`)
  }

  function need<T>(value: T | undefined, what: string, key: string): T {
    if (value !== undefined) return value
    throw new PageProblem(
      'not_configured',
      `This gateway has no ${what}.`,
      `Add ${key} to its file.`,
    )
  }

  const handlers: Handlers = {
    'state/get'() {
      const { file, operated } = config()
      return {
        version,
        file,
        url: gateway.url?.href ?? null,
        has: {
          policy: operated.policy !== undefined,
          pinning: operated.pinning !== undefined,
          audit: operated.auditLocation !== undefined,
          keys: operated.keys !== undefined,
          reload: options.reload !== undefined,
        },
        isRecording,
        overview: overview(),
      }
    },
    async 'servers/act'({ name, action }) {
      upstreamOf(name)
      await operate(`servers/${action}`, { upstream: name }, () =>
        insides.act(name, action === 'drain' ? 'stop' : action, action === 'drain' ? drainMs : 0),
      )
      notify()
      return {}
    },
    'traffic/history': ({ span }) => traffic.histories[span].read(performance.now()),
    'servers/offers': ({ name }) => offersOf(insides, upstreamOf(name), traffic),
    'children/stderr'({ name, pid }) {
      const { children } = upstreamOf(name)
      const child = [...(children?.alive ?? [])].find(({ handle }) => handle.pid === pid)
      if (child === undefined) {
        throw new PageProblem('unknown_child', `The process ${pid} has ended.`)
      }
      return { text: masked(child.handle.stderr()) }
    },
    async 'sessions/close'({ id }) {
      const session = cores
        .all()
        .flatMap((core) => [...core.sessions])
        .find(({ number }) => number === id)
      const owner = session?.client?.transport
      if (session === undefined || owner?.dismiss === undefined) {
        throw new PageProblem(
          'unknown_session',
          `The session ${id} has ended, or cannot be closed.`,
        )
      }
      const { clientDescription, auth } = session.opening
      const about = {
        session: id,
        caller: auth?.subject ?? 'anonymous',
        client: clientDescription.clientInfo?.name ?? '',
      }
      await operate('sessions/close', about, () =>
        owner.dismiss?.('the session was closed by the operator of this gateway'),
      )
      notify()
      return {}
    },

    'trace/page'({ after, limit }) {
      const records = fitting(recorder.page(after, Math.max(1, Math.min(1_000, limit))))
      return { records, first: recorder.first, last: recorder.last }
    },
    async 'trace/clear'() {
      await operate('trace/clear', {}, () => recorder.clear())
      unsent = []
      return {}
    },

    'policy/explain'(params) {
      const policy = need(config().operated.policy, 'policy', 'policy:')
      return explainRequest(insides, policy, params)
    },

    'quarantine/list': () =>
      need(config().operated.pinning, 'pinned tools', 'pinning: warn').listQuarantine(),
    async 'quarantine/approve'({ id }) {
      const pinning = need(config().operated.pinning, 'pinned tools', 'pinning: warn')
      const found = pinning.listQuarantine().find((each) => each.id === id)
      await operate('quarantine/approve', describe(id, found), () => pinning.approve(id))
      return {}
    },
    async 'quarantine/reject'({ id }) {
      const pinning = need(config().operated.pinning, 'pinned tools', 'pinning: warn')
      const found = pinning.listQuarantine().find((each) => each.id === id)
      await operate('quarantine/reject', describe(id, found), () => pinning.reject(id))
      return {}
    },

    'audit/page'(params) {
      const { path } = need(config().operated.auditLocation, 'audit', 'audit: audit.jsonl')
      return findEntries(path, params)
    },
    async 'audit/verify'() {
      const { audit, auditLocation } = config().operated
      const { path, key } = need(auditLocation, 'audit', 'audit: audit.jsonl')
      await audit?.flush()
      return verifyAuditLog(path, { key })
    },

    'keys/list': () => need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }').list(),
    'keys/create'({ name, scopes, expires: end }) {
      const keys = need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }')
      const expires = readEnd(end)
      const about = { holder: name, scopes: [...scopes], until: expires?.toISOString() ?? 'never' }
      return operate('keys/create', about, () => keys.createKey({ name, scopes, expires }))
    },
    'keys/revoke'({ id }) {
      const keys = need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }')
      return operate('keys/revoke', { withKey: id }, () => keys.revoke(id))
    },

    'config/get'() {
      const { file, files, operated } = config()
      return { file, files, text: maskConfigText(operated.text ?? '') }
    },
    async 'config/preview'() {
      const loaded = await need(options.load, 'file that can be read again', '--config')()
      await loaded.config.audit?.[Symbol.asyncDispose]()
      return previewOf(config(), loaded)
    },
    async 'config/apply'() {
      const reload = need(options.reload, 'file that can be read again', '--config')
      const difference = await operate('config/apply', { file: config().file }, reload)
      notify()
      return difference
    },
  }

  return {
    async handle(method, params) {
      if (!isMethod(method)) {
        throw new PageProblem('unknown_method', `There is no method ${JSON.stringify(method)}.`)
      }
      const handler: (params: never) => unknown = handlers[method]
      return handler(readParams(method, params) as never) // read for this very method
    },
    setPages(count) {
      const before = pages
      pages = count
      if (count > 0 && before === 0) {
        observe(traffic)
        ticking = setInterval(notify, tellEveryMs).unref()
      }
      if (count > 0 || before === 0) return
      clearInterval(ticking)
      if (!isRecording) observe(undefined)
    },
    [Symbol.dispose]() {
      clearInterval(ticking)
      clearTimeout(notifying)
      recording[Symbol.dispose]()
      observe(undefined)
    },
  }

  function masked(text: string): string {
    const tap = recorder.masked({ seq: 0, time: 0, at: 0, connection: '', kind: 'stderr', text })
    return tap.text ?? ''
  }
}

function describe(
  id: string,
  found: { readonly upstream: string; readonly kind: string; readonly name: string } | undefined,
) {
  if (found === undefined) return { id }
  const { upstream, kind, name } = found
  return { id, upstream, kind, name: name.slice(0, 1_000) }
}

function readEnd(text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined
  const end = new Date(text)
  if (!Number.isNaN(end.getTime())) return end
  throw new PageProblem(
    'invalid_params',
    `${JSON.stringify(text)} is not a date.`,
    'Write 2027-01-31.',
  )
}

/** At least one, however large. */
function fitting(records: readonly TraceRecord[]): readonly TraceRecord[] {
  let bytes = 0
  const cut = records.findIndex((record, index) => {
    bytes += record.bytes ?? 0
    return index > 0 && bytes > maxPageBytes
  })
  return cut < 0 ? records : records.slice(0, cut)
}
