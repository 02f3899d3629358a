/**
 * Everything behind the Inspector's page: makes the parts of the service, gives each method of the page to its part, and keeps the state
 * between starts. Leaves the parts to the files beside it, and the address of the page to `start-inspector.ts`, which uses it.
 */

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createSafeFetch } from '@parley/auth'
import { readServerCard } from '@parley/auth/network'
import { openSecretStore } from '@parley/foundation/secrets'
import {
  createMask,
  createRecorder,
  createTraceWriter,
  type TraceRecorder,
} from '@parley/foundation/trace'
import type { JsonValue } from '@parley/mcp'
import type { ServerEntry } from '@parley/mcp/client'

import type { InspectorOptions } from '../options.ts'
import { version } from '../own-files.ts'
import type { Methods, ServerCardView, State } from '../protocol/index.ts'
import { createApps } from './apps.ts'
import { createAuth } from './auth/auth.ts'
import { tokenStores } from './auth/token-stores.ts'
import { checkParams, isMethod } from './checks.ts'
import { coalesce } from './coalesce.ts'
import type { Emit, Handlers } from './handlers.ts'
import { createIcons } from './icons.ts'
import { requireReading } from './permissions.ts'
import { ProblemError } from './problem.ts'
import { createModel, modelKeyName } from './questions/model.ts'
import { createInputRequests } from './questions/questions.ts'
import { createBench } from './runs/bench.ts'
import { createCollections } from './runs/collections.ts'
import { openRunHistory } from './runs/run-history.ts'
import { createRuns } from './runs/runs.ts'
import { createTasks } from './runs/tasks.ts'
import { createCatalogue } from './servers/catalogue.ts'
import { createConfigImport } from './servers/config-import.ts'
import { connectOptionsFor } from './servers/connect-options.ts'
import { createDiagnosis } from './servers/diagnosis.ts'
import { secretsOf } from './servers/entry-view.ts'
import { createLists } from './servers/lists.ts'
import { createPings } from './servers/pings.ts'
import { describeProfiles } from './servers/profiles.ts'
import { createServers, type Servers } from './servers/servers.ts'
import { noiseWarnings } from './servers/stdout-noise.ts'
import { findWarnings } from './servers/warnings.ts'
import { createSkills } from './skills.ts'
import { readEra } from './state/settings.ts'
import { type SavedState, openStateFile } from './state/state-file.ts'
import { createLogs } from './trace/logs.ts'
import { createTraceTools } from './trace/trace-tools.ts'
import { createTracing } from './trace/tracing.ts'

/** The roots that are no folders one can read, each with the reason. */
async function checkRoots(
  roots: readonly string[],
): Promise<readonly { readonly root: string; readonly why: string }[]> {
  const checked = await Promise.all(
    roots.map(async (root) => ({ root, why: await problemOf(root) })),
  )
  return checked.flatMap(({ root, why }) => (why === undefined ? [] : [{ root, why }]))
}

