import { AsyncLocalStorage } from 'node:async_hooks'

import {
  createConsent,
  createHost,
  type ConsentOptions,
  type HostOptions,
  type HostServer,
  type TurnEvent,
  type TurnInput,
} from '@parley/host'
import type { Model } from '@parley/host/models'
import { errorMessage } from '@parley/mcp/json'

import type { Chat, ChatEvent, KeyRequest, SayOptions } from '../chat.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import { shortTitle } from '../store/words.ts'
import { askers } from './ask-person.ts'
import { createLiveConversations } from './live-conversations.ts'
import { withMentions } from './mentions.ts'
import { createQuestionsDesk } from './questions-desk.ts'
import { createRunningTurn, type RunningTurn } from './running-turn.ts'
import { titleByModel } from './title-by-model.ts'
import { notifyingStore } from './told-store.ts'
import { traceServers } from './trace-servers.ts'

/** The first words of a person, or the model, which is asked once after its first answer. */
export type TitleSource = 'words' | 'model'

/** What a chat is made of. */
export interface ChatOptions {
  /** Servers, limits, roots and the like. */
  readonly host: Omit<
    HostOptions,
    'model' | 'consent' | 'store' | 'onEvent' | 'elicitation' | 'sampling'
  >
  /** Rules, audit, and where answers last. */
  readonly consent: Omit<ConsentOptions, 'ask' | 'names'>
  /** The first is used unless a conversation has its own. At least one. */
  readonly models: readonly Model[]
  /** Who names a new conversation. @defaultValue 'words' */
  readonly titles?: TitleSource | undefined
  /** Stays open when the chat closes. */
  readonly conversations: ConversationStore
}

/** A chat, and what a page needs besides. */
export interface OpenedChat extends Chat {
  /** The turn that runs there now, with what was said. */
  turnOf(conversation: string): RunningTurn | undefined
  /** Conversations with a running turn. */
  readonly busy: readonly string[]
  /** One server more, which is started at once. */
  addServer(server: HostServer): void
  /** One more to pick, which is the first from now on. One of the same name is replaced. */
  addModel(model: Model): void
  /** Who names new conversations. */
  titles: TitleSource
  /** Asks for the key of a model; undefined if there is none. */
  askKey(request: KeyRequest, signal: AbortSignal): Promise<string | undefined>
}

/** Turns at the same time, over all conversations. */
const maxTurns = 16
/** How long closing waits for turns to be stored. */
const closingMs = 6_000

