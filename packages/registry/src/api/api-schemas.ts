import { serverSchema } from '../validation/server-schema.ts'

const text = { type: 'string' } as const
const time = { type: 'string', format: 'date-time' } as const
const truth = { type: 'boolean' } as const
const whole = { type: 'integer' } as const
const texts = { type: 'array', items: text } as const
const some = { type: 'object' } as const

/** A schema by its name among the components. */
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const list = (items: object) => ({ type: 'array', items })

/** Required unless the name ends with a question mark. More may be there. */
function object(properties: { readonly [name: string]: object }): object {
  const names = Object.keys(properties)
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace('?', ''), schema]),
    ),
  }
}

/** The parts of a `server.json`, as components: what they refer to lies beside them. */
function documentSchemas(): { readonly [name: string]: unknown } {
  const { $defs: parts, $schema: _, ...document } = serverSchema
  const named = Object.entries({ ...parts, document })
  const all = Object.fromEntries(named.map(([name, schema]) => [componentOf(name), schema]))
  const moved = JSON.stringify(all).replaceAll(
    /#\/\$defs\/(\w+)/g,
    (_match, name: string) => ref(componentOf(name)).$ref,
  )
  return JSON.parse(moved) as { readonly [name: string]: unknown } // an object, as it was made
}

const componentOf = (name: string) => `Server${name[0]?.toUpperCase()}${name.slice(1)}`

/** What several operations have in common. */
export const components: { readonly [name: string]: unknown } = {
  ...documentSchemas(),
  OfficialMetadata: object({
    status: ref('ServerStatus'),
    'statusMessage?': text,
    statusChangedAt: time,
    publishedAt: time,
    updatedAt: time,
    isLatest: truth,
  }),
  ServerStatus: { enum: ['active', 'deprecated', 'deleted'] },
  ServerResponse: object({
    server: ref('ServerDocument'),
    _meta: {
      type: 'object',
      properties: { 'io.modelcontextprotocol.registry/official': ref('OfficialMetadata') },
    },
  }),
  ServerList: object({
    servers: list(ref('ServerResponse')),
    metadata: object({ count: whole, 'nextCursor?': text }),
  }),
  ToolDifference: object({
    added: texts,
    removed: texts,
    changed: list(object({ name: text, fields: texts })),
  }),
  Problem: object({
    title: text,
    status: whole,
    detail: text,
    error: text,
    'errors?': list(object({ message: text, 'location?': text })),
  }),
}

/** What operations take as their body, by method and path. */
export const bodies: { readonly [operation: string]: object } = {
  'POST publish': ref('ServerDocument'),
  'POST validate': {},
  'PUT servers/{serverName}/versions/{version}': ref('ServerDocument'),
  'PATCH servers/{serverName}/versions/{version}/status': object({
    status: ref('ServerStatus'),
    'statusMessage?': { type: 'string', maxLength: 500 },
  }),
  'PATCH servers/{serverName}/status': object({
    status: ref('ServerStatus'),
    'statusMessage?': { type: 'string', maxLength: 500 },
  }),
  'POST x/snapshots': object({ name: text, 'version?': text, tools: list(some) }),
  'POST x/rename': object({ from: text, to: text }),
  'POST x/moderation': object({ action: text }),
  'POST x/report': object({ name: text, 'version?': text, kind: text, 'text?': text }),
}

/** What operations answer with when they succeed, by method and path. */
export const answers: { readonly [operation: string]: object } = {
  'GET servers': ref('ServerList'),
  'GET servers/{serverName}/versions': ref('ServerList'),
  'GET servers/{serverName}/versions/{version}': ref('ServerResponse'),
  'POST publish': ref('ServerResponse'),
  'PUT servers/{serverName}/versions/{version}': ref('ServerResponse'),
  'DELETE servers/{serverName}/versions/{version}': ref('ServerResponse'),
  'PATCH servers/{serverName}/versions/{version}/status': ref('ServerResponse'),
  'PATCH servers/{serverName}/status': object({
    updatedCount: whole,
    servers: list(ref('ServerResponse')),
  }),
  'POST validate': object({
    valid: truth,
    issues: list(
      object({
        type: { enum: ['json', 'schema', 'semantic', 'linter'] },
        path: text,
        message: text,
        severity: { enum: ['error', 'warning', 'info'] },
        reference: text,
      }),
    ),
  }),
  'POST auth/{method}': object({ registry_token: text, expires_at: whole }),
  'GET health': object({ status: text, 'github_client_id?': text }),
  'GET ping': object({ pong: truth }),
  'GET version': object({ version: text, git_commit: text, build_time: text }),
  'GET x/search': object({
    servers: list(ref('ServerResponse')),
    facets: { type: 'object', additionalProperties: list(object({ value: text, count: whole })) },
    metadata: object({ count: whole, total: whole, hasMore: truth }),
  }),
  'GET x/suggest': object({ suggestions: list(object({ name: text, 'title?': text })) }),
  'GET x/changes': object({
    changes: list(ref('ServerResponse')),
    metadata: object({ count: whole, nextCursor: text }),
  }),
  'GET x/config': object({
    name: text,
    version: text,
    client: text,
    status: ref('ServerStatus'),
    'statusMessage?': text,
    options: list(object({ title: text, questions: list(object({ id: text })), file: text })),
  }),
  'GET x/index': object({
    format: text,
    at: time,
    sequence: whole,
    count: whole,
    digest: text,
    keyId: text,
    signature: text,
    entries: list({ type: 'array', items: text, minItems: 4, maxItems: 4 }),
  }),
  'GET x/trust': object({
    name: text,
    version: text,
    publisher: text,
    publishedAt: time,
    flags: texts,
    checks: list(some),
    'snapshot?': object({ hash: text, tools: list(some), author: text, at: time }),
    'since?': text,
    'difference?': ref('ToolDifference'),
  }),
  'POST x/snapshots': object({
    name: text,
    version: text,
    hash: text,
    'difference?': ref('ToolDifference'),
  }),
  'GET x/moderation': object({
    rules: list(object({ kind: text, pattern: text, reason: text, author: text, at: time })),
    notes: list(object({ name: text, text, author: text, at: time })),
    reports: list(object({ name: text, version: text, kind: text, text, author: text, at: time })),
    flagged: list(ref('ServerResponse')),
  }),
  'POST x/moderation': object({ 'changed?': whole, 'noted?': truth, 'dismissed?': whole }),
  'POST x/report': object({ reported: truth }),
  'POST x/rename': ref('ServerResponse'),
  'GET x/session': object({
    isKnown: truth,
    permissions: list(object({ action: text, resource: text })),
  }),
}
