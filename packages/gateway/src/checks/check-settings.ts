/**
 * The declaration of the sections of a gateway's file that check requests, with names, types, defaults and help, in the order in
 * which requests pass them. The reader of the file, the documentation and `parley` read this table; `read-checks.ts` makes checks of
 * the values.
 */

import { callRuleSettings } from '@parley/foundation/rules'
import {
  amount,
  choice,
  count,
  fitting,
  flag,
  list,
  number,
  oneOf,
  readAs,
  required,
  section,
  setting,
  text,
  texts,
  textTable,
} from '@parley/foundation/settings'
import * as v from 'valibot'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import { urlMistake } from './interceptors/http-interceptor.ts'

const bytes = amount(readBytes)

const rate = readAs(
  section({
    perSecond: required('Requests a second, in the long run.', number(0.001, 1_000_000), {
      example: '5',
    }),
    burst: setting('Requests at once.', number(1, 1_000_000), { default: 'as `perSecond`' }),
  }),
  ({ perSecond, burst = Math.max(1, perSecond) }) => ({ perSecond, burst }),
  ['is not a rate', 'Write {key}: { burst: 20, perSecond: 5 }.'],
)

const mode = choice(['off', 'warn', 'redact', 'refuse'])
const inCalls = oneOf(
  [
    mode,
    section({
      arguments: setting('In arguments of calls.', mode),
      results: setting('In results.', mode),
    }),
  ],
  'Use off, warn, redact, refuse, or { arguments, results }.',
)
const inDescriptions = oneOf(
  [
    mode,
    section({
      results: setting('In results.', mode),
      descriptions: setting('In descriptions of tools, prompts and resources.', mode),
    }),
  ],
  'Use off, warn, redact, refuse, or { results, descriptions }.',
)

const pinningMode = choice(['off', 'warn', 'enforce'])
const kind = choice(['tool', 'prompt', 'resource', 'resourceTemplate'])

const interceptor = fitting(
  section({
    name: setting('Its name in refusals and the audit log.', text, { default: 'its number' }),
    module: setting('A module of JavaScript, from the folder of this file.', text),
    url: setting('A service that gets each request: `https:`, or `http:` on this machine.', text),
    failMode: required(
      'What happens when it fails: `closed` refuses requests, `open` lets them through.',
      choice(['open', 'closed']),
      { example: 'closed' },
    ),
    timeout: setting('How long it may take.', amount(readDuration), { default: '5s' }),
    stages: setting(
      'When it is called: before the request is sent, after the result has come.',
      v.pipe(
        list(choice(['before', 'after']), 'before, after'),
        v.nonEmpty('is empty\nWrite stages: [before, after].'),
      ),
      { default: 'both' },
    ),
    headers: setting('Headers for the service.', textTable),
    answer: setting('The longest answer of the service.', bytes, { default: '1M' }),
  }),
  ({ module, url }) => {
    if ((module === undefined) === (url === undefined)) {
      const cure = 'Write module: ./check.mjs or url: "https://…".'
      return { what: 'needs one of module and url', cure }
    }
    const wrong = url === undefined ? undefined : urlMistake(url)
    const cure = 'Write an https address, or http://127.0.0.1:PORT/. Put credentials into headers.'
    return wrong === undefined ? undefined : { at: 'url', what: wrong, cure }
  },
)

const rule = oneOf(
  [
    text,
    fitting(
      section({
        name: setting(
          'The name of the rule in refusals and the audit log.',
          v.pipe(text, v.maxLength(100, 'is too long\nWrite 1 to 100 characters.')),
          { default: 'rule N' },
        ),
        ...callRuleSettings,
        when: setting('An expression that must be true.', text),
        decision: setting('What it means if everything fits.', choice(['allow', 'deny']), {
          default: 'allow',
        }),
      }),
      ({ server, tool, args, when }) =>
        (server ?? tool ?? args ?? when) === undefined
          ? { what: 'says nothing about calls', cure: 'Add server, tool, args or when.' }
          : undefined,
    ),
  ],
  'Write an expression, or { name, server, tool, args, when, decision }.',
)

