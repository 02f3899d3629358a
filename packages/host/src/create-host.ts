import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  RequestObserver,
  Resource,
  ResourceTemplate,
} from '@parley/mcp'
import { clientApps } from '@parley/mcp/apps'
import type { ConnectOptions } from '@parley/mcp/client'
import { anySignal } from '@parley/mcp/signals'

import { createElicitation, type ElicitationSettings } from './brokers/elicitation.ts'
import type { RecordExchange } from './brokers/record-exchange.ts'
import { createSampling, type SamplingSettings } from './brokers/sampling.ts'
import { allowedRoots, sensitiveFolders } from './connections/allowed-roots.ts'
import { createConnection, type Connection } from './connections/connection.ts'
import { defaultStartWaitMs, startAll } from './connections/connections.ts'
import { failureReason } from './connections/failure-reason.ts'
import type { ServerAccount } from './connections/host-account.ts'
import type { HostServer, SignInOptions } from './connections/host-server.ts'
import type { ServerOffers } from './connections/server-offers.ts'
import type { ServerStatus } from './connections/server-status.ts'
import type { Consent } from './consent/consent.ts'
import { createAttachedResources, type AttachedResource } from './context/attached-resources.ts'
import { createKeptResults } from './context/kept-results.ts'
import { readMeter, type ContextMeter } from './context/meter.ts'
import { promptMessages } from './context/prompt-messages.ts'
import {
  createToolSelections,
  defaultWindow,
  type ContextOptions,
} from './context/tool-selection.ts'
import type { Model, ModelMessage } from './models/model.ts'
import { callForApp, type AppCall } from './tools/call-for-app.ts'
import { watchLookAlikes } from './tools/look-alike-watch.ts'
import { offerNotices } from './tools/offer-notices.ts'
import { createToolRegistry, type ToolRegistry } from './tools/tool-registry.ts'
import {
  createConversation,
  type Conversation,
  type TurnChoice,
  type TurnOptions,
} from './transcript/conversation.ts'
import type { Transcript, TranscriptStore } from './transcript/transcript.ts'
import { createCallSlots, type CallSlots } from './turn/call-slots.ts'
import { createCallRate, resolveLimits, type HostLimits } from './turn/limits.ts'
import type { TurnClock } from './turn/turn-clock.ts'
import type { TurnEvent } from './turn/turn-event.ts'
import type { Attachment, TurnInput } from './turn/turn-input.ts'

/** What a host is made of. */
export interface HostOptions {
  /** Each name once. */
  readonly servers: readonly HostServer[]
  /** The model that turns ask. */
  readonly model: Model
  /** Decides about every call; nothing is called without it. */
  readonly consent: Consent
  /** Limits of turns, calls and results; see {@link HostLimits} for each default. */
  readonly limits?: HostLimits | undefined
  /** What the model is told first. */
  readonly instructions?: string | undefined
  /** Which tools the model is told of. */
  readonly context?: ContextOptions | undefined
  /** The folders servers are told of. They guide a server; they do not confine it. */
  readonly roots?: readonly string[] | undefined
  /** Folders that no server is told of, nor of what lies within. @defaultValue those where keys are kept, such as `~/.ssh` */
  readonly excludedRoots?: readonly string[] | undefined
  /** Where transcripts are kept. @defaultValue nowhere */
  readonly store?: TranscriptStore | undefined
  /** How long the first request to the model waits for servers. @defaultValue 4_500 */
  readonly startWaitMs?: number | undefined
  /** Name and version, told to servers. */
  readonly info?: { readonly name: string; readonly version: string } | undefined
  /** Servers that change their state, and notices, also outside of turns. */
  readonly onEvent?: ((event: TurnEvent) => void) | undefined
  /** Watches every request to a server, for telemetry. */
  readonly observer?: RequestObserver | undefined
  /** Tells servers that apps are shown, whose calls go to {@link Host.callForApp}. @defaultValue false */
  readonly apps?: boolean | undefined
  /** How questions of servers are shown. Without it they learn that nobody can be asked. */
  readonly elicitation?: ElicitationSettings | undefined
  /** How requests of servers to the model are handled. Without it they learn that there is no model. */
  readonly sampling?: SamplingSettings | undefined
}

/** A server as it is now. */
export interface HostServerView extends ServerOffers {
  /** As the configuration names it. */
  readonly name: string
  /** Where it stands now. */
  readonly status: ServerStatus
}

/** Something of a server. */
export type OfServer<Item> = Item & {
  /** The name of the server it belongs to. */
  readonly server: string
}

/** Many servers for one model. */
export interface Host extends AsyncDisposable {
  /** The servers and where each stands. */
  readonly servers: readonly HostServerView[]
  /** The tools of all servers. */
  readonly tools: ToolRegistry
  /** The prompts of all servers. */
  readonly prompts: readonly OfServer<Prompt>[]
  /** The resources of all servers. */
  readonly resources: readonly OfServer<Resource>[]
  /** The URI templates of all servers. */
  readonly templates: readonly OfServer<ResourceTemplate>[]

