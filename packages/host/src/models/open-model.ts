import type { JsonObject } from '@parley/mcp'
import { anySignal } from '@parley/mcp/signals'

import { abilitiesOf } from './abilities.ts'
import { replyEvents } from './answer-events.ts'
import { describeFailure } from './failure.ts'
import { loadProvider, type LanguageModel, type LanguageModelOptions } from './language-model.ts'
import { ModelError } from './model-error.ts'
import { createKeyFinder, type KeySources } from './model-key.ts'
import { resolveModelName } from './model-name.ts'
import type { Model, ModelEvent, ModelMessage, ModelOptions, ModelTool } from './model.ts'
import { promptOf, toolsOf } from './prompt.ts'
import { pause, retryDelay, type RetryOptions } from './retry.ts'
import { untilAborted } from './until-aborted.ts'

/** Which model, where, and with which key. */
export interface OpenModelOptions extends Omit<KeySources, 'env'> {
  /** `openai/NAME`, `anthropic/NAME`, `ollama/NAME`, `lmstudio/NAME`, `llamacpp/NAME`, `vllm/NAME`, or any name together with `baseUrl`. */
  readonly name: string
  /** The address of an endpoint that has `/chat/completions` under it, for example `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string | undefined
  /** The form of the requests. @defaultValue 'chat', and 'messages' for Anthropic */
  readonly api?: 'chat' | 'responses' | 'messages' | undefined
  /** @defaultValue process.env */
  readonly env?: KeySources['env'] | undefined
  /** Sent with each request. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** @defaultValue what is known of the name */
  readonly contextTokens?: number | undefined
  /** Missing members are taken from what is known of the name. @defaultValue what is known of the name */
  readonly accepts?: Model['accepts']
  /** How often and how soon a failed request is sent again. */
  readonly retry?: RetryOptions | undefined
  /** Longest time without any event of an answer. @defaultValue 600_000 */
  readonly silenceMs?: number | undefined
  /** For the provider alone, by its name: `{ anthropic: { thinking: … } }`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject } | undefined
  /** How the provider is reached. @defaultValue the global one */
  readonly fetch?: typeof fetch | undefined
}

/** A model of a provider or of an endpoint of yours. Throws `ModelError` for a name or address that cannot be right. */
export function openModel(options: OpenModelOptions): Model {
  const { name, env = process.env, retry = {}, silenceMs = 600_000 } = options
  const address = resolveModelName(name, { baseUrl: options.baseUrl, api: options.api, env })
  const abilities = abilitiesOf(address.id)
  const target = { form: address.form, accepts: { ...abilities.accepts, ...options.accepts } }
  const keys = createKeyFinder(name, address, { ...options, env })
  const loading = loadProvider(address.form)
  loading.catch(() => undefined) // the first request says it

  async function* tries(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    modelOptions: ModelOptions,
  ): AsyncGenerator<ModelEvent> {
    const { signal } = modelOptions
    const { headers, fetch } = options
    let key = await keys.find(signal)
    let hasReplacedKey = false
    for (let attempt = 1; ; attempt += 1) {
      const model = (await loading)(address, { key, headers, fetch })
      let hasBegun = false
      try {
        const call = callOptions(messages, tools, modelOptions)
        for await (const event of answerOnce(model, call, signal)) {
          hasBegun = true
          yield event
        }
        return
      } catch (thrown) {
        if (signal.aborted) return
        const failure = await describeFailure(thrown, { name, address, key })
        if (failure.error.code === 'unauthorized' && !hasReplacedKey) {
          hasReplacedKey = true
          const other = await keys.replace(key, signal)
          if (signal.aborted) return
          if (other !== undefined) {
            key = other
            continue
          }
        }
        const delayMs = hasBegun ? undefined : retryDelay(failure, attempt, retry)
        if (delayMs === undefined) throw failure.error
        modelOptions.onRetry?.({ attempt, delayMs, reason: failure.error.message })
        if (!(await pause(delayMs, signal))) return
      }
    }
  }

  /** One request. What the provider's package waits for ends with `silenceMs`. */
  async function* answerOnce(
    model: LanguageModel,
    call: Omit<LanguageModelOptions, 'abortSignal'>,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const silent = new AbortController()
    const timer = setTimeout(() => silent.abort(tooSilent(address.baseUrl, silenceMs)), silenceMs)
    try {
      const abortSignal = anySignal(signal, silent.signal)
      const { stream } = await model.doStream({ ...call, abortSignal })
      for await (const event of replyEvents(stream, address.form)) {
        timer.refresh()
        yield event
      }
    } catch (thrown) {
      throw silent.signal.aborted ? silent.signal.reason : thrown
    } finally {
      clearTimeout(timer)
      // The rest of the answer is not read.
      silent.abort()
    }
  }

  function callOptions(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    { maxTokens, temperature, stopSequences, toolChoice = 'auto' }: ModelOptions,
  ): Omit<LanguageModelOptions, 'abortSignal'> {
    const isStateless = address.form === 'openai-responses'
    return {
      prompt: promptOf(messages, target),
      ...(tools.length > 0 && { tools: toolsOf(tools), toolChoice: { type: toolChoice } }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      providerOptions: {
        ...options.providerOptions,
        // The conversation is ours to keep: the provider stores nothing, and sends its reasoning sealed.
        ...(isStateless && { openai: { store: false, ...options.providerOptions?.['openai'] } }),
      },
    }
  }

  return {
    name,
    contextTokens: options.contextTokens ?? abilities.contextTokens,
    accepts: target.accepts,
    stream: (messages, tools, modelOptions) =>
      untilAborted(modelOptions.signal, tries(messages, tools, modelOptions)),
  }
}

function tooSilent(baseUrl: string, silenceMs: number): ModelError {
  return new ModelError('unreachable', `${baseUrl} said nothing for ${silenceMs / 1000} s`)
}
