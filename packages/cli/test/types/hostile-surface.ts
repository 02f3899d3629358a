import type { JsonObject, Prompt, Tool } from '@parley/mcp'

import type { Surface } from '../../src/types/surface.ts'

/** Texts that would leave a comment, a string, a member or the module. */
export const attacks = [
  '*/ import "evil" /*',
  '**//',
  '"; import "evil"; "',
  "'; import 'evil'; '",
  '`${evil()}`',
  '\\',
  '\\"; evil(); //',
  'a\nimport "evil"\n',
  'a\r\u2028import "evil"\u2029',
  '} import "evil"; interface X {',
  '\u202eevil\u2066\u0000\u001b[2J',
  '\ud800',
  '__proto__',
  'constructor',
  'new',
  'readonly',
  'get',
  '[name: string]',
  '0',
  '',
]

function pointerPart(text: string): string {
  return encodeURIComponent(
    text
      .replaceAll(/\p{Surrogate}/gu, '')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1'),
  )
}

/** A tower of objects in objects. */
const deep = Array.from({ length: 100 }).reduce<JsonObject>(
  (inner) => ({ type: 'object', properties: { inner }, required: ['inner'] }),
  { type: 'string' },
)

const members = Object.fromEntries(
  attacks.map((text) => [text, { const: text, description: text }]),
)
const schema: JsonObject = {
  type: 'object',
  properties: {
    ...members,
    values: { enum: [...attacks, { [attacks[0] ?? '']: attacks }] },
    deep,
    again: { $ref: '#/properties/again' },
    round: { allOf: [{ $ref: '#/$defs/a' }] },
    tangled: { $ref: '#/$defs/tangled' },
    named: { anyOf: attacks.map((text) => ({ $ref: `#/$defs/${pointerPart(text)}` })) },
  },
  required: attacks,
  $defs: {
    ...Object.fromEntries(
      attacks.map((text, at) => [text, { type: 'array', items: { const: at }, description: text }]),
    ),
    a: { anyOf: [{ $ref: '#/$defs/b' }] },
    b: { oneOf: [{ $ref: '#/$defs/a' }] },
    // Of itself by way of an object, and then once more without one.
    tangled: {
      properties: { knot: { $ref: '#/$defs/knot' } },
      allOf: [{ $ref: '#/$defs/knot' }],
    },
    knot: { anyOf: [{ $ref: '#/$defs/tangled' }, { type: 'array', items: { $ref: '#' } }] },
  },
}

/** Everything a server can say that ends up in a module, used against it. */
export const hostileSurface: Surface = {
  server: attacks.join(' '),
  tools: [
    ...attacks.map((name): Tool => ({ name, description: name, inputSchema: { type: 'object' } })),
    { name: 'twice', inputSchema: { type: 'object' } },
    { name: 'twice', inputSchema: { type: 'object' } },
    { name: 'long', description: '*/'.repeat(500_000), inputSchema: { type: 'object' } },
    { name: 'schema', inputSchema: schema },
  ],
  prompts: attacks.map((name): Prompt => ({
    name,
    description: name,
    arguments: [...attacks, ...attacks].map((one) => ({ name: one, description: one })),
  })),
}
