import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readAuditLog, verifyAuditLog } from '@parley/foundation/audit'
import type { Check, CheckedRequest, Rejection } from '@parley/gateway'
import type { JsonObject } from '@parley/mcp'
import { expect, onTestFinished, test } from 'vitest'

import { readChecks } from '../../src/checks/read-checks.ts'
import { callerOf, callOf, toolOf } from './requests.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-gateway-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Passes a request through checks as the gateway does. */
async function pass(
  checks: readonly Check[],
  request: CheckedRequest,
  answer?: JsonObject,
): Promise<JsonObject | Rejection | undefined> {
  const through: Check[] = []
  let current = request
  let result = answer
  try {
    for (const check of checks) {
      const changed = await check.before?.(current)
      if (changed?.['rejected'] === true) return changed
      through.push(check)
      if (changed !== undefined) current = { ...current, arguments: changed as JsonObject }
    }
    for (const check of result === undefined ? [] : checks.toReversed()) {
      const changed = await check.after?.(current, result ?? {})
      if (changed?.['rejected'] === true) return changed
      result = (changed as JsonObject | undefined) ?? result
    }
    return result
  } finally {
    for (const check of through) check.ended?.(current)
  }
}

async function recordsIn(file: string): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  for await (const { record } of readAuditLog(file)) records.push(record)
  return records
}

const secret = `ghp_${'a1B2'.repeat(9)}`

test('writes one record for each request: who, what, which rule, how large', async () => {
  const folder = temporaryFolder()
  const { checks, audit, problems } = readChecks(
    {
      audit: 'audit.jsonl',
      policy: [{ name: 'no pushes', when: 'mcp.tool.name == "push"', decision: 'deny' }],
      patterns: { secrets: { arguments: 'redact', results: 'refuse' } },
    },
    { folder },
  )
  expect(problems).toEqual([])
  const keyed = callerOf({ keyId: 'k1', client: { name: 'shell', version: '2' } })

  await pass(checks, callOf(toolOf('log'), { text: secret }, keyed), { content: [], isError: true })
  await pass(checks, callOf(toolOf('push')), { content: [] })
  await pass(checks, callOf(toolOf('read')), { content: [secret] })
  await pass(checks, callOf(toolOf('slow')))
  await audit?.[Symbol.asyncDispose]()

  const file = join(folder, 'audit.jsonl')
  const records = await recordsIn(file)
  expect(
    records.map(({ type, name, outcome, stage, rule }) => [type, name, outcome, stage, rule]),
  ).toEqual([
    ['finding', 'log', undefined, undefined, undefined],
    ['decision', 'log', 'passed', undefined, undefined],
    ['decision', 'push', 'refused', 'before', 'policy: no pushes'],
    ['finding', 'read', undefined, undefined, undefined],
    ['decision', 'read', 'refused', 'after', 'patterns: secrets in results'],
    ['decision', 'slow', 'unanswered', undefined, undefined],
  ])
  expect(records[1]).toMatchObject({
    caller: 'ada',
    withKey: 'k1',
    client: 'shell 2',
    method: 'tools/call',
    kind: 'tool',
    upstream: 'git',
    exposedName: 'git__log',
    argumentBytes: 35,
    resultBytes: 29,
    isError: true,
  })
  expect(records[1]).not.toHaveProperty('arguments')
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
  expect((await verifyAuditLog(file)).isIntact).toBe(true)
})

test('writes arguments only when asked, and then without secrets', async () => {
  const folder = temporaryFolder()
  const { checks, audit } = readChecks({ audit: { file: 'a.jsonl', arguments: true } }, { folder })
  const given = {
    path: '/srv',
    password: 'hunter2hunter2',
    url: 'https://ada:hunter2@example.com/',
  }

  await pass(checks, callOf(toolOf('login'), given), {})
  await audit?.[Symbol.asyncDispose]()

  const [record] = await recordsIn(join(folder, 'a.jsonl'))
  expect(record).toMatchObject({ arguments: { path: '/srv' } })
  expect(JSON.stringify(record)).not.toContain('hunter2')
})

test('requests at once do not mix, also when their arguments are changed', async () => {
  const folder = temporaryFolder()
  const { checks, audit } = readChecks(
    { audit: 'a.jsonl', policy: ['args.n < 50'], patterns: { secrets: 'redact' } },
    { folder },
  )

  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      pass(checks, callOf(toolOf(`tool ${n}`), { n, secret }), { content: ['x'.repeat(n)] }),
    ),
  )
  await audit?.[Symbol.asyncDispose]()

  const decisions = (await recordsIn(join(folder, 'a.jsonl'))).filter(
    ({ type }) => type === 'decision',
  )
  expect(decisions).toHaveLength(100)
  for (const { name, outcome } of decisions) {
    const n = Number(typeof name === 'string' ? name.slice(5) : Number.NaN)
    expect(outcome).toBe(n < 50 ? 'passed' : 'refused')
  }
})

test('a log that cannot be written is told, and stops requests only if it is required', async () => {
  const folder = temporaryFolder()
  symlinkSync('/dev/null', join(folder, 'a.jsonl'))
  const told: string[] = []
  const open = (required: boolean) =>
    readChecks(
      { audit: { file: 'a.jsonl', required } },
      { folder, onProblem: (text) => told.push(text) },
    )

  const optional = open(false)
  expect(await pass(optional.checks, callOf(toolOf('a')), { ok: true })).toEqual({ ok: true })
  await optional.audit?.flush()
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('is losing records')
  expect(await pass(open(true).checks, callOf(toolOf('a')), { ok: true })).toMatchObject({
    rule: 'audit: required',
  })
})

test('what is required is written before it is passed on', async () => {
  const folder = temporaryFolder()
  const { checks, audit } = readChecks({ audit: { file: 'a.jsonl', required: true } }, { folder })
  await pass(checks, callOf(toolOf('a')), {})
  await audit?.[Symbol.asyncDispose]()

  const records = await recordsIn(join(folder, 'a.jsonl'))
  expect(records.map(({ type }) => type)).toEqual(['request', 'decision'])
})

test('definitions in quarantine are written down', async () => {
  const folder = temporaryFolder()
  const { checks, audit, pinning } = readChecks({ audit: 'a.jsonl', pinning: 'warn' }, { folder })
  for (const check of checks) check.shows?.(callerOf(), toolOf('new'))
  await pinning?.flush()
  await audit?.[Symbol.asyncDispose]()

  expect(await recordsIn(join(folder, 'a.jsonl'))).toMatchObject([
    { type: 'quarantine', name: 'new', reason: 'new' },
  ])
})

test('mistakes and empty sections are told: nothing is allowed because a line was left empty', () => {
  const { problems } = readChecks({
    audit: { required: 'yes' },
    policy: null,
    limits: null,
    pinning: 5,
  })

  expect(problems.map(({ path }) => path.join('.'))).toEqual([
    'audit',
    'audit.required',
    'pinning',
    'policy',
    'limits',
  ])
  expect(readChecks({ policy: [] }).problems).toMatchObject([{ path: ['policy'] }])
})
