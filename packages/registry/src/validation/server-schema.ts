import { compileJsonSchema } from '@parley/mcp'

/** The release of the format that documents must name in `$schema`. */
export const schemaDate = '2025-12-11'
/** What `$schema` is to be. */
export const schemaUrl = `https://static.modelcontextprotocol.io/schemas/${schemaDate}/server.schema.json`

/** The date of the release that `$schema` names; undefined if it names none. */
export function releaseOf($schema: string): string | undefined {
  return /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(\d{4}-\d{2}-\d{2})\/server\.schema\.json$/.exec(
    $schema,
  )?.[1]
}

const text = { type: 'string' } as const
const uri = { type: 'string', format: 'uri' } as const
const inputs = { type: 'object', additionalProperties: { $ref: '#/$defs/input' } } as const

/** An input, with properties of its own. */
const inputProperties = {
  description: text,
  isRequired: { type: 'boolean' },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  value: text,
  isSecret: { type: 'boolean' },
  default: text,
  placeholder: text,
  choices: { type: 'array', items: text },
} as const

/** A transport that needs a URL unless it is stdio. */
function transport(types: readonly string[]) {
  return {
    type: 'object',
    required: ['type'],
    properties: {
      type: { enum: types },
      url: { type: 'string', pattern: '^(?:https?://\\S+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}\\S*)$' },
      headers: { type: 'array', items: { $ref: '#/$defs/namedInput' } },
      variables: inputs,
    },
    if: { required: ['type'], properties: { type: { const: 'stdio' } } },
    else: { required: ['url'] },
  } as const
}

/** The shape of a `server.json`. What a schema cannot say is in the rules beside it. */
export const serverSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'server.json',
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    $schema: uri,
    name: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
    },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', minLength: 1, maxLength: 255 },
    websiteUrl: uri,
    repository: {
      type: 'object',
      required: ['url', 'source'],
      properties: { url: uri, source: text, id: text, subfolder: text },
    },
    icons: { type: 'array', items: { $ref: '#/$defs/icon' } },
    packages: { type: 'array', items: { $ref: '#/$defs/package' } },
    remotes: { type: 'array', items: transport(['streamable-http', 'sse']) },
    _meta: {
      type: 'object',
      properties: { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } },
    },
  },
  $defs: {
    icon: {
      type: 'object',
      required: ['src'],
      properties: {
        src: { type: 'string', format: 'uri', maxLength: 255 },
        mimeType: {
          enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'],
        },
        sizes: { type: 'array', items: { type: 'string', pattern: '^(?:\\d+x\\d+|any)$' } },
        theme: { enum: ['light', 'dark'] },
      },
    },
    package: {
      type: 'object',
      required: ['registryType', 'identifier', 'transport'],
      properties: {
        registryType: { type: 'string', minLength: 1 },
        registryBaseUrl: uri,
        identifier: { type: 'string', minLength: 1 },
        version: { type: 'string', minLength: 1, not: { const: 'latest' } },
        fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
        runtimeHint: text,
        transport: transport(['stdio', 'streamable-http', 'sse']),
        runtimeArguments: { type: 'array', items: { $ref: '#/$defs/argument' } },
        packageArguments: { type: 'array', items: { $ref: '#/$defs/argument' } },
        environmentVariables: { type: 'array', items: { $ref: '#/$defs/namedInput' } },
      },
    },
    input: { type: 'object', properties: inputProperties },
    namedInput: {
      type: 'object',
      required: ['name'],
      properties: { ...inputProperties, name: text, variables: inputs },
    },
    argument: {
      type: 'object',
      required: ['type'],
      properties: {
        ...inputProperties,
        type: { enum: ['positional', 'named'] },
        name: text,
        valueHint: text,
        isRepeated: { type: 'boolean' },
        variables: inputs,
      },
      allOf: [
        { if: { properties: { type: { const: 'positional' } } }, else: { required: ['name'] } },
        {
          if: { properties: { type: { const: 'named' } } },
          else: { anyOf: [{ required: ['valueHint'] }, { required: ['value'] }] },
        },
      ],
    },
  },
} as const

/** Bytes of JSON in fields that the format does not have, at any depth. `_meta` has a limit of its own. */
export function countUnknownBytes(value: unknown, schema: object = serverSchema): number {
  if (Array.isArray(value)) {
    const { items = {} } = schema as { readonly items?: object } // a schema of ours
    return value.reduce((sum: number, item) => sum + countUnknownBytes(item, resolve(items)), 0)
  }
  if (typeof value !== 'object' || value === null) return 0
  const { properties = {}, additionalProperties } = schema as {
    readonly properties?: { readonly [name: string]: object }
    readonly additionalProperties?: object
  } // a schema of ours
  return Object.entries(value).reduce((sum, [name, a]) => {
    if (schema === serverSchema && name === '_meta') return sum
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (property !== undefined) return sum + countUnknownBytes(a, resolve(property))
    return sum + Buffer.byteLength(JSON.stringify({ [name]: a }))
  }, 0)
}

function resolve(schema: object): object {
  const { $ref } = schema as { readonly $ref?: string } // a schema of ours
  return $ref === undefined
    ? schema
    : serverSchema.$defs[$ref.replace('#/$defs/', '') as keyof typeof serverSchema.$defs] // as it was written above
}

let compiled: ReturnType<typeof compileJsonSchema> | undefined

/** Something about a document that is not of the shape of the schema. */
export interface ShapeProblem {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** Where a value has not the shape of a `server.json`; of a part of one, what the rest lacks is found too. */
export function findShapeProblems(value: unknown): readonly ShapeProblem[] {
  compiled ??= compileJsonSchema(serverSchema)
  return (compiled(value) ?? []).map(({ message, path = [] }) => ({
    message,
    path: path.map((part) => (typeof part === 'object' ? part.key : part)),
  }))
}