async function problemOf(root: string): Promise<string | undefined> {
  try {
    const path = /^file:/i.test(root) ? fileURLToPath(root) : root
    if (!(await stat(path)).isDirectory()) return 'is not a folder'
    await access(path, constants.R_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // of the file system, or of the URL
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
    if (code === 'EACCES' || code === 'EPERM') return 'cannot be read'
    return 'is not the address of a folder'
  }
}

/** The user chose the address, so it may be a private one. No credentials are sent. */
async function readCard(entry: ServerEntry): Promise<{ readonly card?: ServerCardView }> {
  if (!('url' in entry)) return {}
  const fetch = createSafeFetch({ network: 'any', maxBytes: 64 * 1024, timeoutMs: 5_000 })
  const found = await readServerCard(entry.url, { fetch })
  if (found.kind === 'absent') return {}
  const { url, isOfServer } = found
  const { name, description } = found.card
  return { card: { url, name, version: found.card.version, description, isOfServer } }
}

/** What was kept, without what the page could not have sent: somebody may have edited the file. */
function onlyValid(saved: SavedState): SavedState {
  const { collections, rules, preferences, servers, model } = saved
  const isModelGood = model && isValid('model/save', { url: model.url, model: model.model })
  return {
    collections: collections.filter((collection) => isValid('collections/save', collection)),
    rules: rules.filter((rule) => isValid('rules/save', { rules: [rule] })),
    preferences: isValid('preferences/save', preferences) ? preferences : {},
    servers: servers
      .filter((server) => isValid('servers/add', { name: server?.name, entry: server?.entry }))
      .map(({ name, entry, settings }) => {
        const isGood = settings !== undefined && isValid('servers/settings', { name, settings })
        return isGood ? { name, entry, settings } : { name, entry }
      }),
    ...(isModelGood && { model }),
  }
}

function isValid(method: keyof Methods, params: unknown): boolean {
  try {
    checkParams(method, params)
    return true
  } catch {
    return false
  }
}

/** Everything behind the page, without a way to it. */
export interface Service extends AsyncDisposable {
  readonly recorder: TraceRecorder
  /** Answers one message of a page; rejects with what becomes a problem. */
  handle(method: unknown, params: unknown): Promise<unknown>
}

export async function createService(
  options: Omit<InspectorOptions, 'stateDirectory'> & { readonly stateDirectory: string },
  emitAll: Emit,
): Promise<Service> {
  const emit = coalesce(emitAll)
  const { readOnly = false, noSpawn = false, stateDirectory } = options
  const stateFile = await openStateFile(stateDirectory)
  const loaded = onlyValid(stateFile.loaded)
  const secrets = await openSecretStore({ directory: join(stateDirectory, 'secrets') })
  const existing = new Set(await secrets.values())
  const modelKey = await secrets.get(modelKeyName)
  let mask = createMask(existing)
  const recorder = createRecorder({ mask: (value) => mask(value) })
  const logs = createLogs(emit, (data) => mask(data as JsonValue)) // what servers log is JSON, or a line
  let preferences = loaded.preferences

  const model = createModel({
    keys: secrets,
    saved: loaded.model && { ...loaded.model, hasKey: modelKey !== undefined },
    onKey: (key) => keepSecret([key]),
    onSaved: save,
  })
  const questions = createInputRequests({ emit, logs, askModel: model.ask, onRules: save })
  questions.rules = loaded.rules
  const tasks = createTasks(emit, () => servers)
  const servers: Servers = createServers({
    emit,
    recorder,
    logs,
    maySpawn: !noSpawn,
    connectOptions: (record) =>
      connectOptionsFor(record, { recorder, logs, questions, auth, servers, version }),
    rootsFor: (record) => questions.optionsFor(record).roots ?? [],
    onConnected(record, client) {
      lists.listen(record, client)
      pings.follow(record)
      const { logLevel } = record.settings
      if (logLevel !== undefined && client.server.capabilities.logging) {
        client.setLoggingLevel(logLevel as 'info').catch(() => undefined) // checked to be a level; the connection is good without
      }
    },
    onDisconnected(record) {
      pings.stop(record)
    },
    onSaved: save,
    onRemoved: (record) => auth.forget(record),
    onPut: (record) => keepSecret(secretsOf(record.entry)),
    onSettings: (record) => pings.follow(record),
  })
  const pings = createPings({ logs, changed: () => servers.changed() })
  const auth = createAuth({
    emit,
    servers: () => servers,
    openStore: await tokenStores(secrets, stateDirectory),
    noOpen: options.noOpen ?? false,
    onSecret: (secret) => keepSecret([secret]),
    call: (request) => runs.start(request),
  })
  const lists = createLists(emit, servers)
  const tracing = createTracing(recorder, emit)
  const runs = createRuns({
    emit,
    recorder,
    servers,
    tasks,
    mayCall: async (record, method, params) => {
      if (readOnly) await requireReading(record, method, params)
    },
  })

  const history = await openRunHistory(
    stateDirectory,
    (run) => mask(run as unknown as JsonValue) as unknown as typeof run, // it came as JSON, and its shape stays
  )
  const collections = createCollections(loaded.collections, runs, history, save)
  const bench = createBench({
    emit,
    servers,
    mayCall: async (record, { tool }) => {
      if (readOnly) await requireReading(record, 'tools/call', { name: tool })
    },
  })
  const writer =
    options.record === undefined
      ? undefined
      : createTraceWriter(options.record, { program: 'inspector' })

  recorder.onRecord((record) => {
    runs.onRecord(record)
    tracing.onRecord(record)
    writer?.write(recorder.masked(record))
  })

  /** From now on they are masked wherever they stand. */
  function keepSecret(values: Iterable<string>): void {
    for (const value of values) existing.add(value)
    mask = createMask(existing)
  }

  function state(): State {
    return {
      version,
      servers: servers.views,
      questions: questions.views,
      rules: questions.rules,
      ...(model.view && { model: model.view }),
      tasks: tasks.views,
      logs: logs.lines,
      collections: collections.all,
      preferences,
      trace: { first: recorder.first, last: recorder.last, limit: recorder.limit },
      sandboxPort: options.sandboxPort,
      may: {
        spawn: !noSpawn,
        change: !readOnly,
        diagnose: options.diagnose !== undefined,
        browse: options.openCatalogue !== undefined,
      },
    }
  }

  function saved(): SavedState {
    return {
      collections: collections.all,
      rules: questions.rules,
      preferences,
      servers: servers.added,
      ...(model.view && { model: model.view }),
    }
  }

  function save(): void {
    stateFile.save(saved)
  }

  const handlers: Handlers = {
    'state/get': state,
    ...servers.handlers,
    ...createConfigImport({ servers, maySpawn: !noSpawn, locations: options.configPlaces }),
    ...lists.handlers,
    ...createSkills(servers.client),
    ...createApps({ recorder, clientOf: servers.client }),
    ...createIcons({ find: servers.find }),
    ...runs.handlers,
    ...tasks.handlers,
    ...questions.handlers,
    ...model.handlers,
    ...tracing.handlers,
    ...createTraceTools(recorder, servers, runs),
    ...auth.handlers,
    ...bench.handlers,
    ...collections.handlers,
    ...createDiagnosis(options.diagnose, servers),
    ...createCatalogue(options.openCatalogue, servers),
    'servers/warnings': async ({ name }) => [
      ...noiseWarnings(servers.find(name)),
      ...findWarnings(await lists.offered(name)),
    ],
    async 'servers/profiles'({ name }) {
      const open = questions.views.filter(({ server }) => server === name)
      const kinds = new Set(open.map(({ kind }) => kind))
      return describeProfiles(await lists.offered(name), kinds, name)
    },
    'servers/card': ({ name }) => readCard(servers.find(name).entry),
    async 'logging/level'({ server, level }) {
      await servers.client(server).setLoggingLevel(level as 'info') // checked to be a level
      const record = servers.find(server)
      record.settings = { ...record.settings, logLevel: level }
      servers.changed()
      return {}
    },
    'roots/check': ({ roots }) => checkRoots(roots),
    ping: async ({ server }) => ({ ms: await servers.client(server).ping() }),
    'preferences/save'(next) {
      preferences = { ...preferences, ...next }
      save()
      return {}
    },
  }

  for (const server of options.servers ?? []) {
    const { name, entry, source = 'command line', connect = false, settings, approval } = server
    if (settings?.era !== undefined) readEra(settings.era)
    const record = servers.put({
      name,
      entry,
      source,
      isConfirmed: approval === undefined,
      approval,
      settings,
    })
    if (connect) servers.connect(record).catch(() => undefined) // its view says why
  }
  for (const server of loaded.servers) {
    if (servers.views.some(({ name }) => name === server.name)) continue
    servers.put({ ...server, isConfirmed: false })
  }
  if (stateFile.problem !== undefined) {
    logs.add({ server: '', from: 'inspector', level: 'warning', data: stateFile.problem })
  }

  return {
    recorder,
    async handle(method, params) {
      if (!isMethod(method)) {
        throw new ProblemError('unknown_method', `unknown method ${JSON.stringify(method)}`)
      }
      checkParams(method, params)
      const handler = handlers[method] as (params: unknown) => unknown // params were checked for this method
      return handler(params)
    },
    async [Symbol.asyncDispose]() {
      bench.close()
      await servers.close()
      await writer?.flush().catch(() => undefined) // the same
      await stateFile.flush().catch(() => undefined) // there is nobody left to tell
      await history.flush().catch(() => undefined) // the same
    },
  }
}