  /** A turn of the host's own conversation. */
  turn(input: TurnInput, options?: TurnOptions): AsyncIterable<TurnEvent>
  /** A new conversation, or one that goes on from a transcript. */
  conversation(from?: Transcript): Conversation

  /** Starts every server now instead of at the first turn; resolves when each is there, has failed, or is late. */
  start(): Promise<void>
  /** Ends one server. It is started again when it is needed. */
  stop(server: string): Promise<void>
  /** Ends one server and starts it anew. Never rejects: its status tells how it went. */
  restart(server: string): Promise<void>
  /** Signs in to a server that wants it, and connects again. Rejects with the reason if that did not work. */
  signIn(server: string, options: SignInOptions): Promise<void>
  /** The servers that somebody is signed in to, and what was granted for each. */
  accounts(): Promise<readonly ServerAccount[]>
  /** Forgets the tokens of a server and connects again without them. Resolves with what an issuer did not revoke, in words. */
  signOut(server: string): Promise<readonly string[]>
  /** One server more, under a name of its own. It joins running turns; before the first turn it is not started. */
  addServer(server: HostServer): void
  /** Ends a server for good. Its tools are gone at once, and calls of it that run now fail. */
  removeServer(name: string): Promise<void>
  /** Replaces the folders that servers without their own are told of. */
  setRoots(roots: readonly string[]): Promise<void>

  /** Calls a tool for an app of the same server, once consent allows it. Rejects with the reason if it was not called. */
  callForApp(call: AppCall): Promise<CallToolResult>
  /** What servers take of the context, as estimated; for another model or mode if given. */
  meter(choice?: TurnChoice): ContextMeter
  /** The messages of a prompt, to look at and to put into a turn. */
  prompt(
    server: string,
    name: string,
    args?: { readonly [name: string]: string },
  ): Promise<{ readonly messages: readonly ModelMessage[]; readonly result: GetPromptResult }>
  /** What was attached to a conversation since the host began, and whether it has changed since; changes are told to `onEvent`. */
  attached(conversation: string): readonly AttachedResource[]
  /** Does not follow it any more. What the model was given stays in the conversation. */
  detach(conversation: string, attachment: Attachment): void
  /** The connection of a server, for what the host has no word for. */
  connection(server: string): Connection

  /** Ends every server and every turn. Disposing is the same. */
  close(): Promise<void>
}

