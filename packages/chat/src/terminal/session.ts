import type { Attachment, TurnEvent } from '@parley/host'
import type { ModelMessage } from '@parley/host/models'
import { errorMessage } from '@parley/mcp/json'

import type { Chat, ChatEvent, ChatQuestion } from '../chat.ts'
import type { ChatSetup } from '../core/setup.ts'
import type { ConversationSummary } from '../store/conversation-store.ts'
import { resourceLine } from './commands/attached.ts'
import type { CommandContext } from './commands/command.ts'
import { commandOf, completeLine, runCommand } from './commands/table.ts'
import { composerWith, editText, emptyComposer, moveLine, wholeText } from './composer.ts'
import { createHistory } from './history.ts'
import type { Key } from './key-reader.ts'
import { flat, line, type Line } from './line.ts'
import { questionSheet } from './sheets/question-sheet.ts'
import { firstState, type TerminalState } from './terminal-state.ts'
import { emptyThread, applyEvent, saidLines, transcriptLines } from './thread.ts'
import { welcomeLines } from './welcome.ts'

/** What a person does at a terminal, and what they see. It knows nothing of how that is drawn. */
export interface TerminalSession extends Disposable {
  readonly state: TerminalState
  /** Returns what stops listening. */
  listen(listener: () => void): () => void
  press(key: Key): void
  /** Resolves when the person leaves. */
  readonly left: Promise<void>
}

/** How a session begins. */
export interface SessionOptions {
  /** Where exported files go. */
  readonly cwd: string
  /** One to go on with. @defaultValue a new one */
  readonly conversation?: string | undefined
  /** Offers to choose servers, folders and a model. @defaultValue nothing can be added */
  readonly setup?: ChatSetup | undefined
}

const scrollLines = 8