/** The sections of a gateway's file that check requests, in the order in which requests pass them. */
export const checkSettings = {
  pinning: setting(
    'What happens to definitions of tools and prompts that are new or have changed.',
    oneOf(
      [
        pinningMode,
        section({
          mode: setting(
            '`warn` logs them, `enforce` holds them back until they are approved.',
            pinningMode,
            {
              default: 'warn',
            },
          ),
          file: setting('Where approved definitions are kept.', text, {
            default: 'parley-pins.json',
          }),
          kinds: setting('What is pinned.', list(kind, 'tool'), { default: 'tools and prompts' }),
        }),
      ],
      'Use off, warn, enforce, or { mode, file, kinds }.',
    ),
    { see: 'gateway-policy.md#pinned-tools' },
  ),
  policy: setting(
    'Rules and expressions that say which calls are allowed.',
    v.pipe(
      list(rule, '"mcp.tool.annotations.readOnlyHint"'),
      v.minLength(1, 'has no rules\nWrite policy: ["mcp.tool.annotations.readOnlyHint"].'),
      v.maxLength(500, 'has too many rules\nWrite at most 500.'),
    ),
    { see: 'gateway-policy.md#policy' },
  ),
  limits: setting(
    'How much callers may send and receive.',
    section({
      rate: setting(
        'Requests a second.',
        section({
          caller: setting('Of each caller.', rate),
          tool: setting('Of each tool, over all callers.', rate),
          upstream: setting('Of each server, over all callers.', rate),
        }),
      ),
      arguments: setting('The size of the arguments of a call, as JSON.', bytes),
      results: setting('The size of a result, as JSON.', bytes),
      concurrency: setting('Requests of one caller at once.', count(1, 100_000)),
    }),
    { see: 'gateway-policy.md#limits' },
  ),
  patterns: setting(
    'What happens to secrets, personal data and instructions to a model in messages.',
    section({
      secrets: setting('Keys and passwords.', inCalls, { default: 'warn' }),
      pii: setting('Personal data, such as card numbers.', inCalls, { default: 'off' }),
      injection: setting('Text that gives orders to a model.', inDescriptions, { default: 'warn' }),
      except: setting('Tools that are left alone, by the names that clients use.', texts),
    }),
    { see: 'gateway-policy.md#patterns' },
  ),
  interceptors: setting(
    'Your own checks: modules or services.',
    v.pipe(
      list(interceptor, '{ module: ./check.mjs, failMode: closed }'),
      v.maxLength(50, 'has too many entries\nWrite at most 50.'),
    ),
    { see: 'gateway-policy.md#interceptors' },
  ),
  audit: setting(
    'A log of each decision that cannot be changed unnoticed: a file, or an object.',
    oneOf(
      [
        text,
        section({
          file: required('The file.', text, { example: 'audit.jsonl' }),
          arguments: setting('Write the arguments of calls too.', flag, { default: false }),
          required: setting('Refuse what cannot be written down.', flag, { default: false }),
          size: setting('The size at which another file is begun.', bytes),
          files: setting('How many files are kept.', count(2, 10_000)),
          sync: setting('Wait for the disk before each answer.', flag, { default: false }),
          key: setting(
            'The key of its hashes. Without one, anyone who can write the file can forge it.',
            text,
          ),
        }),
      ],
      'Write audit: audit.jsonl, or audit: { file: audit.jsonl }.',
    ),
    { see: 'gateway-policy.md#audit' },
  ),
}

/** The names of these sections. */
export const checkNames = Object.keys(checkSettings) as readonly (keyof typeof checkSettings)[] // the keys of the table

/** What the sections say. */
export type CheckSettings = {
  readonly [Name in keyof typeof checkSettings]?: v.InferOutput<(typeof checkSettings)[Name]>
}
