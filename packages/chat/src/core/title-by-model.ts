import type { Model } from '@parley/host/models'
import { anySignal } from '@parley/mcp/signals'

import { shortTitle } from '../store/words.ts'

const instruction =
  'Write a title for this conversation: at most six words, in its language, without quotes or a full stop. Answer with the title alone.'
/** Beyond this a model is told no more: the beginning says what it is about. */
const maxRead = 2_000
const maxTokens = 400 // some models think before they write
const waitMs = 30_000

/** Asks a model what a conversation is about, once and without tools. Resolves with undefined if it gives no title. */
export async function titleByModel(
  model: Model,
  { said, answered }: { readonly said: string; readonly answered: string },
  closing: AbortSignal,
): Promise<string | undefined> {
  const signal = anySignal(closing, AbortSignal.timeout(waitMs))
  const conversation = `${said.slice(0, maxRead)}\n\n---\n\n${answered.slice(0, maxRead)}`
  const messages = [
    { role: 'system', text: instruction } as const,
    { role: 'user', content: [{ type: 'text', text: conversation }] } as const,
  ]
  let text = ''
  try {
    for await (const event of model.stream(messages, [], {
      signal,
      maxTokens,
      toolChoice: 'none',
    })) {
      if (event.type === 'text') text += event.text
    }
  } catch {
    return undefined // it has the title that it had
  }
  const title = shortTitle(text.replace(/^["“'*#\s]+|["”'*.\s]+$/g, ''))
  return title === '' ? undefined : title
}
