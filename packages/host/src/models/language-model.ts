import type { createOpenAI } from '@ai-sdk/openai'

import { compatibleFetch } from './compatible-fetch.ts'
import type { ModelAddress } from './model-name.ts'

/** The model that providers' packages return: the third version of their common interface. */
export type LanguageModel = ReturnType<ReturnType<typeof createOpenAI>['chat']>
export type LanguageModelOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = LanguageModelOptions['prompt']
export type PromptMessage = Prompt[number]
export type ProviderOptions = NonNullable<LanguageModelOptions['providerOptions']>
type Streamed = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
/** One event of an answer. */
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never

export interface ConnectionOptions {
  readonly key: string | undefined
  readonly headers: { readonly [name: string]: string } | undefined
  readonly fetch: typeof fetch | undefined
}

/** Loads the package of a provider, which takes a while: nothing loads one before a model is opened. */
export async function loadProvider(
  form: ModelAddress['form'],
): Promise<(address: ModelAddress, connection: ConnectionOptions) => LanguageModel> {
  switch (form) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return ({ id, baseUrl }, connection) =>
        createAnthropic({ baseURL: baseUrl, ...settings(connection) })(id)
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return ({ id, baseUrl }, connection) => {
        const { apiKey, ...rest } = settings(connection)
        return createOpenAICompatible({
          name: 'compatible',
          baseURL: baseUrl,
          includeUsage: true,
          ...(connection.key !== undefined && { apiKey }),
          ...rest,
          fetch: compatibleFetch(connection.fetch),
        })(id)
      }
    }
    case 'openai-chat':
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return ({ id, baseUrl }, connection) => {
        const provider = createOpenAI({ baseURL: baseUrl, ...settings(connection) })
        return form === 'openai-chat' ? provider.chat(id) : provider.responses(id)
      }
    }
  }
}

function settings({ key, headers, fetch }: ConnectionOptions) {
  return {
    // Without any, the packages would look into the environment, which is not theirs to read.
    apiKey: key ?? 'none',
    ...(headers !== undefined && { headers: { ...headers } }),
    ...(fetch !== undefined && { fetch }),
  }
}
