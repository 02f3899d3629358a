import { json, jsonSchema } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

const referenced = defineTool(
  'schema-ref',
  {
    description: 'Takes two addresses; the schema describes an address once and refers to it.',
    inputSchema: jsonSchema<{ from: object; to: object }>({
      type: 'object',
      properties: { from: { $ref: '#/$defs/address' }, to: { $ref: '#/$defs/address' } },
      required: ['from', 'to'],
      $defs: {
        address: {
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
          required: ['city'],
        },
      },
    }),
    annotations: toolHints('reads'),
  },
  (args) => json(args),
)

const combined = defineTool(
  'schema-all-of',
  {
    description: 'Takes a name and an age; the schema has a part for each and asks for both.',
    inputSchema: jsonSchema<{ name: string; age: number }>({
      type: 'object',
      allOf: [
        { properties: { name: { type: 'string' } }, required: ['name'] },
        { properties: { age: { type: 'integer', minimum: 0 } }, required: ['age'] },
      ],
    }),
    annotations: toolHints('reads'),
  },
  (args) => json(args),
)

const alternatives = defineTool(
  'schema-one-of',
  {
    description: 'Takes an email address or a telephone number, not both; the root is a choice.',
    inputSchema: jsonSchema<{ email: string } | { phone: string }>({
      type: 'object',
      oneOf: [
        { properties: { email: { type: 'string', format: 'email' } }, required: ['email'] },
        { properties: { phone: { type: 'string' } }, required: ['phone'] },
      ],
    }),
    annotations: toolHints('reads'),
  },
  (args) => json(args),
)

const nullable = defineTool(
  'schema-nullable',
  {
    description: 'Takes a string or null, which differs from leaving it out.',
    inputSchema: z.object({ note: z.string().nullable(), label: z.string().nullish() }),
    annotations: toolHints('reads'),
  },
  (args) => json(args),
)

const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional()
  },
})

const recursive = defineTool(
  'schema-recursive',
  {
    description: 'Takes a tree; the schema of a branch is the schema itself.',
    inputSchema: tree,
    annotations: toolHints('reads'),
  },
  (args) => json(args),
)

/** One tool for each way to describe arguments that clients get wrong; each says back what it was given. */
export const schemaTools: readonly Feature[] = [
  referenced,
  combined,
  alternatives,
  nullable,
  recursive,
]
