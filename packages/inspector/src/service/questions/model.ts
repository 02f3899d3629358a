import type { JsonObject } from '@parley/mcp'

import type { ModelEndpoint } from '../../protocol/index.ts'
import type { Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'

/** An endpoint that answers sampling requests. */
export interface Model {
  readonly handlers: Handlers<'model/save'>
  readonly view: ModelEndpoint | undefined
  ask(params: JsonObject, signal: AbortSignal): Promise<JsonObject>
}

/** Where the key is kept; the page never sees it. */
export interface KeyStore {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<boolean>
}

export interface ModelContext {
  readonly keys: KeyStore
  readonly saved:
    | { readonly url: string; readonly model: string; readonly hasKey: boolean }
    | undefined
  readonly onSaved: () => void
  /** A key came in: it has to be masked. */
  readonly onKey: (key: string) => void
  readonly fetch?: typeof fetch | undefined
}

/** What the key is kept under. */
export const modelKeyName = 'inspector-model'
const maxBytes = 4 * 1024 * 1024

export function createModel({
  keys,
  saved,
  onSaved,
  onKey,
  fetch: ask = fetch,
}: ModelContext): Model {
  let view: ModelEndpoint | undefined = saved

  return {
    get view() {
      return view
    },
    handlers: {
      async 'model/save'({ url, model, key }) {
        if (key !== undefined) {
          onKey(key)
          await keys.set(modelKeyName, key)
        } else if (view !== undefined && new URL(view.url).origin !== new URL(url).origin) {
          await keys.delete(modelKeyName) // a key is for the endpoint it was given for
        }
        view = { url, model, hasKey: Boolean(await keys.get(modelKeyName)) }
        onSaved()
        return view
      },
    },
    async ask(params, signal) {
      if (view === undefined) {
        throw new ProblemError('no_model', 'no model endpoint is configured', {
          hint: 'Set its address and model in the Requests tab.',
        })
      }
      const key = await keys.get(modelKeyName)
      const response = await ask(completionsUrl(view.url), {
        method: 'POST',
        signal,
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(toChat(params, view.model)),
      })
      const text = await response.text()
      if (!response.ok || text.length > maxBytes) {
        throw new ProblemError('model_failed', `the model endpoint answered ${response.status}`, {
          details: { excerpt: text.slice(0, 500) },
        })
      }
      return fromChat(JSON.parse(text), view.model)
    },
  }
}

function completionsUrl(text: string): string {
  const url = new URL(text)
  if (!url.pathname.endsWith('/chat/completions')) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`
  }
  return url.href
}

function toChat(params: JsonObject, model: string): object {
  const { systemPrompt, messages, maxTokens, temperature, stopSequences } = params
  const content = Array.isArray(messages) ? messages : []
  return {
    model,
    messages: [
      ...(typeof systemPrompt === 'string' ? [{ role: 'system', content: systemPrompt }] : []),
      ...content.map((message) => ({ role: roleOf(message), content: partsOf(message) })),
    ],
    ...(typeof maxTokens === 'number' && { max_tokens: maxTokens }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0 && { stop: stopSequences }),
  }
}

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
}

function roleOf(message: unknown): string {
  const { role } = (message ?? {}) as { readonly role?: unknown } // read, not trusted
  return role === 'assistant' ? 'assistant' : 'user'
}

function partsOf(message: unknown): unknown {
  const { content } = (message ?? {}) as { readonly content?: unknown } // read, not trusted
  const blocks = (Array.isArray(content) ? content : [content]) as readonly (Block | undefined)[] // the same
  const parts = blocks.map((block) => {
    if (block?.type === 'image') {
      return {
        type: 'image_url',
        image_url: { url: `data:${String(block.mimeType)};base64,${String(block.data)}` },
      }
    }
    return {
      type: 'text',
      text: block?.type === 'text' ? String(block.text) : JSON.stringify(block ?? null),
    }
  })
  const [only] = parts
  return parts.length === 1 && only !== undefined && 'text' in only ? only.text : parts
}

/** What an endpoint answers, as the protocol writes it. */
function fromChat(answer: unknown, model: string): JsonObject {
  const { choices, model: used } = (answer ?? {}) as { choices?: unknown; model?: unknown } // read, not trusted
  const [choice] = (Array.isArray(choices) ? choices : []) as {
    readonly message?: { readonly content?: unknown }
    readonly finish_reason?: unknown
  }[] // the same
  const text = choice?.message?.content
  if (typeof text !== 'string') {
    throw new ProblemError('model_failed', 'the model endpoint answered without a message', {
      hint: 'It must be a chat-completions endpoint.',
    })
  }
  const reason = choice?.finish_reason
  return {
    role: 'assistant',
    content: { type: 'text', text },
    model: typeof used === 'string' ? used : model,
    stopReason: reason === 'length' ? 'maxTokens' : reason === 'stop' ? 'endTurn' : 'endTurn',
  }
}