export function createTerminalSession(
  chat: Chat,
  { cwd, conversation: first, setup }: SessionOptions,
): TerminalSession {
  const listeners = new Set<() => void>()
  const history = createHistory()
  let state = firstState(chat.models[0] ?? '')
  let conversation: string | undefined
  /** The question whose sheet is shown. */
  let question: ChatQuestion | undefined
  let attachments: readonly Attachment[] = []
  let messages: readonly ModelMessage[] = []
  let listed: readonly ConversationSummary[] = []
  const leaving = new AbortController()
  let leave = (): void => {}
  const left = new Promise<void>((resolve) => (leave = resolve))

  function set(change: Partial<TerminalState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function print(lines: readonly Line[]): void {
    if (lines.length > 0) set({ written: [...state.written, ...lines] })
  }

  function hearEvent(event: TurnEvent): void {
    const { thread, lines } = applyEvent(state.thread, event)
    const isEnd = event.type === 'end'
    set({
      thread,
      written: lines.length === 0 ? state.written : [...state.written, ...lines],
      ...(isEnd && { turn: 'none', hint: '' }),
    })
  }

  function hearChat(event: ChatEvent): void {
    switch (event.type) {
      case 'turn':
        if (event.conversation === conversation) hearEvent(event.event)
        return
      case 'questions':
        return showQuestion()
      case 'servers':
        return showServers()
      case 'attached':
        return showChange(event)
      case 'conversations':
        if (!('id' in event.changed) || event.changed.id !== conversation) return
        if (event.changed.model !== state.model) set({ model: event.changed.model })
    }
  }

  function showChange({ server, uri }: Attachment): void {
    if (conversation === undefined) return
    const all = chat.host.attached(conversation)
    const at = all.findIndex((candidate) => candidate.server === server && candidate.uri === uri)
    const item = all[at]
    if (item?.change === undefined) return
    print([resourceLine(item, at + 1), line(`/attached ${at + 1} shows how`, 'dim')])
  }

  function showServers(): void {
    const servers = chat.host.servers.map(({ name, status }) => ({ name, state: status.state }))
    set({ servers })
  }

  /** The oldest first. What is being written stays, and its keys answer nothing. */
  function showQuestion(): void {
    const { questions } = chat
    const [next] = questions
    const waiting = questions.length
    if (next?.id === question?.id) {
      if (waiting !== state.waiting) set({ waiting })
      return
    }
    question = next
    const focus = next !== undefined && state.composer.text === '' ? 'sheet' : 'composer'
    set({ sheet: next && questionSheet(next), scroll: 0, focus, waiting })
  }

  function pressSheet(key: Key): boolean {
    const { sheet } = state
    if (sheet === undefined || question === undefined || state.focus !== 'sheet') return false
    const step = sheet.press(key)
    if (step === undefined) return scroll(key)
    switch (step.kind) {
      case 'sheet':
        set({ sheet: step.sheet, scroll: step.sheet.editor === undefined ? state.scroll : 0 })
        return true
      case 'stop':
        stop()
        return true
      case 'answer': {
        const { id } = question
        question = undefined
        set({ sheet: undefined, focus: 'composer' })
        if (!chat.answer(id, step.answer)) print([line('the question was withdrawn', 'dim')])
        showQuestion()
        return true
      }
    }
  }

  function scroll(key: Key): boolean {
    const by = { 'page-up': -scrollLines, 'page-down': scrollLines, up: -1, down: 1 }
    const name = key.kind === 'key' ? key.name : ''
    if (!Object.hasOwn(by, name)) return true // letters that mean nothing are not for the composer either
    set({ scroll: Math.max(0, state.scroll + by[name as keyof typeof by]) }) // an own name of it
    return true
  }

  /** The running turn; a question that belongs to none is refused. */
  function stop(): void {
    if (conversation !== undefined && state.turn !== 'none') {
      chat.stop(conversation)
      set({ turn: 'stopping' })
    }
    if (question?.kind === 'consent' && question.conversation !== conversation) {
      const answers = question.calls.map(() => ({ decision: 'deny' }) as const)
      chat.answer(question.id, { kind: 'consent', answers })
    }
  }

  function pressControl(key: Key): boolean {
    const name = key.kind === 'key' ? key.name : ''
    if (name === 'ctrl-c') {
      if (state.isLeaving) leave()
      else if (state.turn === 'running') {
        stop()
        set({ isLeaving: true })
      } else if (state.composer.text !== '') set({ composer: emptyComposer })
      else set({ isLeaving: true, hint: 'Ctrl-C again leaves' })
      return true
    }
    if (state.isLeaving) set({ isLeaving: false, hint: '' })
    if (name === 'ctrl-d' && state.composer.text === '' && state.sheet?.editor === undefined) {
      leave()
      return true
    }
    if (name === 'tab' && state.sheet !== undefined && state.focus === 'composer') {
      set({ focus: 'sheet' })
      return true
    }
    return false
  }

  function pressComposer(key: Key): void {
    const { composer, turn } = state
    const name: string = key.kind === 'key' ? key.name : ''
    switch (name) {
      case 'enter':
        return send()
      case 'escape':
        if (turn === 'running') return stop()
        return set({ composer: emptyComposer, hint: '' })
      case 'tab': {
        const completed = completeLine(composer.text, chat.models)
        return completed === undefined ? undefined : set({ composer: composerWith(completed) })
      }
      case 'up':
      case 'down': {
        const by = name === 'up' ? -1 : 1
        const moved = moveLine(composer, by)
        if (moved !== undefined) return set({ composer: moved })
        const earlier = history.step(by, wholeText(composer))
        return earlier === undefined ? undefined : set({ composer: composerWith(earlier) })
      }
      default: {
        const next = editText(composer, key)
        if (next !== undefined) set({ composer: next, hint: '' })
      }
    }
  }

  function send(): void {
    const text = wholeText(state.composer).trim()
    if (text === '') return
    const command = commandOf(text)
    if (command !== undefined) {
      history.add(text)
      set({ composer: emptyComposer, hint: '' })
      print([line(flat(text), 'accent')])
      void runCommand(command, contextOf())
      return
    }
    if (state.turn !== 'none') {
      set({ hint: 'a turn is running: Esc stops it, or send this when it has ended' })
      return
    }
    history.add(text)
    const { composer } = state
    set({ composer: emptyComposer, turn: 'running', hint: '' })
    print(saidLines(composer.text))
    void say(text)
  }

  async function say(text: string): Promise<void> {
    const content = [{ type: 'text', text }] as const
    const input = { content, attachments, messages }
    try {
      conversation ??= (await chat.conversations.create({ model: state.model })).id
      chat.say(conversation, input, { context: state.mode })
      attachments = []
      messages = []
      set({ attached: 0 })
    } catch (error) {
      const message = errorMessage(error)
      print([line(`! ${flat(message)}`, 'bad')])
      set({
        turn: 'none',
        composer: state.composer.text === '' ? composerWith(text) : state.composer,
      })
    }
  }

  function contextOf(): CommandContext {
    return {
      chat,
      setup,
      cwd,
      signal: leaving.signal,
      conversation,
      isRunning: state.turn !== 'none',
      model: state.model,
      print,
      async setModel(model) {
        if (conversation !== undefined) await chat.conversations.change(conversation, { model })
        set({ model })
      },
      setMode: (mode) => set({ mode }),
      attach(more) {
        if (more.attachment !== undefined) attachments = [...attachments, more.attachment]
        if (more.messages !== undefined) messages = [...messages, ...more.messages]
        set({ attached: attachments.length + (messages.length > 0 ? 1 : 0) })
      },
      begin() {
        conversation = undefined
        set({ thread: emptyThread, attached: 0 })
        attachments = []
        messages = []
        print([line('A new conversation.', 'dim')])
      },
      open,
      listed,
      setListed(next) {
        listed = next
      },
      leave,
    }
  }

  async function open(id: string): Promise<void> {
    const loaded = await chat.conversations.load(id)
    if (loaded === undefined) throw new Error('the conversation no longer exists')
    conversation = id
    const running = chat.running(id)
    set({ thread: emptyThread, turn: running === undefined ? 'none' : 'running' })
    if (chat.models.includes(loaded.model)) set({ model: loaded.model })
    print([
      line(flat(loaded.title === '' ? 'untitled' : loaded.title, 200), 'bold'),
      ...transcriptLines(loaded.transcript),
    ])
    for (const event of running ?? []) hearEvent(event)
  }

  const unlisten = chat.listen(hearChat)
  print([line('Parley. /help lists what you can do here.', 'dim'), line('')])
  showServers()
  showQuestion()
  if (first !== undefined) {
    open(first).catch((error: unknown) => print([line(`! ${flat(String(error))}`, 'bad')]))
  }
  if (setup !== undefined) void welcomeLines(chat, setup).then(print)

  return {
    get state() {
      return state
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    press(key) {
      if (pressControl(key) || pressSheet(key)) return
      pressComposer(key)
    },
    left,
    [Symbol.dispose]() {
      leaving.abort(new Error('the chat was left'))
      unlisten()
    },
  }
}
