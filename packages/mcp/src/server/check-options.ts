import type { Schema } from '../schema/standard-schema.ts'
import type { ServerOptions } from './create-server.ts'
import type { Source } from './definition.ts'
import { invalidDefinition } from './feature.ts'
import type { PromptConfig } from './prompts/prompts.ts'
import type { ResourceConfig } from './resources/resources.ts'
import type { AnyToolConfig } from './tools/tools.ts'

// For programs in JavaScript: the compiler does not find misspelt options there.

type Known<Options> = {
  readonly [Name in keyof Options]-?: 'string' | 'number' | 'boolean' | 'object' | 'function' | ''
}

const ofEveryFeature = {
  title: 'string',
  description: 'string',
  icons: 'object',
  _meta: 'object',
  visible: 'function',
  scopes: '',
} as const

const knownOptions = {
  tool: {
    ...ofEveryFeature,
    inputSchema: '',
    outputSchema: '',
    annotations: 'object',
    timeoutMs: 'number',
    coerceArguments: 'boolean',
    singleUse: 'boolean',
    restartable: 'boolean',
    task: 'string',
  } satisfies Known<AnyToolConfig>,
  resource: {
    ...ofEveryFeature,
    name: 'string',
    mimeType: 'string',
    size: 'number',
    annotations: 'object',
    cache: 'object',
    list: 'function',
    complete: 'object',
    watch: 'function',
    watchSeesAll: 'boolean',
  } satisfies Known<ResourceConfig<string>>,
  prompt: {
    ...ofEveryFeature,
    argumentsSchema: '',
    complete: 'object',
  } satisfies Known<PromptConfig<Schema>>,
  server: {
    name: 'string',
    version: 'string',
    title: 'string',
    description: 'string',
    websiteUrl: 'string',
    icons: 'object',
    instructions: 'string',
    app: 'function',
    features: 'object',
    declares: 'object',
    experimental: 'object',
    extensions: 'object',
    cache: 'object',
    invalidArguments: 'string',
    coerceArguments: 'boolean',
    pageSize: 'number',
    compileSchema: 'function',
    observer: 'object',
    onError: 'function',
    onDeprecated: 'function',
  } satisfies Known<ServerOptions>,
}

/** Throws `invalid_definition` unless name, options and handler were given. */
export function checkSource({ kind, name, config, handler }: Source): void {
  const feature = `${kind} ${JSON.stringify(name)}`
  if (typeof name !== 'string' || !isObject(config) || typeof handler !== 'function') {
    const first = kind === 'resource' ? 'uri' : 'name'
    throw invalidDefinition(feature, `write ${kind}(${first}, { … }, handler)`)
  }
  checkOptions(feature, kind, config)
}

/** Throws `invalid_definition` for unknown options, and for values of another type. */
export function checkOptions(
  feature: string,
  of: keyof typeof knownOptions,
  options: object,
): void {
  const types = new Map<string, string>(Object.entries(knownOptions[of]))
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const type = types.get(name)
    if (type === undefined) {
      throw invalidDefinition(
        feature,
        `unknown option ${name}${suggestion(name, [...types.keys()])}`,
      )
    }
    if (type !== '' && (value === null || typeof value !== type)) {
      throw invalidDefinition(feature, `${name} must be of type ${type}`)
    }
  }
}

/** Suggests the option that contains the name, in any case, or the schema for names that other SDKs use. */
function suggestion(name: string, names: readonly string[]): string {
  const part = /^(arg|input|param)/i.test(name) ? 'schema' : name.toLowerCase()
  const found = names.find((candidate) => candidate.toLowerCase().includes(part))
  return found && name.length > 3
    ? `: did you mean ${found}?`
    : `; known options: ${names.join(', ')}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
