/**
 * What each method between the chat's page and its service takes, as JSON Schemas. Leaves what a method does to `service.ts`, which asks
 * here before it believes a request.
 */

import {
  createParamsCheck,
  listSchema as list,
  objectSchema as object,
} from '@parley/foundation/channel'
import type { JsonSchema } from '@parley/mcp'

import type { Methods } from '../protocol/index.ts'
import { ProblemError } from './problem.ts'

const name = { type: 'string', minLength: 1, maxLength: 300 } as const
const word = { type: 'string', maxLength: 4_000 } as const
const text = { type: 'string', maxLength: 1_000_000 } as const
const uri = { type: 'string', minLength: 1, maxLength: 16_384 } as const
const registry = { type: 'string', maxLength: 2_000, pattern: '^https?://' } as const
const anyObject = { type: 'object' } as const
const strings = { type: 'object', additionalProperties: text, maxProperties: 200 } as const

const content: JsonSchema = {
  oneOf: [
    object({ type: { const: 'text' }, text }),
    object({
      type: { enum: ['image', 'audio'] },
      mimeType: { type: 'string', pattern: '^(image|audio)/[\\w.+-]{1,80}$' },
      data: { type: 'string', maxLength: 4_000_000, pattern: '^[A-Za-z0-9+/]*={0,2}$' },
    }),
  ],
}

const message: JsonSchema = {
  oneOf: [
    object({ role: { const: 'user' }, content: list(content, 100) }),
    object({ role: { const: 'assistant' }, text, calls: list(anyObject, 0) }),
  ],
}

const input: JsonSchema = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: 1_000_000 },
    object({
      content: list(content, 100),
      'attachments?': list(object({ server: name, uri }), 50),
      'messages?': list(message, 100),
    }),
  ],
}

const consentAnswer = object({
  decision: { enum: ['allow', 'deny'] },
  'remember?': { enum: ['once', 'program', 'session', 'always'] },
  'scope?': { enum: ['tool', 'server'] },
  'arguments?': anyObject,
  'message?': word,
})

const lasting = { enum: ['once', 'session'] }

const answer: JsonSchema = {
  oneOf: [
    object({ kind: { const: 'consent' }, answers: list(consentAnswer, 200) }),
    object({
      kind: { const: 'elicitation' },
      answer: {
        oneOf: [
          object({ action: { const: 'accept' }, 'content?': anyObject }),
          object({ action: { const: 'decline' }, 'remember?': lasting }),
          object({ action: { const: 'cancel' } }),
        ],
      },
    }),
    object({
      kind: { const: 'sampling' },
      decision: {
        oneOf: [
          object({
            decision: { const: 'allow' },
            'messages?': list(anyObject, 1_000),
            'systemPrompt?': text,
            'model?': name,
            'maxTokens?': { type: 'integer', minimum: 1, maximum: 1_000_000 },
            'remember?': lasting,
          }),
          object({ decision: { const: 'deny' }, 'remember?': lasting }),
        ],
      },
    }),
    object({
      kind: { const: 'sampling-answer' },
      decision: {
        oneOf: [
          object({ decision: { const: 'release' }, 'text?': text }),
          object({ decision: { const: 'withhold' } }),
        ],
      },
    }),
    object({ kind: { const: 'key' }, 'key?': word }),
  ],
}

const choice = {
  name: word,
  version: word,
  plan: word,
  answers: strings,
  as: { ...name, pattern: '^[\\w.-]+$' },
  'registry?': registry,
}

/** What each method takes. What is not written here is not taken. */
const schemas: { readonly [M in keyof Methods]: JsonSchema } = {
  'state/get': object({}),
  'conversations/list': object({
    'search?': word,
    'before?': object({ changedAt: { type: 'number' }, id: name }),
  }),
  'conversations/create': object({ 'model?': name }),
  'conversations/open': object({ id: name }),
  'conversations/change': object({ id: name, 'title?': { ...name, minLength: 0 }, 'model?': name }),
  'conversations/remove': object({ id: name }),
  'conversations/fork': object({ id: name, turns: { type: 'integer', minimum: 0 } }),
  'conversations/revise': object({ id: name, turn: { type: 'integer', minimum: 1 } }),
  'conversations/versions': object({ id: name }),
  'conversations/export-all': object({ format: { enum: ['markdown', 'json'] } }),
  'conversations/remove-all': object({}),
  'conversations/export': object({ id: name, format: { enum: ['markdown', 'json'] } }),
  'turns/say': object({
    conversation: name,
    input,
    'mode?': { enum: ['all', 'pinned', 'search', 'auto', 'code'] },
  }),
  'turns/stop': object({ conversation: name }),
  'questions/answer': object({ id: name, answer }),
  'servers/restart': object({ name }),
  'servers/stop': object({ name }),
  'servers/remove': object({ name }),
  'servers/sign-in': object({ name }),
  'servers/sign-out': object({ name }),
  'accounts/list': object({}),
  'tools/enable': object({ server: name, tool: name, isEnabled: { type: 'boolean' } }),
  'apps/read': object({ server: name, uri }),
  'apps/call': object({ app: name, server: name, tool: name, arguments: anyObject }),
  'apps/resource': object({ server: name, uri }),
  'apps/context': object({
    conversation: name,
    server: name,
    app: uri,
    'content?': list(content, 100),
    'structuredContent?': anyObject,
  }),
  'apps/end': object({ app: name }),
  'prompts/get': object({ server: name, name, arguments: strings }),
  complete: object({
    server: name,
    reference: {
      oneOf: [
        object({ type: { const: 'ref/prompt' }, name }),
        object({ type: { const: 'ref/resource' }, uri }),
      ],
    },
    name,
    value: word,
    others: strings,
  }),
  'templates/expand': object({ template: uri, values: strings }),
  'permissions/list': object({}),
  'permissions/revoke': object({ id: name }),
  'attached/list': object({ conversation: name }),
  'attached/remove': object({ conversation: name, server: name, uri }),
  'roots/check': object({}),
  'roots/set': object({ roots: list(word, 100) }),
  'trace/page': object({
    after: { type: 'integer', minimum: 0 },
    limit: { type: 'integer', minimum: 1, maximum: 5_000 },
  }),
  'trace/clear': object({}),
  'setup/titles': object({ titles: { enum: ['words', 'model'] } }),
  'setup/servers': object({}),
  'setup/models': object({}),
  'setup/add-servers': object({
    file: word,
    servers: list(object({ name, shown: { type: 'string', maxLength: 100_000 } }), 200),
  }),
  'catalogue/search': object({ text: word, 'registry?': registry }),
  'catalogue/read': object({ name: word, version: word, 'registry?': registry }),
  'catalogue/review': object(choice),
  'catalogue/add': object({ ...choice, shown: text }),
  'setup/add-own': object({
    name: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]+$' },
    entry: {
      oneOf: [
        object({ url: { ...word, pattern: '^(https?|wss?)://' } }),
        object({ command: { ...word, minLength: 1 }, args: list(word, 200) }),
      ],
    },
  }),
  'setup/use-model': object({ name, 'baseUrl?': { ...word, pattern: '^https?://' } }),
  'setup/finish': object({}),
}

/** What keeps a page from asking for something else than it may. */
export const { isMethod, checkParams } = createParamsCheck<keyof Methods>(
  schemas,
  (wrong) => new ProblemError('invalid_params', wrong, 'Nothing was done.'),
)
