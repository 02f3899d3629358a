/**
 * Puts together a host: many servers for one model. It creates what all conversations share (connections, tools, limits, stored
 * results, brokers for questions of servers) and returns the methods of `Host`, which are short and ask one of these parts.
 *
 * A turn itself is `turn/run-turn.ts`, a conversation `transcript/conversation.ts`, one server `connections/connection.ts`, and
 * consent is given by the caller.
 */

import { clientApps } from '@parley/mcp/apps'
import type { ConnectOptions } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import { createElicitation } from './brokers/elicitation.ts'
import { createSampling } from './brokers/sampling.ts'
import type { RecordExchange } from './brokers/server-request-gate.ts'
import { createCallSlots, type CallSlots } from './calls/call-slots.ts'
import { createCodeMode } from './code/code-mode.ts'
import { sensitiveFolders } from './connections/allowed-roots.ts'
import { createConnection, type ServerConnection } from './connections/connection.ts'
import { defaultStartWaitMs, startAll } from './connections/connections.ts'
import type { HostServer } from './connections/host-server.ts'
import type { ServerFeatures } from './connections/server-features.ts'
import { createSharedRoots } from './connections/shared-roots.ts'
import { createAttachedResources } from './context/attached-resources.ts'
import { createStoredResults } from './context/kept-results.ts'
import { readMeter } from './context/meter.ts'
import { offeredTools } from './context/offered-tools.ts'
import { promptMessages } from './context/prompt-messages.ts'
import { createToolSelections, defaultWindow } from './context/tool-selection.ts'
import { HostError } from './host-error.ts'
import type { Host, HostOptions, FromServer } from './host.ts'
import { callForApp } from './tools/call-for-app.ts'
import { watchLookAlikes } from './tools/look-alike-watch.ts'
import { offerNotices } from './tools/tool-notices.ts'
import { createToolRegistry } from './tools/tool-registry.ts'
import {
  createConversation,
  type Conversation,
  type TurnChoice,
} from './transcript/conversation.ts'
import { createCallRate, resolveLimits } from './turn/limits.ts'
import type { TurnClock } from './turn/turn-clock.ts'
import type { TurnEvent } from './turn/turn-event.ts'

