/**
 * A registry as a function from web-standard requests to responses: opens the database, checks who calls and how often, and gives each
 * request to its operation. Leaves sockets and addresses to `serve.ts`, the operations to `read-operations.ts` and
 * `write-operations.ts`, and SQL to `storage/`. Used by `parley registry`, and by programs that serve a registry of their own.
 */

import type { AuditLog } from '@parley/foundation/audit'
import type { AuthInfo } from '@parley/mcp'
import { addressBlock, isLoopbackHost, parseUrl } from '@parley/mcp/address'

import { readPublisherKey, type PublisherKey } from '../client/publisher-key.ts'
import { applyPendingRules } from '../curation/apply-rules.ts'
import { curate, type CurationChange, type CurationOutcome } from '../curation/curate.ts'
import type { CurationRule } from '../curation/rules.ts'
import { readRules } from '../curation/stored-rules.ts'
import { stranger, type Reader } from '../curation/visibility.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { createChangeSignal } from '../extensions/change-signal.ts'
import { changesOperation } from '../extensions/changes-operation.ts'
import { configOperation } from '../extensions/config-operation.ts'
import { feedOperations } from '../extensions/feed-operations.ts'
import { indexOperation } from '../extensions/index-operation.ts'
import { moderationOperations } from '../extensions/moderation-operations.ts'
import { renameOperation } from '../extensions/rename-operation.ts'
import { reportOperation } from '../extensions/report-operation.ts'
import { searchOperations } from '../extensions/search-operations.ts'
import { sessionOperation } from '../extensions/session-operation.ts'
import { trustOperations } from '../extensions/trust-operations.ts'
import { createOutgoing, type Outgoing } from '../network/outgoing.ts'
import { createOwnershipCheck } from '../ownership/check-ownership.ts'
import type { OwnershipOptions } from '../ownership/options.ts'
import { createRemoteCheck } from '../ownership/remote-cards.ts'
import { createAuthority } from '../publishers/authority.ts'
import type { RegistryAuth } from '../publishers/options.ts'
import { openDatabase } from '../storage/open-database.ts'
import { publishDocuments } from '../storage/publish.ts'
import { readSequence } from '../storage/read-changes.ts'
import { createIndexCache } from '../sync/create-index.ts'
import { exportStatic, type StaticExport } from '../sync/export-static.ts'
import { importSnapshot, type ImportOptions } from '../sync/import-snapshot.ts'
import type { SyncOptions, SyncReport } from '../sync/options.ts'
import { syncRegistry } from '../sync/sync-registry.ts'
import type { PackageBases } from '../validation/package-rules.ts'
import { validateDocument } from '../validation/validate-document.ts'
import { freshJson } from './answer.ts'
import { corsHeaders, preflight } from './cors.ts'
import { matchPath } from './match-path.ts'
import { createMetrics } from './metrics.ts'
import { describeApi, describeForPeople } from './openapi.ts'
import type { Operation, OperationCall, RegistryContext } from './operation.ts'
import { otherOperations } from './other-operations.ts'
import { Problem, problemResponse } from './problem.ts'
import { readQuery } from './query-parameters.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { readOperations } from './read-operations.ts'
import { writeOperations } from './write-operations.ts'

/** What a registry is made of. */
export interface RegistryOptions {
  /** A file of SQLite, `:memory:`, or a `postgres:` URL. */
  readonly database: string
  /** Who may read and publish. @defaultValue everybody reads, nobody publishes */
  readonly auth?: RegistryAuth | undefined
  /** Answers 501 to everything that would change something. @defaultValue false */
  readonly readOnly?: boolean | undefined
  /** Asks the homes of packages whether they belong to the server. @defaultValue nobody is asked */
  readonly ownership?: OwnershipOptions | undefined
  /** The public address; `auth.read` by `protect` needs it. */
  readonly url?: string | undefined
  /** Bytes of a request's body. @defaultValue 256 KiB */
  readonly bodyBytes?: number | undefined
  /** Requests of one address. They are counted where `fetch` is told the address. */
  readonly rates?: RegistryRates | undefined
  /** Requests to other hosts. @defaultValue only https, only to the public internet */
  readonly outgoing?: Outgoing | undefined
  /** Reads the cards of remotes at publication: `note` says what they said, `require` also refuses remotes that their card does not confirm. @defaultValue they are not read */
  readonly remoteCards?: 'note' | 'require' | undefined
  /** A new name that looks like one of another publisher is published with a note, or refused. @defaultValue 'flag' */
  readonly lookAlikes?: 'flag' | 'refuse' | undefined
  /** An Ed25519 key, 64 hexadecimal digits: signs `/x/index` and exports. @defaultValue nothing is signed */
  readonly indexKey?: string | undefined
  /** Where changes and decisions are written down. Whoever opened it closes it. @defaultValue nowhere */
  readonly audit?: AuditLog | undefined
  /** Counts answers, and serves them at `/metrics`. @defaultValue false */
  readonly metrics?: boolean | undefined
  /** What went wrong inside; callers are not told. */
  readonly onError?: ((error: unknown, request: Request) => void) | undefined
  /** @defaultValue `Date.now` */
  readonly now?: (() => number) | undefined
}