/** Puts many servers behind one model. Nothing is started before `start()` or the first turn. */
export function createHost(options: HostOptions): Host {
  const { model, consent, instructions, store, onEvent, startWaitMs = defaultStartWaitMs } = options
  const { excludedRoots = sensitiveFolders } = options
  const limits = resolveLimits(options.limits)
  const closing = new AbortController()
  const listeners = new Set<(event: TurnEvent) => void>()
  const clocks = new Set<TurnClock>()
  const lookAlikes = watchLookAlikes()
  let roots = options.roots ?? []

  const tell = (event: TurnEvent): void => {
    onEvent?.(event)
    for (const listener of listeners) listener(event)
  }
  const { elicitation, sampling } = options
  const record: RecordExchange = async (exchange) => consent.recordExchange?.(exchange)
  const elicit =
    elicitation &&
    createElicitation(
      elicitation,
      (server, message) => tell({ type: 'notice', code: 'unanswered', message, server }),
      record,
    )
  const sample =
    sampling &&
    createSampling(
      model,
      sampling,
      (server, message) => tell({ type: 'notice', code: 'sampling', message, server }),
      record,
    )
  /** Folders are told already when this fails: it is told. */
  async function recordRoots(server: string, told: readonly string[]): Promise<void> {
    if (told.length === 0) return
    const message = `told of the folders ${told.join(', ')}`
    await record({ kind: 'roots', server, decision: 'allow', message }).catch((error: unknown) => {
      const problem = `the folders it was told of were not written to the audit: ${failureReason(error)}`
      tell({ type: 'notice', code: 'warning', message: problem, server })
    })
  }
  /** Changed in place: turns that run see who comes and goes. */
  const connections: Connection[] = []
  let isStarted = false

  function add(server: HostServer): Connection {
    const { name } = server
    if (connections.some((one) => one.server.name === name)) {
      throw new Error(`two servers are named ${JSON.stringify(name)}: give each its own name`)
    }
    const connection = createConnection(server, () => connectOptions(server), {
      onStatus({ status }) {
        tell({ type: 'server', server: name, ...status })
        if (status.state !== 'ready') return
        void recordRoots(name, rootsOf(server))
        attached.onConnected(connection)
      },
      onOffers(changed, previous) {
        for (const notice of offerNotices(changed, previous, registry)) tell(notice)
        for (const notice of lookAlikes.look(changed)) tell(notice)
      },
      onProblem(_, message) {
        tell({ type: 'notice', code: 'server', message, server: name })
      },
    })
    connections.push(connection)
    return connection
  }

  for (const server of options.servers) add(server)
  const registry = createToolRegistry(() => connections)
  const selections = createToolSelections(registry)
  function selectionFor({ model: chosen = model, context = {} }: TurnChoice = {}) {
    const own = options.context ?? {}
    const { mode = own.mode, pinned = own.pinned, share = own.share } = context
    return selections.select(chosen.contextTokens, { mode, pinned, share })
  }
  const results = new Map<string, number>()
  const kept = createKeptResults(limits.keptCharacters)
  const attached = createAttachedResources({
    connections,
    closed: closing.signal,
    readMs: limits.callIdleMs,
    onChange({ server, uri }) {
      const message = `${uri} is not the same any more as when it was attached`
      onEvent?.({ type: 'notice', code: 'resource-changed', message, server, uri })
    },
  })

  function rootsOf(server: HostServer): readonly string[] {
    return allowedRoots(server.roots ?? roots, excludedRoots)
  }

  function connectOptions(server: HostServer): ConnectOptions {
    const { info } = options
    return {
      ...(info !== undefined && { info }),
      ...(options.observer && { observer: options.observer }),
      roots: rootsOf(server),
      ...(options.apps === true && { extensions: [clientApps()] }),
      onDeprecated: () => undefined, // what a server asks for is not ours to choose
      onError: (error, { severity }) => {
        if (severity !== 'error') return
        const message = error instanceof Error ? error.message : String(error)
        tell({ type: 'notice', code: 'server', message, server: server.name })
      },
      ...(elicit && {
        elicit: (request, about) => whileAsked(() => elicit(server.name, request, about)),
      }),
      ...(sample && {
        sample: (request, about) => whileAsked(() => sample(server.name, request, about)),
      }),
    }
  }

  /** An app that asks for many calls at once shows a person one question at a time. */
  function questionsOf(server: string): CallSlots {
    const known = appQuestions.get(server) ?? createCallSlots(1)
    appQuestions.set(server, known)
    return known
  }

  /** The time of turns stands still meanwhile, as that of the call does. */
  function whileAsked<T>(work: () => Promise<T>): Promise<T> {
    let asked = work
    for (const clock of clocks) {
      const inner = asked
      asked = () => clock.paused(inner)
    }
    return asked()
  }

  const appQuestions = new Map<string, CallSlots>()
  const parts = {
    model,
    consent,
    connections,
    registry,
    selection: selectionFor(),
    selectionFor,
    kept,
    attached,
    limits,
    rate: createCallRate(limits.callsPerMinute),
    slots: createCallSlots(limits.parallelCalls),
    instructions,
    startWaitMs,
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

  function find(name: string): Connection {
    const found = connections.find(({ server }) => server.name === name)
    if (found !== undefined) return found
    const names = connections.map(({ server }) => server.name).join(', ')
    throw new Error(`there is no server ${JSON.stringify(name)}; there is: ${names || 'none'}`)
  }

  async function close(): Promise<void> {
    closing.abort(new Error('the host was closed'))
    await Promise.all(connections.map((connection) => connection.stop()))
  }

  return {
    get servers() {
      return connections.map(({ server, status, offers }) => ({
        name: server.name,
        status,
        ...offers,
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
      if (signIn === undefined) throw new Error(`${name} has no sign-in`)
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
      if (account === undefined) throw new Error(`nobody can sign out of ${name} here`)
      const remarks = await account.signOut(closing.signal)
      await connection.stop()
      await connection.start()
      return remarks
    },
    addServer(server) {
      closing.signal.throwIfAborted()
      const connection = add(server)
      if (isStarted && server.off === undefined) void connection.start()
    },
    async removeServer(name) {
      const connection = find(name)
      connections.splice(connections.indexOf(connection), 1)
      await connection.remove()
    },
    async setRoots(next) {
      roots = next
      const told = connections.flatMap(({ client, server }) =>
        client === undefined || server.roots !== undefined ? [] : [client],
      )
      await Promise.all(told.map((client) => client.setRoots(allowedRoots(roots, excludedRoots))))
      for (const { client, server } of connections) {
        if (client !== undefined && server.roots === undefined) {
          await recordRoots(server.name, rootsOf(server))
        }
      }
    },
    callForApp: async (call) =>
      callForApp(call, {
        ...parts,
        connection: find(call.server),
        questions: questionsOf(call.server),
        onProblem: (message) =>
          tell({ type: 'notice', code: 'warning', message, server: call.server, tool: call.tool }),
      }),
    meter(choice) {
      const windowTokens = (choice?.model ?? model).contextTokens ?? defaultWindow
      return readMeter(connections, registry, selectionFor(choice).tools(), results, windowTokens)
    },
    async prompt(server, name, args) {
      const client = await find(server).use(closing.signal)
      const result = await client.getPrompt(name, args, { signal: closing.signal })
      return { messages: promptMessages(server, name, result, model.takes), result }
    },
    attached: (conversation) => attached.of(conversation),
    detach: (conversation, attachment) => attached.remove(conversation, attachment),
    connection: find,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function collect<Item extends object>(
  connections: readonly Connection[],
  of: (offers: ServerOffers) => readonly Item[],
): readonly OfServer<Item>[] {
  return connections.flatMap(({ server, offers }) =>
    of(offers).map((item) => ({ ...item, server: server.name })),
  )
}
