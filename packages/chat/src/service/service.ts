import { addressWarnings } from '@parley/foundation/address'
import type { JsonObject } from '@parley/mcp'
import { readApp } from '@parley/mcp/apps'
import { errorMessage } from '@parley/mcp/json'
import { expandUriTemplate } from '@parley/mcp/server'

import { beginSignIn } from '../core/begin-sign-in.ts'
import { checkFolder, folderProblems } from '../core/check-folder.ts'
import { createChatMetrics } from '../core/metrics.ts'
import type { OpenedChat } from '../core/open-chat.ts'
import type { ChatRegistry, ChatSetup } from '../core/setup.ts'
import type { Events, Methods, State } from '../protocol/index.ts'
import type { ConversationStore, ConversationSummary } from '../store/conversation-store.ts'
import { exportConversation } from '../store/export-conversation.ts'
import { createAppCalls } from './app-calls.ts'
import { createAppNotes } from './app-notes.ts'
import { checkParams, isMethod } from './checks.ts'
import { ProblemError } from './problem.ts'
import { serverViews } from './server-views.ts'
import { createTraceFeed } from './trace-feed.ts'

/** What answers the page. */
export interface ChatService extends Disposable {
  /** Checks and answers a question of the page. */
  handle(method: unknown, params: unknown): Promise<unknown>
  /** Counts of tools and prompts, in the JSON form of OpenTelemetry. */
  metrics(): object
}

/** What the service is made of. */
export interface ChatServiceContext {
  readonly chat: OpenedChat
  /** Without it nothing can be added in the page. */
  readonly setup?: ChatSetup | undefined
  readonly version: string
  /** Of the app sandbox. */
  readonly sandboxPort?: number | undefined
  readonly folder: string
  /** What servers are told of at first. */
  readonly roots: readonly string[]
  readonly emit: <E extends keyof Events>(event: E, data: Events[E]) => void
}

type Handlers = {
  readonly [M in keyof Methods]: (
    params: Methods[M]['params'],
  ) => Methods[M]['result'] | Promise<Methods[M]['result']>
}

const nothing = {}
/** How often at most the list of servers is sent. */
const serversEveryMs = 100
/** How long a server may take for the page of an app. */
const appMs = 30_000
/** How long a server may take to complete a word. */
const completionMs = 5_000

