import { isTranscript, type TranscriptEntry } from '@parley/host'
import { isJsonObject } from '@parley/mcp/json'

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
  const wrong = entries.findIndex((entry) => !isEntry(entry))
  if (wrong !== -1) throw new Error(`entry ${wrong + 1} of the transcript has another form`)
  return { title, model, entries }
}

/** What goes to a model, or is shown, has its form; what only events hold is shown as it is. */
function isEntry(entry: unknown): entry is TranscriptEntry {
  if (!isJsonObject(entry)) return false
  const { turn, at } = entry
  const kind: unknown = entry['kind']
  if (!Number.isSafeInteger(turn) || Number(turn) < 0 || !Number.isFinite(at)) return false
  switch (kind) {
    case 'message':
      return isMessage(entry['message'])
    case 'event':
      return isEvent(entry['event'])
    case 'flow': {
      const { flow } = entry
      return (
        isJsonObject(flow) &&
        typeof flow['untrusted'] === 'boolean' &&
        typeof flow['private'] === 'boolean'
      )
    }
    default:
      return false
  }
}

function isMessage(message: unknown): boolean {
  if (!isJsonObject(message)) return false
  const { text, content, calls } = message
  const role: unknown = message['role']
  switch (role) {
    case 'system':
      return typeof text === 'string'
    case 'user':
      return isContent(content)
    case 'assistant':
      return typeof text === 'string' && Array.isArray(calls) && calls.every(isCall)
    case 'tool':
      return hasTexts(message, ['callId', 'name']) && isContent(content)
    default:
      return false
  }
}

function isContent(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  return content.every((part: unknown) => {
    if (!isJsonObject(part)) return false
    if (part['type'] === 'text') return typeof part['text'] === 'string'
    const isMedia = part['type'] === 'image' || part['type'] === 'audio'
    return isMedia && hasTexts(part, ['mimeType', 'data'])
  })
}

function isCall(call: unknown): boolean {
  return isJsonObject(call) && hasTexts(call, ['id', 'name', 'argumentsText'])
}

function isEvent(event: unknown): boolean {
  if (!isJsonObject(event)) return false
  const type: unknown = event['type']
  switch (type) {
    case 'call':
      return hasTexts(event, ['id', 'server', 'tool']) && isJsonObject(event['arguments'])
    case 'decision':
      return hasTexts(event, ['id', 'decision', 'rule'])
    case 'result': {
      const { content } = event
      return hasTexts(event, ['id', 'tool']) && Array.isArray(content) && content.every(isBlock)
    }
    case 'notice':
      return hasTexts(event, ['code', 'message'])
    case 'server':
      return hasTexts(event, ['server', 'state'])
    case 'end':
      return hasTexts(event, ['reason', 'text'])
    default:
      return false
  }
}

function isBlock(block: unknown): boolean {
  if (!isJsonObject(block) || typeof block['type'] !== 'string') return false
  return block['type'] !== 'text' || typeof block['text'] === 'string'
}

function hasTexts(value: { readonly [name: string]: unknown }, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string')
}