/** Limits by the effort that requests cause. */
export interface RegistryRates {
  /** @defaultValue 300 at once, 600 a minute */
  readonly read?: RateLimit | undefined
  /** @defaultValue 30 at once, 60 a minute */
  readonly write?: RateLimit | undefined
  /** @defaultValue 10 at once, 20 a minute */
  readonly signIn?: RateLimit | undefined
}

/** Who sent a request, as far as the runtime knows. */
export interface RegistryCaller {
  /** The address that limits count by; without one nothing is counted. */
  readonly address?: string | undefined
}

/** A registry that answers web-standard requests. */
export interface Registry extends AsyncDisposable {
  /** Answers every request; never rejects. */
  readonly fetch: (request: Request, caller?: RegistryCaller) => Promise<Response>
  /**
   * Publishes documents in one transaction, for operators: nobody signs in and nobody is asked. Refuses all if one is not
   * valid; one that is there already is skipped. Resolves with how many are new.
   */
  readonly importDocuments: (documents: readonly unknown[]) => Promise<number>
  /** Takes over what has changed at another registry since the last time. */
  readonly sync: (options: SyncOptions) => Promise<SyncReport>
  /** Takes over a snapshot that `exportStatic` has written, as `sync` would from its registry. */
  readonly importSnapshot: (options: ImportOptions) => Promise<SyncReport>
  /** Writes everything as plain files into a folder. */
  readonly exportStatic: (folder: string) => Promise<StaticExport>
  /** Sets or removes a rule, for operators; everything that is there follows it. */
  readonly curate: (change: CurationChange, author?: string) => Promise<CurationOutcome>
  /** The rules, the newest first. */
  readonly rules: () => Promise<readonly CurationRule[]>
  /** Ends what is open and closes the database. */
  readonly close: () => Promise<void>
}