interface Playing {
  readonly turn: RunningTurn
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** Opens a chat: starts its servers in the background, and waits for somebody to say something. */
export async function openChat(options: ChatOptions): Promise<OpenedChat> {
  /** Changed in place: requests of servers are answered by those that are there then. */
  const models = [...options.models]
  const [first] = models
  if (first === undefined) throw new Error('a chat needs a model: pass at least one in `models`')
  const listeners = new Set<(event: ChatEvent) => void>()
  const playing = new Map<string, Playing>()
  const inConversation = new AsyncLocalStorage<string>()
  const { recorder, traced } = traceServers()
  let isClosing = false
  let titles = options.titles ?? 'words'
  const closing = new AbortController()

  const notify = (event: ChatEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const store = notifyingStore(options.conversations, (changed) =>
    notify({ type: 'conversations', changed }),
  )
  const desk = createQuestionsDesk(() => notify({ type: 'questions', questions: desk.open }))
  const person = askers(desk, {
    current: () => inConversation.getStore(),
    calling: conversationCalling,
  })
  const consent = createConsent({
    ...options.consent,
    ask: person.consent,
    names: () =>
      host.tools
        .all()
        .map(({ connection, tool }) => ({ server: connection.server.name, tool: tool.name })),
  })
  const host = createHost({
    ...options.host,
    servers: options.host.servers.map(traced),
    model: first,
    consent,
    store,
    elicitation: { ask: person.elicitation },
    sampling: {
      models,
      policy: (server) =>
        options.consent.rules?.allowsSampling(server) === true ? 'allow' : 'ask',
      review: person.sampling,
      reviewAnswer: person.samplingAnswer,
    },
    onEvent(event) {
      if (event.type !== 'notice' || event.code !== 'resource-changed') {
        return notify({ type: 'servers' })
      }
      const { server = '', uri = '' } = event
      notify({ type: 'attached', server, uri })
    },
  })
  const live = createLiveConversations(host, store, (id) => playing.has(id))

  /** The only conversation that waits for a call of this server: what it asks meanwhile belongs there. */
  function conversationCalling(server: string): string | undefined {
    const found = [...playing].filter(([, { turn }]) => hasOpenCall(turn, server))
    return found.length === 1 ? found[0]?.[0] : undefined
  }

  function say(id: string, input: TurnInput, sayOptions: SayOptions = {}): void {
    if (isClosing) throw new Error('the chat is closing')
    if (playing.has(id)) {
      throw new Error('a turn is running in this conversation: stop it, or wait for its end')
    }
    if (playing.size >= maxTurns) {
      throw new Error(`${maxTurns} turns are running: stop one, or wait for its end`)
    }
    const stop = new AbortController()
    const turn = createRunningTurn(input)
    let finish = (): void => {}
    const ended = new Promise<void>((resolve) => (finish = resolve))
    playing.set(id, { turn, stop, ended })
    void play(id, turn, sayOptions, stop.signal).finally(finish)
  }

  async function play(
    id: string,
    turn: RunningTurn,
    sayOptions: SayOptions,
    signal: AbortSignal,
  ): Promise<void> {
    let end: TurnEvent | undefined
    let named: { readonly title: string; readonly model: Model } | undefined
    try {
      const { conversation, summary } = await live.open(id)
      const model = models.find(({ name }) => name === summary.model) ?? models[0]
      const title = summary.title === '' ? titleFor(turn.input) : ''
      const isOther = model !== undefined && model.name !== summary.model
      if (isOther || title !== '') {
        const change = { ...(isOther && { model: model.name }), ...(title !== '' && { title }) }
        live.update(await store.change(id, change))
      }
      if (title !== '' && model !== undefined) named = { title, model }
      const input = withMentions(turn.input, host.tools)
      const context = sayOptions.context === undefined ? undefined : { mode: sayOptions.context }
      const events = inConversation.run(id, () =>
        conversation.turn(input, { signal, model, context }),
      )
      for await (const event of events) {
        // The end is told when the next turn may begin.
        if (event.type === 'end') end = event
        else applyEvent(id, turn, event)
      }
    } catch (error) {
      const message = errorMessage(error)
      end = { type: 'end', reason: 'model-error', text: '', message }
    }
    playing.delete(id)
    end ??= { type: 'end', reason: 'cancelled', text: '', message: 'the turn was stopped' }
    applyEvent(id, turn, end)
    // Not stored: the turn has said so. Removed meanwhile: nobody asks.
    await store.change(id, {}).then(live.update, () => undefined)
    if (named === undefined || titles !== 'model') return
    if (end.type === 'end' && end.reason === 'answered') {
      void nameByModel(id, named, end.text)
    }
  }

  /** A person who has given another title meanwhile knows better. */
  async function nameByModel(
    id: string,
    { title: said, model }: { readonly title: string; readonly model: Model },
    answered: string,
  ): Promise<void> {
    const title = await titleByModel(model, { said, answered }, closing.signal)
    if (title === undefined || isClosing) return
    const { summary } = await live.open(id)
    if (summary.title === said) live.update(await store.change(id, { title }))
  }

  function applyEvent(id: string, turn: RunningTurn, event: TurnEvent): void {
    turn.add(event)
    notify({ type: 'turn', conversation: id, event })
  }

  async function close(): Promise<void> {
    isClosing = true
    closing.abort(new Error('the chat was closed'))
    for (const { stop } of playing.values()) stop.abort(new Error('the chat was closed'))
    desk.close()
    const all = Promise.all([...playing.values()].map(({ ended }) => ended))
    const late = AbortSignal.timeout(closingMs)
    await Promise.race([
      all,
      new Promise((resolve) => late.addEventListener('abort', resolve, { once: true })),
    ])
    await host.close()
  }

  void host.start()
  return {
    host,
    conversations: {
      ...store,
      async change(id, change) {
        const summary = await store.change(id, change)
        live.update(summary)
        return summary
      },
      async remove(id) {
        playing.get(id)?.stop.abort(new Error('the conversation was removed'))
        await playing.get(id)?.ended
        live.forget(id)
        await store.remove(id)
      },
    },
    get models() {
      return models.map(({ name }) => name)
    },
    say,
    stop: (id) => playing.get(id)?.stop.abort(new Error('the turn was stopped')),
    running: (id) => playing.get(id)?.turn.events,
    turnOf: (id) => playing.get(id)?.turn,
    get busy() {
      return [...playing.keys()]
    },
    get questions() {
      return desk.open
    },
    answer: desk.answer,
    trace: recorder,
    addServer: (server) => host.addServer(traced(server)),
    addModel(model) {
      models.splice(0, models.length, model, ...models.filter(({ name }) => name !== model.name))
      notify({ type: 'servers' })
    },
    get titles() {
      return titles
    },
    set titles(source) {
      titles = source
    },
    permissions: consent,
    askKey: person.key,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    [Symbol.asyncDispose]: close,
  }
}

/** The beginning of what was said first; nothing if that was no text. */
function titleFor(input: TurnInput): string {
  if (typeof input === 'string') return shortTitle(input)
  const texts = (input.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return shortTitle(texts.at(-1) ?? '')
}

function hasOpenCall({ events }: RunningTurn, server: string): boolean {
  const ended = new Set(events.flatMap((event) => (event.type === 'result' ? [event.id] : [])))
  return events.some(
    (event) => event.type === 'call' && event.server === server && !ended.has(event.id),
  )
}
