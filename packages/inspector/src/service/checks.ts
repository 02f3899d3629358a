import {
  createParamsCheck,
  listSchema as list,
  objectSchema as object,
} from '@parley/foundation/channel'
import type { JsonSchema } from '@parley/mcp'

import type { Methods } from '../protocol/index.ts'
import { ProblemError } from './problem.ts'

/** Short words: names, ids, cursors. */
const name = { type: 'string', minLength: 1, maxLength: 200 } as const
const text = { type: 'string', maxLength: 100_000 } as const
const word = { type: 'string', maxLength: 2000 } as const
const uri = { type: 'string', minLength: 1, maxLength: 16_384 } as const
const level = {
  enum: ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
} as const
const registry = { type: 'string', maxLength: 2000, pattern: '^https?://' } as const
const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const anyObject = { type: 'object' } as const

const strings = { type: 'object', additionalProperties: text, maxProperties: 200 }

const entry: JsonSchema = {
  oneOf: [
    object({
      'type?': { const: 'stdio' },
      command: { type: 'string', minLength: 1, maxLength: 4096, pattern: '^[^\\u0000]*$' },
      'args?': list({ ...text, pattern: '^[^\\u0000]*$' }, 500),
      'env?': strings,
      'cwd?': word,
      'inheritEnv?': { anyOf: [{ enum: ['minimal', 'all'] }, list(name, 200)] },
    }),
    object({
      'type?': { enum: ['http', 'streamable-http', 'sse', 'ws'] },
      url: { type: 'string', maxLength: 4096, pattern: '^(https?|wss?)://' },
      'headers?': strings,
    }),
  ],
}

const settings = object({
  'era?': name,
  'roots?': list(word, 100),
  'askForRoots?': { type: 'boolean' },
  'logLevel?': level,
  'requestTimeoutMs?': { type: 'number', minimum: 0, maximum: 86_400_000 },
  'connectTimeoutMs?': { type: 'number', minimum: 0, maximum: 86_400_000 },
  'pingEveryMs?': { type: 'number', minimum: 0, maximum: 86_400_000 },
  'offers?': object({
    elicitForm: { type: 'boolean' },
    elicitUrl: { type: 'boolean' },
    sampling: { type: 'boolean' },
    roots: { type: 'boolean' },
    tasks: { type: 'boolean' },
    skills: { type: 'boolean' },
    'apps?': { type: 'boolean' },
  }),
})

const answer: JsonSchema = {
  oneOf: [
    object({ action: { const: 'accept' }, 'content?': {} }),
    object({ action: { enum: ['decline', 'cancel', 'model'] } }),
    object({ action: { const: 'reply' }, result: anyObject }),
  ],
}

const rule = object({
  id: name,
  kind: { enum: ['sampling', 'elicitation', 'roots'] },
  'server?': name,
  'contains?': word,
  answer,
  enabled: { type: 'boolean' },
})

const assertion: JsonSchema = {
  oneOf: [
    object({ kind: { const: 'equals' }, pointer: word, value: {} }),
    object({ kind: { const: 'matches' }, pointer: word, pattern: word }),
    object({ kind: { const: 'schema' }, pointer: word, schema: { type: ['object', 'boolean'] } }),
    object({ kind: { const: 'latency' }, atMostMs: { type: 'number', minimum: 0 } }),
    object({ kind: { enum: ['succeeds', 'fails'] } }),
  ],
}

const collection = object({
  name,
  variables: strings,
  requests: list(
    object({
      id: name,
      title: word,
      server: name,
      method: name,
      params: anyObject,
      assertions: list(assertion, 100),
    }),
    500,
  ),
})