/** Opens the database, brings its tables up to date, and serves the registry API v0.1 on it. */
export async function createRegistry(options: RegistryOptions): Promise<Registry> {
  const { auth = {}, ownership, now = Date.now, outgoing = createOutgoing(), onError } = options
  const database = await openDatabase(options.database)
  await applyPendingRules(database, now)
  const changes = createChangeSignal(database)
  const { github } = auth
  const resource = options.url === undefined ? undefined : new URL(options.url)
  const indexKey = options.indexKey === undefined ? undefined : readIndexKey(options.indexKey)
  const parts: RegistryContext = {
    database,
    authority: await createAuthority(auth, { database, outgoing, now }),
    checkOwnership: ownership && createOwnershipCheck(ownership, { outgoing, now }),
    packageBases: basesOf(ownership),
    bodyBytes: options.bodyBytes ?? 256 * 1024,
    isReadOnly: options.readOnly ?? false,
    githubClientId: typeof github === 'object' ? github.clientId : undefined,
    changes,
    checkRemotes: options.remoteCards && createRemoteCheck({ outgoing, now }),
    requiresCards: options.remoteCards === 'require',
    rejectsLookAlikes: options.lookAlikes === 'refuse',
    readIndex: indexKey && createIndexCache(database, indexKey, now),
    audit: options.audit,
    url: resource,
    now,
  }
  const operations = [
    ...readOperations,
    ...writeOperations,
    ...otherOperations,
    ...searchOperations,
    changesOperation,
    configOperation,
    indexOperation,
    ...feedOperations,
    ...trustOperations,
    ...moderationOperations,
    renameOperation,
    reportOperation,
    sessionOperation,
  ]
  const limits = createLimits(options.rates, now)
  const local = Object.values(auth.keys ?? {})
    .flatMap(({ publish }) => publish)
    .filter((pattern) => pattern !== '*')
  const metrics = options.metrics ? createMetrics() : undefined

  async function answer(request: Request, { address }: RegistryCaller): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'OPTIONS') return preflight(request)
    if (url.pathname.length > 1 && url.pathname.endsWith('/')) {
      const location = url.pathname.replace(/\/+$/, '') + url.search
      return new Response(null, { status: 308, headers: { location } })
    }
    const [, prefix, path] = /^\/(v0\.1|v0)\/(.+)$/.exec(url.pathname) ?? []
    if (prefix === undefined || path === undefined) return answerOther(request, url, address)
    const found = find(request, path)
    const { operation } = found
    const audited: OperationCall['audited'] = {}
    const start = performance.now()
    let status = 500
    try {
      const response = await run(found)
      status = response.status
      return response
    } catch (error) {
      status = error instanceof Problem ? error.status : statusOf(error)
      throw error
    } finally {
      const spent = (performance.now() - start) / 1000
      metrics?.count(`${operation.method} ${operation.path}`, status, spent)
      if (operation.isWriting) record(operation, found.parameters, status)
    }

    async function run({ parameters }: typeof found): Promise<Response> {
      count(operation, address)
      if (auth.anonymous && operation.isWriting) rejectPages(request, url)
      const { info, reader } = operation.isOpen ? nobody : await admit(request, url)
      if (parts.isReadOnly && operation.isWriting) throw notSupported(operation)
      const names = Object.keys(operation.query ?? {})
      const query = readQuery(url.searchParams, names, operation.aliases)
      const isPublic = reader !== 'all' && reader.length === 0
      const call = { request, query, parameters, auth: info, reader, isPublic, address, audited }
      return operation.run(call, parts)
    }

    /** Losses are counted by the log itself: a publication that is done stays done. */
    function record(
      { method, path: template }: Operation,
      parameters: OperationCall['parameters'],
      ended: number,
    ): void {
      if (parts.audit === undefined) return
      const by = parts.authority.callerOf(request)
      void parts.audit.append({
        event: 'registry.write',
        operation: `${method} ${template}`,
        ...parameters,
        ...audited,
        status: ended,
        ...(by !== undefined && { by }),
        ...(address !== undefined && { address }),
      })
    }
  }

  function find(request: Request, path: string) {
    const match = matchPath(path, operations)
    if (match === 'malformed') throw new Problem(400, 'The path is not encoded correctly.')
    if (match === undefined) throw unknownPath(`/v0.1/${path}`)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = match.operations.find((candidate) => candidate.method === method)
    if (operation !== undefined) return { operation, parameters: match.parameters }
    const allowed = match.operations.map((item) => item.method).join(', ')
    throw new Problem(405, `${request.method.slice(0, 20)} is not possible here: use ${allowed}.`, {
      headers: { allow: allowed },
    })
  }

  function count({ effort }: Operation, address: string | undefined): void {
    const seconds = address === undefined ? 0 : limits[effort](addressBlock(address))
    if (seconds === 0) return
    throw new Problem(429, `Too many requests: try again in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    })
  }

  /** Where everybody on this machine may publish, a page that its user looks at must not: neither by its origin nor by a name bound to us. */
  function rejectPages({ headers }: Request, url: URL): void {
    const host = (headers.get('host') ?? url.host).toLowerCase()
    const isOurs = isLoopbackHost(host.replace(/:\d+$/, '')) || host === resource?.host
    if (!isOurs) {
      throw new Problem(
        403,
        `Host ${host.slice(0, 200)} is not this registry: ask by the address that it prints, or set url.`,
      )
    }
    const origin = headers.get('origin')
    if (origin === null || parseUrl(origin)?.host === host || origin === resource?.origin) return
    throw new Problem(403, `Pages of ${origin.slice(0, 200)} may not publish here.`)
  }

  /** Who reads. Where readers must be known they see everything; elsewhere private entries are for those who may publish them. */
  async function admit(request: Request, url: URL): Promise<Admission> {
    const guard = auth.read
    const grant = await parts.authority.recognize(request)
    if (guard === undefined) {
      return {
        info: undefined,
        reader: grant?.permissions.map((permission) => permission.resource) ?? stranger,
      }
    }
    if (grant !== undefined) return { info: undefined, reader: 'all' }
    const outcome = await guard.authenticate({
      method: request.method,
      target: url.pathname + url.search,
      resource,
      header: (name) => request.headers.get(name) ?? undefined,
    })
    if (outcome.kind === 'allow') return { info: outcome.auth, reader: 'all' }
    if (outcome.cause !== undefined) onError?.(outcome.cause, request)
    throw new Problem(outcome.status, outcome.message, { headers: outcome.headers })
  }

  async function answerOther(
    request: Request,
    url: URL,
    address: string | undefined,
  ): Promise<Response> {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (isReading && url.pathname === '/openapi.json') return freshJson(describeApi(operations))
    if (isReading && url.pathname === '/openapi.yaml') {
      // JSON is YAML, too.
      const text = `${JSON.stringify(describeApi(operations), undefined, 2)}\n`
      return new Response(text, { headers: { 'content-type': 'application/yaml' } })
    }
    if (isReading && url.pathname === '/docs') {
      const html = describeForPeople(operations)
      return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    }
    if (isReading && url.pathname === '/metrics' && metrics !== undefined) {
      await admit(request, url)
      const sequence = await readSequence(database.queries)
      const text = metrics.text({ last_change: sequence, rss_bytes: process.memoryUsage.rss() })
      return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })
    }
    const own = resource && (await auth.read?.route?.(request, resource, { address }))
    if (own !== undefined) return own
    throw unknownPath(url.pathname)
  }

  function unknownPath(path: string): Problem {
    const isBare = matchPath(path.slice(1), operations)
    const hint =
      isBare !== undefined && isBare !== 'malformed'
        ? ` The version is missing: use /v0.1${path}.`
        : ' See /openapi.json.'
    return new Problem(404, `There is nothing at ${path.slice(0, 200)}.${hint}`)
  }

  async function answerSafely(request: Request, caller: RegistryCaller): Promise<Response> {
    try {
      return await answer(request, caller)
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error)
      onError?.(error, request)
      return problemResponse(
        isDiskFull(error)
          ? new Problem(507, 'The disk of the database is full: its operator must make room.')
          : isDatabaseClosed(error)
            ? new Problem(503, 'The database cannot be reached: try again later.')
            : new Problem(500, 'Something went wrong here.'),
      )
    }
  }

  async function close(): Promise<void> {
    changes.close()
    await database[Symbol.asyncDispose]()
  }

  return {
    async fetch(request, caller = {}) {
      const response = await answerSafely(request, caller)
      for (const [name, value] of corsHeaders) response.headers.set(name, value)
      return request.method === 'HEAD' ? new Response(null, response) : response
    },
    async importDocuments(values) {
      const documents = values.map((value, index) => requireValid(value, index, parts.packageBases))
      const outcomes = await publishDocuments(database, documents, now)
      return outcomes.filter(({ kind }) => kind === 'published').length
    },
    sync: (input) => syncRegistry(database, input, now, local),
    importSnapshot: (snapshot) => importSnapshot(database, snapshot, now, local),
    exportStatic: (folder) => exportStatic(database, folder, { key: indexKey, now }),
    curate: (change, author = 'operator') => curate(database, change, { author, now }),
    rules: () => readRules(database.queries),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Who was let in, and what they see. */
interface Admission {
  readonly info: AuthInfo | undefined
  readonly reader: Reader
}

const nobody: Admission = { info: undefined, reader: stranger }

function readIndexKey(hex: string): PublisherKey {
  const key = readPublisherKey(hex)
  if (key.algorithm === 'ed25519') return key
  throw new TypeError('indexKey must be an Ed25519 key: 64 hexadecimal digits')
}

function requireValid(value: unknown, index: number, bases: PackageBases): ServerDocument {
  const validation = validateDocument(value, bases)
  if (validation.isValid) return validation.document
  const [first] = validation.issues
  throw new TypeError(`document ${index} is not valid: ${first?.path} ${first?.message}`)
}

function createLimits(rates: RegistryRates = {}, now: () => number) {
  const { read = { burst: 300, perMinute: 600 }, write = { burst: 30, perMinute: 60 } } = rates
  const { signIn = { burst: 10, perMinute: 20 } } = rates
  return {
    read: createRateLimit(read, now),
    write: createRateLimit(write, now),
    'sign-in': createRateLimit(signIn, now),
  }
}

function basesOf(ownership: OwnershipOptions | undefined): RegistryContext['packageBases'] {
  const { npm, pypi, nuget, cargo } = ownership ?? {}
  const bare = (base: string | undefined) => base?.replace(/\/$/, '')
  const urls = { npm: bare(npm), pypi: bare(pypi), cargo: bare(cargo) }
  const index = nuget === undefined ? [] : [`${bare(nuget)}/v3/index.json`, `${bare(nuget)}`]
  return {
    ...Object.fromEntries(
      Object.entries(urls).flatMap(([kind, base]) => (base === undefined ? [] : [[kind, [base]]])),
    ),
    ...(index.length > 0 && { nuget: index }),
  }
}

function notSupported({ method, path }: Operation): Problem {
  const what =
    path === 'publish'
      ? 'Publishing is'
      : method === 'DELETE'
        ? 'Deletion is'
        : path.startsWith('auth/')
          ? 'Signing in is'
          : 'Updates are'
  return new Problem(501, `${what} not supported by this registry`)
}

function statusOf(error: unknown): number {
  if (isDiskFull(error)) return 507
  return isDatabaseClosed(error) ? 503 : 500
}

/** `disk_full` of PostgreSQL, and the code of SQLite. */
function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(?:53100|SQLITE_FULL)$/.test(String(error.code))
  )
}

/** Codes of sockets, of PostgreSQL while it starts or ends, and of a file that cannot be written. */
function isDatabaseClosed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : ''
  return (
    /^(?:ECONN|ETIMEDOUT|EPIPE|57P0|08|53)|^SQLITE_(?:BUSY|IOERR|READONLY)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(message)
  )
}
