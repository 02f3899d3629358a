import { isTranscript, type TranscriptEntry } from '@parley/host'
import { isJsonObject } from '@parley/mcp/json'
import * as v from 'valibot'

import type { ConversationStore, ConversationSummary } from './conversation-store.ts'
import { exportKind } from './export-conversation.ts'

const maxBytes = 256 * 2 ** 20
const maxEntries = 100_000

/** Adds a conversation that was exported as JSON, as a new one. Rejects with what is wrong with the file. */
export async function importConversation(
  store: ConversationStore,
  text: string,
): Promise<ConversationSummary> {
  const { title, model, entries } = readExport(text)
  const created = await store.create({ model, title })
  try {
    await store.append(created.id, entries)
  } catch (error) {
    await store.remove(created.id)
    throw error
  }
  const loaded = await store.load(created.id)
  if (loaded === undefined) throw new Error('the conversation was removed while it was imported')
  const { transcript: _, ...summary } = loaded
  return summary
}

interface Exported {
  readonly title: string
  readonly model: string
  readonly entries: readonly TranscriptEntry[]
}

function readExport(text: string): Exported {
  if (text.length > maxBytes) throw new Error(`the file has more than ${maxBytes} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('the file is not JSON: export the conversation as JSON, not as Markdown')
  }
  if (!isJsonObject(value) || value['kind'] !== exportKind) {
    throw new Error('the file is JSON, and not a conversation that Parley exported')
  }
  const { version, title, model, transcript } = value
  if (version !== 1) {
    throw new Error(`the file has version ${JSON.stringify(version)}: this Parley reads version 1`)
  }
  if (typeof title !== 'string' || typeof model !== 'string' || !isTranscript(transcript)) {
    throw new Error('the file lacks its title, model or transcript')
  }
  const { entries } = transcript
  if (entries.length > maxEntries) throw new Error(`the file has more than ${maxEntries} entries`)
  const wrong = entries.findIndex((entry) => !v.is(transcriptEntry, entry))
  if (wrong !== -1) throw new Error(`entry ${wrong + 1} of the transcript has another form`)
  return { title, model, entries }
}

const text = v.string()
const content = v.array(
  v.variant('type', [
    v.object({ type: v.literal('text'), text }),
    v.object({ type: v.picklist(['image', 'audio']), mimeType: text, data: text }),
  ]),
)
const block = v.variant('type', [
  v.object({ type: v.literal('text'), text }),
  v.object({ type: v.pipe(text, v.notValue('text')) }),
])

const message = v.variant('role', [
  v.object({ role: v.literal('system'), text }),
  v.object({ role: v.literal('user'), content }),
  v.object({
    role: v.literal('assistant'),
    text,
    calls: v.array(v.object({ id: text, name: text, argumentsText: text })),
  }),
  v.object({ role: v.literal('tool'), callId: text, name: text, content }),
])

const event = v.variant('type', [
  v.object({
    type: v.literal('call'),
    id: text,
    server: text,
    tool: text,
    arguments: v.record(text, v.unknown()),
  }),
  v.object({ type: v.literal('decision'), id: text, decision: text, rule: text }),
  v.object({ type: v.literal('result'), id: text, tool: text, content: v.array(block) }),
  v.object({ type: v.literal('notice'), code: text, message: text }),
  v.object({ type: v.literal('server'), server: text, state: text }),
  v.object({ type: v.literal('end'), reason: text, text }),
])

const place = {
  turn: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  at: v.pipe(v.number(), v.finite()),
}

/** Checks the form of what goes to a model or is shown; the rest of an event is shown as it is. */
const transcriptEntry = v.variant('kind', [
  v.object({ ...place, kind: v.literal('message'), message }),
  v.object({ ...place, kind: v.literal('event'), event }),
  v.object({
    ...place,
    kind: v.literal('flow'),
    flow: v.object({ untrusted: v.boolean(), private: v.boolean() }),
  }),
])
