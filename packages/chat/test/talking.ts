import { join } from 'node:path'

import {
  type ChatOptions,
  type ChatQuestion,
  openChat,
  openConversationStore,
  type OpenedChat,
} from '@parley/chat'
import { openAuditLog } from '@parley/foundation/audit'
import type { HostServer, TurnEvent } from '@parley/host'
import { createScriptedModel, type Model, type ScriptedTurn } from '@parley/host/models'
import { onTestFinished } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'

/** How a chat of a test differs. */
export interface Talk {
  readonly script?: readonly ScriptedTurn[] | ScriptedTurn
  readonly models?: readonly Model[]
  readonly servers?: readonly HostServer[]
  /** Where it keeps everything. @defaultValue a new folder */
  readonly folder?: string
  readonly host?: Partial<ChatOptions['host']>
  readonly titles?: ChatOptions['titles']
}

/** A chat that is closed after the test, in a folder of its own. */
export async function openTalk(
  given: Talk = {},
): Promise<OpenedChat & { readonly folder: string }> {
  const { script, servers = [], folder = folderWith({}) } = given
  const models = given.models ?? [createScriptedModel(script ?? 'Hello.', { announcement: '' })]
  const audit = openAuditLog({ path: join(folder, 'audit.jsonl') })
  const conversations = openConversationStore({ file: join(folder, 'conversations.db') })
  const chat = await openChat({
    host: { servers, timeouts: { startMs: 30_000 }, ...given.host },
    consent: { audit },
    models,
    titles: given.titles,
    conversations,
  })
  onTestFinished(async () => {
    await chat[Symbol.asyncDispose]()
    await conversations[Symbol.asyncDispose]()
    await audit[Symbol.asyncDispose]()
  })
  return Object.assign(chat, { folder })
}

/** A new conversation. */
export async function begin(chat: OpenedChat): Promise<string> {
  const { id } = await chat.conversations.create({ model: chat.models[0] ?? '' })
  return id
}

/** Says something and waits for the end. What is asked meanwhile is given to `onQuestion`. */
export async function talk(
  chat: OpenedChat,
  conversation: string,
  input: Parameters<OpenedChat['say']>[1],
  onQuestion: (question: ChatQuestion) => void = () => undefined,
): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = []
  const seen = new Set<string>()
  const ended = new Promise<void>((resolve) => {
    const stop = chat.listen((told) => {
      if (told.type === 'questions') {
        for (const question of told.questions) {
          if (seen.has(question.id)) continue
          seen.add(question.id)
          queueMicrotask(() => onQuestion(question))
        }
      }
      if (told.type !== 'turn' || told.conversation !== conversation) return
      events.push(told.event)
      if (told.event.type !== 'end') return
      stop()
      resolve()
    })
  })
  chat.say(conversation, input)
  await ended
  return events
}

/** Says yes to every call. */
export function allowing(chat: OpenedChat): (question: ChatQuestion) => void {
  return (question) => {
    if (question.kind !== 'consent') return
    const answers = question.calls.map(() => ({ decision: 'allow' }) as const)
    chat.answer(question.id, { kind: 'consent', answers })
  }
}

/** Resolves with the next question of a kind, also one that waits already. */
export function inputRequestOf<Kind extends ChatQuestion['kind']>(
  chat: OpenedChat,
  kind: Kind,
): Promise<Extract<ChatQuestion, { kind: Kind }>> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const found = chat.questions.find((one) => one.kind === kind)
      if (found === undefined) return false
      resolve(found as Extract<ChatQuestion, { kind: Kind }>) // just compared
      return true
    }
    if (look()) return
    const stop = chat.listen(() => {
      if (look()) stop()
    })
  })
}