/** What each method takes. What is not written here is not taken. */
const schemas: { readonly [M in keyof Methods]: JsonSchema } = {
  'state/get': object({}),
  'servers/add': object({ name, entry }),
  'servers/edit': object({ name, entry }),
  'servers/clone': object({ name, as: name }),
  'config/read': object({ text: { type: 'string', maxLength: 1_000_000 }, 'name?': word }),
  'config/found': object({}),
  'config/add': object({
    from: {
      oneOf: [
        object({ text: { type: 'string', maxLength: 1_000_000 }, 'name?': word }),
        object({ file: word }),
      ],
    },
    names: list(name, 200),
    'answers?': strings,
  }),
  'catalogue/search': object({ text: word, 'registry?': registry }),
  'catalogue/read': object({ name: word, 'version?': word, 'registry?': registry }),
  'catalogue/add': object({
    name: word,
    version: word,
    plan: text,
    answers: strings,
    as: name,
    'registry?': registry,
  }),
  'servers/remove': object({ name }),
  'servers/settings': object({ name, settings }),
  'servers/confirm': object({ name, argv: list(text, 501), 'env?': strings, 'cwd?': word }),
  'servers/approve': object({
    name,
    reads: list(object({ variable: text, key: text }), 1_000),
    to: text,
  }),
  'servers/connect': object({ name }),
  'servers/disconnect': object({ name }),
  'servers/restart': object({ name }),
  'servers/warnings': object({ name }),
  'servers/profiles': object({ name }),
  'servers/card': object({ name }),
  'servers/diagnose': object({ name }),
  'runs/start': object({
    server: name,
    run: name,
    method: name,
    params: anyObject,
    'asTask?': { type: 'boolean' },
    'timeoutMs?': { type: 'number', minimum: 1, maximum: 86_400_000 },
  }),
  'runs/cancel': object({ run: name }),
  'lists/all': object({
    server: name,
    kind: { enum: ['tools', 'resources', 'templates', 'prompts'] },
  }),
  'skills/list': object({ server: name }),
  'skills/read': object({ server: name, skill: uri, file: uri }),
  'apps/read': object({ server: name, uri }),
  'apps/trace': object({
    server: name,
    frame: name,
    app: uri,
    direction: { enum: ['in', 'out'] },
    message: anyObject,
  }),
  'icons/load': object({ server: name, src: uri }),
  'resources/subscribe': object({ server: name, uri }),
  'resources/unsubscribe': object({ server: name, uri }),
  'roots/check': object({ roots: list(word, 100) }),
  'logging/level': object({ server: name, level }),
  ping: object({ server: name }),
  'tasks/cancel': object({ server: name, taskId: word }),
  'tasks/result': object({ server: name, taskId: word }),
  'questions/answer': object({ id: name, answer }),
  'rules/save': object({ rules: list(rule, 500) }),
  'model/save': object({
    url: { type: 'string', maxLength: 2000, pattern: '^https?://' },
    model: name,
    'key?': { type: 'string', maxLength: 4096 },
  }),
  'trace/page': object({ after: whole, limit: { type: 'integer', minimum: 1, maximum: 5000 } }),
  'trace/clear': object({}),
  'trace/export': object({
    format: { enum: ['jsonl', 'test'] },
    'from?': whole,
    'to?': whole,
  }),
  'trace/resend': object({ server: name, run: name, message: anyObject, 'seq?': whole }),
  'trace/copy': object({ seq: whole, as: { enum: ['curl', 'cli', 'code', 'test', 'json'] } }),
  'auth/get': object({ server: name }),
  'auth/sign-in': object({
    server: name,
    'clientId?': word,
    'clientSecret?': word,
    'scope?': word,
  }),
  'auth/sign-out': object({ server: name }),
  'auth/step-up': object({ server: name, tool: name, arguments: anyObject, 'scope?': word }),
  'auth/test': object({
    server: name,
    test: { enum: ['none', 'garbage', 'expired', 'wrong-issuer', 'wrong-audience'] },
  }),
  'bench/start': object({
    server: name,
    tool: name,
    args: anyObject,
    concurrency: { type: 'integer', minimum: 1, maximum: 1000 },
    durationMs: { type: 'number', minimum: 1, maximum: 3_600_000 },
    'rate?': { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
  }),
  'bench/stop': object({ id: name }),
  'collections/save': collection,
  'collections/remove': object({ name }),
  'collections/run': object({ name }),
  'collections/runs': object({ name }),
  'collections/export': object({ name }),
  'collections/import': object({ text: { type: 'string', maxLength: 2_000_000 } }),
  'preferences/save': { type: 'object', maxProperties: 200 },
}

/** What keeps a page from asking for something else than it may. */
export const { isMethod, checkParams } = createParamsCheck<keyof Methods>(
  schemas,
  (wrong) => new ProblemError('invalid_params', wrong, { hint: 'Nothing was done.' }),
)
