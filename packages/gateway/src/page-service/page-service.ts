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
import { createOperate } from './operations.ts'
import { readParams, type Params } from './params.ts'
import { PageProblem } from './problem.ts'
import type { Events, Methods, Overview } from './protocol.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { offersOf, overviewOf } from './views.ts'

/** What a page works on. */
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
  /** So many pages are open now. Nothing is counted or recorded for none, unless the configuration says so. */
  setPages(count: number): void
}

type Emit = <Name extends keyof Events>(event: Name, data: Events[Name]) => void
type Handlers = {
  readonly [Name in keyof Methods]: (
    params: Params,
  ) => Methods[Name]['result'] | Promise<Methods[Name]['result']>
}

const tellEveryMs = 1_000
const recordsEveryMs = 200
const maxTold = 2_000
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
  let telling: NodeJS.Timeout | undefined
  let unsent: TraceRecord[] = []
  let waiting = -1

  function observe(observer: Traffic | undefined): void {
    for (const core of cores.all()) core.observer = observer
  }

  if (isRecording) observe(traffic)
  const recording = recorder.onRecord((record) => {
    if (pages === 0) return
    // The newest are kept; a page that sees a gap asks for what is missing.
    if (unsent.length >= maxTold) unsent = unsent.slice(maxTold / 2)
    unsent.push(record)
    telling ??= setTimeout(tellRecords, recordsEveryMs).unref()
  })

  function tellRecords(): void {
    telling = undefined
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

  function tell(): void {
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
          audit: operated.auditPlace !== undefined,
          keys: operated.keys !== undefined,
          reload: options.reload !== undefined,
        },
        isRecording,
        overview: overview(),
      }
    },
    async 'servers/act'(params) {
      const name = params.text('name')
      const action = params.choice('action', ['restart', 'stop', 'drain', 'start'])
      upstreamOf(name)
      await operate(`servers/${action}`, { upstream: name }, () =>
        insides.act(name, action === 'drain' ? 'stop' : action, action === 'drain' ? drainMs : 0),
      )
      tell()
      return {}
    },
    'traffic/history': (params) =>
      traffic.histories[params.choice('span', ['quarter', 'hour', 'day'])].read(performance.now()),
    'servers/offers': (params) => offersOf(insides, upstreamOf(params.text('name')), traffic),
    'children/stderr'(params) {
      const pid = params.number('pid')
      const { children } = upstreamOf(params.text('name'))
      const child = [...(children?.alive ?? [])].find(({ handle }) => handle.pid === pid)
      if (child === undefined) {
        throw new PageProblem('unknown_child', `The process ${pid} has ended.`)
      }
      return { text: masked(child.handle.stderr()) }
    },
    async 'sessions/close'(params) {
      const id = params.number('id')
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
      tell()
      return {}
    },

    'trace/page'(params) {
      const limit = Math.max(1, Math.min(1_000, params.number('limit')))
      const records = fitting(recorder.page(params.number('after'), limit))
      return { records, first: recorder.first, last: recorder.last }
    },
    async 'trace/clear'() {
      await operate('trace/clear', {}, () => recorder.clear())
      unsent = []
      return {}
    },

    'policy/explain'(params) {
      const policy = need(config().operated.policy, 'policy', 'policy:')
      return explainRequest(insides, policy, {
        upstream: params.text('upstream'),
        kind: params.choice('kind', ['tool', 'prompt', 'resource']),
        name: params.text('name'),
        arguments: params.object('arguments'),
        caller: params.optionalText('caller'),
        claims: params.object('claims'),
        scopes: params.texts('scopes'),
      })
    },

    'quarantine/list': () =>
      need(config().operated.pinning, 'pinned tools', 'pinning: warn').listQuarantine(),
    async 'quarantine/approve'(params) {
      const pinning = need(config().operated.pinning, 'pinned tools', 'pinning: warn')
      const id = params.text('id')
      const found = pinning.listQuarantine().find((each) => each.id === id)
      await operate('quarantine/approve', describe(id, found), () => pinning.approve(id))
      return {}
    },
    async 'quarantine/reject'(params) {
      const pinning = need(config().operated.pinning, 'pinned tools', 'pinning: warn')
      const id = params.text('id')
      const found = pinning.listQuarantine().find((each) => each.id === id)
      await operate('quarantine/reject', describe(id, found), () => pinning.reject(id))
      return {}
    },

    'audit/page'(params) {
      const { path } = need(config().operated.auditPlace, 'audit', 'audit: audit.jsonl')
      return findEntries(path, {
        text: params.optionalText('text'),
        type: params.optionalText('type'),
        outcome: params.optionalText('outcome'),
        upstream: params.optionalText('upstream'),
        before: params.optionalNumber('before'),
      })
    },
    async 'audit/verify'() {
      const { audit, auditPlace } = config().operated
      const { path, key } = need(auditPlace, 'audit', 'audit: audit.jsonl')
      await audit?.flush()
      return verifyAuditLog(path, { key })
    },

    'keys/list': () => need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }').list(),
    'keys/create'(params) {
      const keys = need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }')
      const name = params.text('name')
      const scopes = params.texts('scopes')
      const expires = readEnd(params.optionalText('expires'))
      const about = { holder: name, scopes: [...scopes], until: expires?.toISOString() ?? 'never' }
      return operate('keys/create', about, () => keys.createKey({ name, scopes, expires }))
    },
    'keys/revoke'(params) {
      const keys = need(config().operated.keys, 'API keys', 'auth: { keys: keys.json }')
      const id = params.text('id')
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
      tell()
      return difference
    },
  }

  return {
    async handle(method, params) {
      if (typeof method !== 'string' || !Object.hasOwn(handlers, method)) {
        throw new PageProblem('unknown_method', `There is no method ${JSON.stringify(method)}.`)
      }
      const handler = handlers[method as keyof Methods] // one of its own
      return handler(readParams(method, params))
    },
    setPages(count) {
      const before = pages
      pages = count
      if (count > 0 && before === 0) {
        observe(traffic)
        ticking = setInterval(tell, tellEveryMs).unref()
      }
      if (count > 0 || before === 0) return
      clearInterval(ticking)
      if (!isRecording) observe(undefined)
    },
    [Symbol.dispose]() {
      clearInterval(ticking)
      clearTimeout(telling)
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
