import { parseUrl } from '@parley/mcp/address'

import { ModelError } from './model-error.ts'

/** The provider of a model, the form of its API, and its address. */
export interface ModelAddress {
  readonly form: 'openai-chat' | 'openai-responses' | 'anthropic' | 'compatible'
  /** The name of the model at the endpoint. */
  readonly id: string
  readonly baseUrl: string
  /** Where a key is looked for. */
  readonly keyVariable: 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | undefined
  readonly needsKey: boolean
  /** The command to start if nothing listens there. */
  readonly start?: string | undefined
}

export interface ModelAddressOptions {
  readonly baseUrl?: string | undefined
  readonly api?: 'chat' | 'responses' | 'messages' | undefined
  readonly env: { readonly [name: string]: string | undefined }
}

/** Servers on this machine, with their default ports. */
export const localServers = [
  { provider: 'ollama', port: 11_434, start: 'ollama serve' },
  { provider: 'lmstudio', port: 1234, start: 'lms server start' },
  { provider: 'llamacpp', port: 8080, start: 'llama-server -m MODEL' },
  { provider: 'vllm', port: 8000, start: 'vllm serve MODEL' },
] as const

/** Reads a name such as `openai/gpt-5`. Without a provider in front, it is a model of the endpoint at `baseUrl`. */
export function resolveModelName(name: string, options: ModelAddressOptions): ModelAddress {
  const { env, api } = options
  const [provider, id] = splitName(name)
  const url = options.baseUrl
  if (provider === 'anthropic' || (provider === undefined && api === 'messages')) {
    const baseUrl = url ?? env['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com/v1'
    return {
      form: 'anthropic',
      id,
      baseUrl: anthropicBase(checkedUrl(baseUrl)),
      keyVariable: 'ANTHROPIC_API_KEY',
      needsKey: isOfficial(baseUrl),
    }
  }
  const local = localServers.find((server) => server.provider === provider)
  if (local !== undefined) {
    const baseUrl = checkedUrl(url ?? `http://127.0.0.1:${local.port}/v1`)
    return { form: 'compatible', id, baseUrl, ...optionalKey(url), start: local.start }
  }
  const baseUrl = url ?? (provider === 'openai' ? openAiUrl(env) : undefined)
  if (baseUrl === undefined) {
    throw new ModelError(
      'refused',
      `the model ${JSON.stringify(name)} has no provider: write openai/NAME, anthropic/NAME or ollama/NAME, or pass the base URL of an OpenAI-compatible endpoint`,
    )
  }
  return openAiAddress(id, checkedUrl(baseUrl), api)
}

function openAiAddress(id: string, baseUrl: string, api: ModelAddressOptions['api']): ModelAddress {
  // Other endpoints vary in what they send: the compatible reader takes more.
  const chat = isOfficial(baseUrl) ? 'openai-chat' : 'compatible'
  return {
    form: api === 'responses' ? 'openai-responses' : chat,
    id,
    baseUrl,
    keyVariable: 'OPENAI_API_KEY',
    needsKey: isOfficial(baseUrl),
  }
}

function optionalKey(baseUrl: string | undefined): Pick<ModelAddress, 'keyVariable' | 'needsKey'> {
  // Nobody named this address, so a key for somewhere else does not go there.
  return { keyVariable: baseUrl === undefined ? undefined : 'OPENAI_API_KEY', needsKey: false }
}

const providers: readonly string[] = [
  'openai',
  'anthropic',
  ...localServers.map((server) => server.provider),
]

function splitName(name: string): readonly [provider: string | undefined, id: string] {
  const slash = name.indexOf('/')
  const provider = name.slice(0, Math.max(0, slash))
  const [found, id] = providers.includes(provider)
    ? [provider, name.slice(slash + 1)]
    : [undefined, name]
  if (id.trim() !== '') return [found, id]
  throw new ModelError(
    'refused',
    `the model name ${JSON.stringify(name)} is incomplete: write PROVIDER/NAME, such as openai/gpt-5`,
  )
}

function openAiUrl(env: ModelAddressOptions['env']): string {
  return env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1'
}

function isOfficial(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'api.openai.com' || hostname === 'api.anthropic.com'
}

function checkedUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl)
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ModelError(
      'refused',
      `the base URL ${JSON.stringify(baseUrl)} is not an address: write https://HOST/v1 or http://127.0.0.1:PORT/v1`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ModelError(
      'refused',
      `the base URL of ${url.host} has a user name or password in it: pass the key instead`,
    )
  }
  return baseUrl.replace(/\/+$/, '')
}

/** Anthropic's own packages are given the origin alone. */
function anthropicBase(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/v1` : baseUrl
}
