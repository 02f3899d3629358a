import { expect, test } from 'vitest'

import { brokenCommand, brokenIds, listenBroken } from './broken-server.ts'

test('a server that keeps the rules is found without fault, as a command and over HTTP', async () => {
  await using http = await listenBroken()

  expect(await brokenIds(brokenCommand())).toEqual([])
  expect(await brokenIds(http)).toEqual([])
}, 60_000)

test.each([
  ['no-version', 'SCH-03'],
  ['id-as-text', 'BASE-09'],
  ['chatty-ping', 'PING-01'],
  ['knows-everything', 'BASE-21'],
  ['text-code', 'BASE-10'],
  ['answers-notifications', 'BASE-15'],
  ['claims-any-version', 'VER-04'],
  ['dies-of-bad-json', 'BASE-21'],
  ['serves-strangers', 'LIFE-01'],
  ['undeclared-tools', 'CAP-01'],
  ['duplicate-tool', 'TOOL-06'],
  ['bad-schema', 'TOOL-07'],
  ['unknown-tool-succeeds', 'TOOL-18'],
  ['no-argument-check', 'TOOL-20'],
  ['bad-structured', 'TOOL-09'],
  ['no-content', 'TOOL-09'],
  ['null-cursor', 'TOOL-06'],
  ['any-cursor', 'PAGE-10'],
  ['relative-uri', 'SCH-10'],
  ['unreadable-resource', 'RES-04'],
  ['wrong-code', 'PROMPT-10'],
  ['many-completions', 'COMP-04'],
  ['any-level', 'LOG-07'],
  ['noise', 'STDIO-07'],
  ['stays', 'N07-STDIO-03'],
])(
  'a command with %s breaks %s',
  async (fault, id) => {
    expect(await brokenIds(brokenCommand(fault))).toContain(id)
  },
  60_000,
)

test.each([
  ['any-origin', 'HTTP-03'],
  ['ok-for-notifications', 'HPOST-04'],
  ['html', 'HPOST-07'],
  ['guessable-session', 'HSESS-02'],
  ['session-not-required', 'HSESS-05'],
  ['session-400', 'HSESS-07'],
  ['any-version-header', 'HVER-04'],
  ['get-page', 'HGET-03'],
  ['batches', 'BASE-18'],
  ['accepts-bad-json', 'BASE-21'],
  ['modern-no-envelope-check', 'N07-ENV-03'],
  ['modern-no-ttl', 'N07-CACHE-01'],
  ['modern-no-result-type', 'N07-RES-01'],
  ['modern-no-header-check', 'N07-HDR-02'],
  ['modern-old-code', 'N07-ERR-01'],
  ['modern-always-200', 'N07-DISC-03'],
])(
  'a server over HTTP with %s breaks %s',
  async (fault, id) => {
    await using server = await listenBroken(fault)

    expect(await brokenIds(server)).toContain(id)
  },
  60_000,
)