/** Puts many servers behind one model. Nothing is started before `start()` or the first turn. */
export function createHost(options: HostOptions): Host {
  const { model, consent, instructions, store, onEvent, timeouts = {} } = options
  const { startMs: startWaitMs = defaultStartWaitMs, stopMs } = timeouts
  const limits = resolveLimits(options.limits)
  const closing = new AbortController()
  const listeners = new Set<(event: TurnEvent) => void>()
  const clocks = new Set<TurnClock>()
  const lookAlikes = watchLookAlikes()

  const emit = (event: TurnEvent): void => {
    onEvent?.(event)
    for (const listener of listeners) listener(event)
  }
  const { elicitation, sampling } = options
  const record: RecordExchange = async (exchange) => consent.recordExchange?.(exchange)
  const elicit =
    elicitation &&
    createElicitation(
      elicitation,
      (server, message) => emit({ type: 'notice', code: 'unanswered', message, server }),
      record,
    )
  const sample =
    sampling &&
    createSampling(
      model,
      sampling,
      (server, message) => emit({ type: 'notice', code: 'sampling', message, server }),
      record,
      options.observer,
    )
  /** Changed in place: turns that run see who comes and goes. */
  const connections: ServerConnection[] = []
  const folders = createSharedRoots({
    connections,
    closed: closing.signal,
    roots: options.roots ?? [],
    excluded: options.excludedRoots ?? sensitiveFolders,
    record,
    onProblem: (server, message) => emit({ type: 'notice', code: 'warning', message, server }),
  })
  let isStarted = false

  function add(server: HostServer): ServerConnection {
    const { name } = server
    if (connections.some((candidate) => candidate.server.name === name)) {
      throw new HostError(
        'duplicate_server',
        `two servers are named ${JSON.stringify(name)}: give each its own name`,
      )
    }
    const connection = createConnection(server, () => connectOptions(server), {
      onStatus({ status }) {
        emit({ type: 'server', server: name, ...status })
        if (status.state !== 'ready') return
        void folders.record(server)
        attached.onConnected(connection)
      },
      onOffers(changed, previous) {
        for (const notice of offerNotices(changed, previous, registry)) emit(notice)
        for (const notice of lookAlikes.look(changed)) emit(notice)
      },
      onProblem(_, message) {
        emit({ type: 'notice', code: 'server', message, server: name })
      },
    })
    connections.push(connection)
    return connection
  }

  for (const server of options.servers) add(server)
  const registry = createToolRegistry(() => connections)
  const selections = createToolSelections(registry)
  const { codeMode = false } = options
  const code = createCodeMode(registry, typeof codeMode === 'object' ? codeMode : {})
  function selectionFor({ model: chosen = model, context = {} }: TurnChoice = {}) {
    const own = options.context ?? {}
    const usual = own.mode ?? (codeMode === false ? 'auto' : 'code')
    const { mode = usual, pinned = own.pinned, share = own.share } = context
    const select = mode === 'code' ? code.select : selections.select
    return select(chosen.contextTokens, { mode, pinned, share })
  }
  const results = new Map<string, number>()
  const storedResults = createStoredResults(limits.keptCharacters)
  const attached = createAttachedResources({
    connections,
    closed: closing.signal,
    readMs: limits.callIdleMs,
    onChange({ server, uri }) {
      const message = `${uri} has changed since it was attached`
      onEvent?.({ type: 'notice', code: 'resource-changed', message, server, uri })
    },
  })

  function connectOptions(server: HostServer): ConnectOptions {
    const { info } = options
    return {
      ...(info !== undefined && { info }),
      ...(options.observer && { observer: options.observer }),
      roots: folders.of(server),
      timeouts: { stopMs, ...server.connect?.timeouts },
      ...(options.apps === true && { extensions: [clientApps()] }),
      onDeprecated: () => undefined, // what a server asks for is not ours to choose
      onError: (error, { severity }) => {
        if (severity !== 'error') return
        const message = errorMessage(error)
        emit({ type: 'notice', code: 'server', message, server: server.name })
      },
      ...(elicit && {
        elicit: (request, about) => whileRequested(() => elicit(server.name, request, about)),
      }),
      ...(sample && {
        sample: (request, about) => whileRequested(() => sample(server.name, request, about)),
      }),
    }
  }

  /** An app that asks for many calls at once shows a person one question at a time. */
  function questionsOf(server: string): CallSlots {
    const slots = appQuestions.get(server) ?? createCallSlots(1)
    appQuestions.set(server, slots)
    return slots
  }

  /** The time of turns stands still meanwhile, as that of the call does. */
  function whileRequested<T>(work: () => Promise<T>): Promise<T> {
    let pendingWork = work
    for (const clock of clocks) {
      const inner = pendingWork
      pendingWork = () => clock.paused(inner)
    }
    return pendingWork()
  }

  const appQuestions = new Map<string, CallSlots>()
  const parts = {
    model,
    consent,
    connections,
    registry,
    selection: selectionFor(),
    selectionFor,
    code,
    stored: storedResults,
    attached,
    limits,
    rate: createCallRate(limits.callsPerMinute),
    slots: createCallSlots(limits.parallelCalls),
    instructions,
    startWaitMs,
    observer: options.observer,
    store,
    closed: closing.signal,
    countResult(server: string, tokens: number) {
      results.set(server, (results.get(server) ?? 0) + tokens)
    },
    follow(listener: (event: TurnEvent) => void) {
      isStarted = true
      for (const { server, status } of connections) {
        if (status.state !== 'idle') listener({ type: 'server', server: server.name, ...status })
      }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onClock(clock: TurnClock) {
      clocks.add(clock)
      return () => void clocks.delete(clock)
    },
  }
  let own: Conversation | undefined

  function find(name: string): ServerConnection {
    const found = connections.find(({ server }) => server.name === name)
    if (found !== undefined) return found
    const names = connections.map(({ server }) => server.name).join(', ')
    throw new HostError(
      'unknown_server',
      `there is no server ${JSON.stringify(name)}; there is: ${names || 'none'}`,
    )
  }

  async function close(): Promise<void> {
    closing.abort(new Error('the host was closed'))
    await code[Symbol.asyncDispose]()
    await Promise.all(connections.map((connection) => connection.stop()))
  }

  return {
    get servers() {
      return connections.map(({ server, status, features }) => ({
        name: server.name,
        status,
        ...features,
      }))
    },
    tools: registry,
    get prompts() {
      return collect(connections, ({ prompts }) => prompts)
    },
    get resources() {
      return collect(connections, ({ resources }) => resources)
    },
    get templates() {
      return collect(connections, ({ templates }) => templates)
    },
    turn: (input, turnOptions) => (own ??= createConversation(parts)).turn(input, turnOptions),
    conversation: (from) => createConversation(parts, from),
    start() {
      isStarted = true
      return startAll(connections, { waitMs: startWaitMs, signal: closing.signal })
    },
    stop: (server) => find(server).stop(),
    async restart(server) {
      const connection = find(server)
      await connection.stop()
      await connection.start()
    },
    async signIn(name, { show, signal }) {
      const connection = find(name)
      const { signIn } = connection.server
      if (signIn === undefined) throw new HostError('no_sign_in', `${name} has no sign-in`)
      await signIn({ show, signal: anySignal(signal, closing.signal) })
      await connection.stop()
      await connection.start()
    },
    async accounts() {
      const all = await Promise.all(
        connections.map(async ({ server: { name, account } }) => ({
          server: name,
          grants: (await account?.grants()) ?? [],
        })),
      )
      return all.filter(({ grants }) => grants.length > 0)
    },
    async signOut(name) {
      const connection = find(name)
      const { account } = connection.server
      if (account === undefined)
        throw new HostError(
          'no_sign_in',
          `${name} has no sign-out: pass \`account\` with the server`,
        )
      const remarks = await account.signOut(closing.signal)
      await connection.stop()
      await connection.start()
      return remarks
    },
    addServer(server) {
      closing.signal.throwIfAborted()
      const connection = add(server)
      if (isStarted && server.disabledReason === undefined) void connection.start()
    },
    async removeServer(name) {
      const connection = find(name)
      connections.splice(connections.indexOf(connection), 1)
      await connection.remove()
    },
    setRoots: (roots) => folders.replace(roots),
    callForApp: async (call) =>
      callForApp(call, {
        ...parts,
        connection: find(call.server),
        questions: questionsOf(call.server),
        onProblem: (message) =>
          emit({ type: 'notice', code: 'warning', message, server: call.server, tool: call.tool }),
      }),
    meter(choice) {
      const windowTokens = (choice?.model ?? model).contextTokens ?? defaultWindow
      const sent = offeredTools({
        connections,
        stored: storedResults,
        selection: selectionFor(choice),
      })
      return readMeter(connections, registry, sent, results, windowTokens)
    },
    async prompt(server, name, args) {
      const client = await find(server).use(closing.signal)
      const result = await client.getPrompt(name, args, { signal: closing.signal })
      return { messages: promptMessages(server, name, result, model.accepts), result }
    },
    attached: (conversation) => attached.of(conversation),
    detach: (conversation, attachment) => attached.remove(conversation, attachment),
    connection: find,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function collect<Item extends object>(
  connections: readonly ServerConnection[],
  of: (features: ServerFeatures) => readonly Item[],
): readonly FromServer<Item>[] {
  return connections.flatMap(({ server, features }) =>
    of(features).map((item) => ({ ...item, server: server.name })),
  )
}
