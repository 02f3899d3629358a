import { expect, test } from 'vitest'

import { brokenCommand, brokenIds, listenBroken } from './broken-server.ts'

test('a server that keeps the rules is found without fault, as a command and over HTTP', async () => {
  await using http = await listenBroken()

  expect(await brokenIds(brokenCommand())).toEqual([])
  expect(await brokenIds(http)).toEqual([])
})

/** Faults that do not hide one another, with what each breaks. */
type Faults = { readonly [fault: string]: string | readonly string[] }

const ofCommands: readonly Faults[] = [
  {
    'no-version': 'SCH-03',
    'id-as-text': 'BASE-09',
    'answers-notifications': ['BASE-15', 'CANC-12'],
    'claims-any-version': 'VER-04',
    'dies-of-bad-json': 'BASE-21',
    'serves-strangers': 'LIFE-01',
    'duplicate-tool': 'TOOL-06',
    'unknown-tool-succeeds': 'TOOL-18',
    'no-argument-check': 'TOOL-20',
    'bad-structured': 'TOOL-09',
    'dies-of-depth': 'BASE-03',
  },
  {
    'chatty-ping': 'PING-01',
    'null-cursor': 'TOOL-06',
    'any-cursor': 'PAGE-10',
    'relative-uri': 'SCH-10',
    'unreadable-resource': 'RES-04',
    'wrong-code': 'PROMPT-10',
    'many-completions': 'COMP-04',
    'any-level': 'LOG-07',
    noise: 'STDIO-07',
    stays: 'N07-STDIO-03',
    'null-id': 'BASE-06',
    'dies-of-length': 'BASE-03',
  },
  {
    'knows-everything': ['BASE-21', 'N07-DISC-03'],
    'bad-schema': 'TOOL-07',
    'no-content': 'TOOL-09',
    'any-params': 'BASE-16',
    'answers-cancelled': 'CANC-12',
    'any-arguments': 'TOOL-20',
    'falling-progress': 'PROG-04',
    shuffled: 'N07-TOOL-01',
  },
  { 'no-text': 'TOOL-15', 'foreign-progress': 'PROG-04', 'no-subscriptions': 'RES-07' },
  { 'undeclared-tools': 'CAP-01' },
  { 'no-ping': 'PING-01' },
]

test.each(ofCommands)(
  'a command with these faults breaks these rules and no other: %j',
  async (problems) => {
    const broken = await brokenIds(brokenCommand(...Object.keys(problems)))

    expect([...broken].toSorted()).toEqual(Object.values(problems).flat().toSorted())
  },
)

test('errors whose code is a text are seen wherever one is', async () => {
  expect(await brokenIds(brokenCommand('text-code'))).toContain('BASE-10')
})

const overHttp: readonly Faults[] = [
  {
    'any-origin': 'HTTP-03',
    'ok-for-notifications': 'HPOST-04',
    'guessable-session': 'HSESS-02',
    'session-not-required': 'HSESS-05',
    'any-version-header': 'HVER-04',
    'get-page': 'HGET-03',
    batches: 'BASE-18',
    'accepts-bad-json': 'BASE-21',
    'modern-no-ttl': 'N07-CACHE-01',
    'modern-old-code': 'N07-ERR-01',
  },
  {
    'any-host': 'HTTP-03',
    html: 'HPOST-07',
    'session-400': 'HSESS-07',
    'modern-no-result-type': 'N07-RES-01',
    'modern-no-header-check': 'N07-HDR-02',
  },
]

test.each(overHttp)(
  'a server over HTTP with these faults breaks these rules and no other: %j',
  async (problems) => {
    await using server = await listenBroken(...Object.keys(problems))

    const broken = await brokenIds(server)

    expect([...broken].toSorted()).toEqual(Object.values(problems).flat().toSorted())
  },
)

test.each([
  ['modern-no-envelope-check', 'N07-ENV-03'],
  ['modern-always-200', 'N07-DISC-03'],
])('a server over HTTP with %s breaks %s', async (fault, id) => {
  await using server = await listenBroken(fault)

  expect(await brokenIds(server)).toContain(id)
})