/** Stands between a chat and its pages. */
export function createChatService(parts: ChatServiceContext): ChatService {
  const { chat, setup, version, folder, emit } = parts
  const { host, conversations } = chat
  let roots = parts.roots
  let serversTimer: NodeJS.Timeout | undefined
  /** Sign-ins that wait for somebody, by server. */
  const signIns = new Map<string, AbortController>()
  const appCalls = createAppCalls()
  const appNotes = createAppNotes()
  const metrics = createChatMetrics(chat)
  const feed = createTraceFeed(chat.trace, (records) => emit('trace/records', { records }))

  const stopListening = chat.listen((event) => {
    switch (event.type) {
      case 'turn':
        return emit('turn/event', {
          conversation: event.conversation,
          event: event.event,
          at: Date.now(),
        })
      case 'questions':
        return emit('questions/changed', { questions: event.questions })
      case 'conversations':
        return emit('conversations/changed', { changed: event.changed })
      case 'attached':
        return emit('attached/changed', { server: event.server, uri: event.uri })
      case 'servers':
        serversTimer ??= setTimeout(notifyServers, serversEveryMs)
    }
  })

  function notifyServers(): void {
    serversTimer = undefined
    const servers = serverViews(host)
    emit('servers/changed', { servers, models: chat.models, meter: host.meter() })
  }

  function requireSetup(): ChatSetup {
    if (setup !== undefined) return setup
    throw new ProblemError('not_here', 'nothing can be added in this page')
  }

  function requireRegistry(): ChatRegistry {
    const { registry } = requireSetup()
    if (registry !== undefined) return registry
    throw new ProblemError('not_here', 'no registry can be browsed in this page')
  }

  const handlers: Handlers = {
    async 'state/get'(): Promise<State> {
      return {
        version,
        models: chat.models,
        servers: serverViews(host),
        questions: chat.questions,
        conversations: await conversations.list(),
        busy: chat.busy,
        meter: host.meter(),
        roots,
        isFirstRun: (await setup?.isFirstRun()) === true,
        canSetUp: setup !== undefined,
        titles: chat.titles,
        canBrowse: setup?.registry !== undefined,
        canAddCustom: setup?.canAddCustom === true,
        folder,
        sandboxPort: parts.sandboxPort,
      }
    },

    'conversations/list': (options) => conversations.list(options),
    'conversations/create': ({ model = chat.models[0] ?? '' }) =>
      conversations.create({ model, title: '' }),
    async 'conversations/open'({ id }) {
      // Before it is loaded: a turn that ends meanwhile is in one of both, or in both.
      const turn = chat.turnOf(id)
      const loaded = await conversations.load(id)
      if (loaded === undefined) throw new ProblemError('not_found', 'this conversation is gone')
      const { transcript, ...summary } = loaded
      const running = turn && { ...turn, events: [...turn.events] }
      return { summary, entries: transcript.entries, ...(running && { running }) }
    },
    'conversations/change': ({ id, title, model }) => {
      const change = {
        ...(title !== undefined && { title }),
        ...(model !== undefined && { model }),
      }
      return conversations.change(id, change)
    },
    async 'conversations/remove'({ id }) {
      await conversations.remove(id)
      return nothing
    },
    'conversations/fork': ({ id, turns }) => conversations.fork(id, turns),
    'conversations/revise': ({ id, turn }) => conversations.revise(id, turn),
    'conversations/versions': ({ id }) => conversations.versions(id),
    async 'conversations/export-all'({ format }) {
      const texts: string[] = []
      for await (const { id } of everyConversation(conversations)) {
        const loaded = await conversations.load(id)
        if (loaded !== undefined) texts.push(exportConversation(loaded, format))
      }
      return format === 'json'
        ? { name: 'chats.json', text: `[\n${texts.map((text) => text.trim()).join(',\n')}\n]\n` }
        : { name: 'chats.md', text: texts.join('\n\n---\n\n') }
    },
    async 'conversations/remove-all'() {
      for await (const { id } of everyConversation(conversations)) {
        chat.stop(id)
        await conversations.remove(id)
      }
      return nothing
    },
    async 'conversations/export'({ id, format }) {
      const loaded = await conversations.load(id)
      if (loaded === undefined) throw new ProblemError('not_found', 'this conversation is gone')
      const words = loaded.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
      const name = `${words.slice(0, 60) || 'conversation'}.${format === 'markdown' ? 'md' : 'json'}`
      return { name, text: exportConversation(loaded, format) }
    },

    'turns/say'({ conversation, input, mode }) {
      const apps = appNotes.of(conversation)
      const received =
        typeof input === 'string' ? { content: [{ type: 'text', text: input }] as const } : input
      chat.say(conversation, apps.length === 0 ? input : { ...received, apps }, { context: mode })
      appNotes.clear(conversation)
      const startedAt = chat.turnOf(conversation)?.startedAt ?? Date.now()
      emit('turn/begun', { conversation, input, startedAt })
      return nothing
    },
    'turns/stop'({ conversation }) {
      chat.stop(conversation)
      return nothing
    },
    'questions/answer': ({ id, answer }) => ({ isUsed: chat.answer(id, answer) }),

    'servers/restart'({ name }) {
      host.connection(name) // throws if there is none
      void host.restart(name)
      return nothing
    },
    async 'servers/stop'({ name }) {
      await host.stop(name)
      return nothing
    },
    async 'servers/remove'({ name }) {
      await requireSetup().removeServer(name)
      notifyServers()
      return nothing
    },
    async 'servers/sign-in'({ name }) {
      signIns.get(name)?.abort(new Error('another sign-in was begun'))
      const signIn = new AbortController()
      signIns.set(name, signIn)
      const { url, ended } = await beginSignIn(host, name, signIn.signal)
      void ended.then((error) => {
        if (signIns.get(name) !== signIn) return
        signIns.delete(name)
        emit('servers/signed-in', { name, ...(error !== undefined && { error }) })
      })
      return { url: url.href, host: url.host, warnings: addressWarnings(url.href) }
    },
    'servers/sign-out': async ({ name }) => ({ remarks: await host.signOut(name) }),
    'accounts/list': () => host.accounts(),
    'tools/enable'({ server, tool, isEnabled }) {
      host.tools.setEnabled(server, tool, isEnabled)
      notifyServers()
      return nothing
    },
    async 'apps/read'({ server, uri }) {
      const signal = AbortSignal.timeout(appMs)
      return readApp(await host.connection(server).use(signal), uri, { signal })
    },
    async 'apps/call'({ app, server, tool, arguments: args }) {
      const signal = appCalls.begin(app)
      try {
        const call = { server, tool, arguments: args as JsonObject, signal } // came as JSON
        return { ...(await host.callForApp(call)) }
      } finally {
        appCalls.finish(app)
      }
    },
    async 'apps/resource'({ server, uri }) {
      const signal = AbortSignal.timeout(appMs)
      const client = await host.connection(server).use(signal)
      return { ...(await client.readResource(uri, { signal })) }
    },
    'apps/context'({ conversation, server, app, content, structuredContent }) {
      host.connection(server) // throws if there is none
      const structured = structuredContent as JsonObject | undefined // came as JSON
      appNotes.set(conversation, app, { server, content, structuredContent: structured })
      return nothing
    },
    'apps/end'({ app }) {
      appCalls.end(app)
      return nothing
    },
    async 'prompts/get'({ server, name, arguments: args }) {
      const { messages, result } = await host.prompt(server, name, args)
      metrics.countPrompt(server, name)
      return { messages, shown: result.messages }
    },
    async complete({ server, reference, name, value, others }) {
      const signal = AbortSignal.timeout(completionMs)
      const client = await host.connection(server).use(signal)
      const nonEmpty = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''))
      const found = await client.complete(reference, { name, value }, { signal, known: nonEmpty })
      const { values, hasMore = false } = found
      return { values: values.slice(0, 100), hasMore }
    },
    'templates/expand': ({ template, values }) => ({
      uri: expandUriTemplate(template, values),
    }),
    async 'permissions/list'() {
      const answers = await chat.permissions.answers()
      return answers.map(({ id, decision, server, tool, duration, at }) => ({
        id,
        decision,
        server,
        ...(tool !== undefined && { tool: tool.name }),
        duration,
        at,
      }))
    },
    async 'permissions/revoke'({ id }) {
      await chat.permissions.revoke(id)
      return nothing
    },
    'attached/list': ({ conversation }) => host.attached(conversation),
    'attached/remove'({ conversation, server, uri }) {
      host.detach(conversation, { server, uri })
      return host.attached(conversation)
    },
    'roots/check': () => folderProblems(roots),
    async 'roots/set'({ roots: next }) {
      const fresh = next.filter((root) => !roots.includes(root))
      await Promise.all(fresh.map(checkFolder)).catch((error: unknown) => {
        throw new ProblemError('no_folder', errorMessage(error))
      })
      roots = next
      if (setup === undefined) await host.setRoots(next)
      else await setup.setRoots(next)
      return { roots }
    },

    'trace/page': ({ after, limit }) => ({
      records: feed.page(after, limit),
      first: chat.trace.first,
      last: chat.trace.last,
    }),
    'trace/clear'() {
      chat.trace.clear()
      return nothing
    },

    async 'setup/titles'({ titles }) {
      await requireSetup().setTitles(titles)
      return nothing
    },
    'setup/servers': () => requireSetup().findServers(),
    'setup/models': () => requireSetup().findModels(),
    async 'setup/add-servers'({ file, servers }) {
      await requireSetup().addServers(file, servers)
      notifyServers()
      return nothing
    },
    'catalogue/search': ({ text, registry }) => requireRegistry().search(text, registry),
    'catalogue/read': (params) =>
      requireRegistry().read(params.name, params.version, params.registry),
    'catalogue/review': (choice) => requireRegistry().review(choice),
    async 'catalogue/add'({ shown, ...choice }) {
      await requireRegistry().add(choice, shown)
      notifyServers()
      return nothing
    },
    async 'setup/add-own'({ name, entry }) {
      await requireSetup().addCustom(name, entry)
      notifyServers()
      return nothing
    },
    async 'setup/use-model'({ name, baseUrl }) {
      await requireSetup().useModel(name, baseUrl)
      return { models: chat.models }
    },
    async 'setup/finish'() {
      await requireSetup().finish()
      return nothing
    },
  }

  return {
    async handle(method, params) {
      if (!isMethod(method))
        throw new ProblemError('no_method', `there is no method ${String(method)}`)
      checkParams(method, params)
      const handler = handlers[method] as (params: unknown) => unknown // checked by the schema of this method
      return handler(params)
    },
    metrics: metrics.read,
    [Symbol.dispose]() {
      for (const signIn of signIns.values()) signIn.abort(new Error('the page was closed'))
      stopListening()
      metrics[Symbol.dispose]()
      feed[Symbol.dispose]()
      clearTimeout(serversTimer)
    },
  }
}

/** Every conversation, newest first, some at a time. */
async function* everyConversation(
  conversations: ConversationStore,
): AsyncGenerator<ConversationSummary> {
  let before: { changedAt: number; id: string } | undefined
  for (;;) {
    const page = await conversations.list({ before, limit: 200 })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    before = { changedAt: last.changedAt, id: last.id }
  }
}
