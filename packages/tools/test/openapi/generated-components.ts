/** Schemas in the dialect of a version: 3.0 has its own, later ones have JSON Schema. */
export function componentsFor(openapi: string) {
  const isOld = openapi.startsWith('3.0')
  const age = isOld
    ? { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true }
    : { type: ['integer', 'null'], exclusiveMinimum: 0 }
  const named = isOld ? { type: 'string', enum: ['x'] } : { const: 'x' }
  return {
    schemas: {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: animal('cat', age),
      Dog: animal('dog', age),
      Animal: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          name: { type: 'string', minLength: 1, pattern: '^\\S+$', example: 'Tom' },
          tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 9 },
          parent: { $ref: '#/components/schemas/Pet' },
          more: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Pet' } },
        },
        required: ['id', 'name'],
      },
      Tree: {
        type: 'object',
        properties: {
          label: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
        required: ['label'],
      },
      Filter: {
        type: 'object',
        properties: { name: named, not: { $ref: '#/components/schemas/Filter' } },
        additionalProperties: false,
      },
      'Names/with~odd characters': { anyOf: [{ type: 'string' }, { type: 'number' }] },
      Large: { type: 'string', enum: Array.from({ length: 2_000 }, (_, at) => `value ${at}`) },
    },
    parameters: {
      Owner: { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
      PageSize: { name: 'per_page', in: 'query', schema: { type: 'integer', maximum: 100 } },
    },
    requestBodies: {
      Tree: {
        description: 'A tree',
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
      },
    },
    responses: {
      Trees: {
        description: 'Trees',
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          },
        },
      },
      Failed: { description: 'It failed' },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'Basic' },
      headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://x.example', scopes: {} } },
      },
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
      unknownToUs: { type: 'mutualTLS' },
    },
  }
}

function animal(kind: string, age: object) {
  return {
    allOf: [
      { $ref: '#/components/schemas/Animal' },
      {
        type: 'object',
        properties: { kind: { type: 'string', enum: [kind] }, age },
        required: ['kind'],
      },
    ],
  }
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** What operations answer: described once, several times, by reference, not at all. */
export const responses: readonly object[] = [
  { 200: { description: 'Pet', ...json({ $ref: '#/components/schemas/Pet' }) } },
  {
    200: { $ref: '#/components/responses/Trees' },
    default: { $ref: '#/components/responses/Failed' },
  },
  { 204: { description: 'Nothing' } },
  {
    200: json({ $ref: '#/components/schemas/Names~1with~0odd%20characters' }),
    201: json({ type: 'object', properties: { large: { $ref: '#/components/schemas/Large' } } }),
    '2XX': json({ type: 'boolean' }),
  },
  { 200: { content: { 'text/csv': {}, 'image/png': {} } } },
]
