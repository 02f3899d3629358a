import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openAuditLog } from '@parley/foundation/audit'
import { createConsent, readRules, type ProposedCall } from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run } from '../run.ts'

/** A log of three decisions and an outcome, as the host writes it. */
async function writeLog(state: string): Promise<string> {
  const path = join(state, 'audit.jsonl')
  await using audit = openAuditLog({ path })
  const read = readRules(
    {
      rules: [
        { tool: 'read', decision: 'allow' },
        { tool: 'rm', decision: 'deny' },
      ],
    },
    { file: 'rules.json' },
  )
  if (!read.ok) throw new Error('the rules are wrong')
  const consent = createConsent({ rules: read.rules, audit })
  const calls = ['read', 'rm', 'write'].map((name, at): ProposedCall => ({
    id: `c${at}`,
    server: 'fs',
    serverHash: 'h',
    tool: { name, inputSchema: { type: 'object' } },
    arguments: { path: '=1+1', token: 'abcdefgh' },
    flow: { untrusted: false, private: false },
    by: 'model',
  }))
  await consent.decide(calls, new AbortController().signal)
  const [first] = calls
  if (first !== undefined) await consent.recordOutcome(first, { outcome: 'result', durationMs: 2 })
  return path
}

test('show lists who decided what, by which rule [OBS-04]', async () => {
  const state = folderWith({})
  await writeLog(state)
  const env = { PARLEY_STATE: state }

  const { stdout } = await run(['audit', 'show'], { env })
  const denied = await run(['audit', 'show', '--decision', 'deny', '--json'], { env })
  const last = await run(['audit', 'show', '--last', '1'], { env })

  expect(stdout).toMatch(/1 +\S+ \S+ +allow +fs\/read +rule 1 \(rules\.json:3\): allow \*\/read/)
  expect(stdout).toMatch(/2 +\S+ \S+ +deny +fs\/rm +rule 2/)
  expect(stdout).toMatch(/4 +\S+ \S+ +result +fs\/read/)
  expect(
    denied.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { seq: 2, record: { tool: 'rm' } },
    { seq: 3, record: { tool: 'write', unanswered: true, arguments: { token: '••••••' } } },
  ])
  expect(last.stdout).not.toContain('fs/rm')
  expect(last.stderr).toContain('Earlier entries: 3')
})

test('verify is content with an intact log, and notices what was changed or removed', async () => {
  const state = folderWith({})
  const file = await writeLog(state)
  const env = { PARLEY_STATE: state }

  const intact = await run(['audit', 'verify'], { env })
  const [, end = ''] = /end (\d+:[0-9a-f]{64})/.exec(intact.stdout) ?? []
  const text = await readFile(file, 'utf8')

  expect(intact).toMatchObject({ code: 0 })
  expect(intact.stdout).toContain('intact: 4 entries, end 4:')
  expect((await run(['audit', 'verify', file, '--end', end])).code).toBe(0)

  await writeFile(file, text.replace('"deny"', '"allow"'))
  const changed = await run(['audit', 'verify', '--json'], { env })
  expect(changed.code).toBe(6)
  expect(JSON.parse(changed.stdout)).toMatchObject({
    isIntact: false,
    problems: [{ kind: 'changed', line: 2 }],
  })

  await writeFile(file, text.split('\n').toSpliced(1, 1).join('\n'))
  const removed = await run(['audit', 'verify'], { env })
  expect(removed.code).toBe(6)
  expect(removed.stdout).toContain('audit.jsonl:2: missing: entries 2 to 2 are gone')
})

test('export writes JSON lines, or a table in which nothing is a formula', async () => {
  const state = folderWith({})
  const file = await writeLog(state)

  const lines = await run(['audit', 'export', file, '--type', 'outcome'])
  await run(['audit', 'export', file, '--to', 'csv', '-o', 'out.csv'], { cwd: state })
  const table = await readFile(join(state, 'out.csv'), 'utf8')

  expect(JSON.parse(lines.stdout)).toMatchObject({ seq: 4, record: { outcome: 'result' } })
  const [titles = '', first = ''] = table.split('\r\n')
  expect(titles).toMatch(/^seq,at,type,call,server,tool,decision,rule/)
  expect(first).toMatch(/^1,"[^"]+","decision","c0","fs","read","allow"/)
  expect(table).not.toMatch(/(?:^|,)"?[=+@]/m)
})

test.each([
  [['audit', 'show', 'nowhere.jsonl'], 'there is no audit log at'],
  [['audit', 'show', '--since', 'yesterday'], 'is not a time'],
  [['audit', 'verify', '--end', '7'], 'is not the end of a log'],
  [['audit', 'verify', '--key-env', 'NO_SUCH_KEY'], 'NO_SUCH_KEY of --key-env is not set'],
  [['audit', 'export', '--to', 'xml'], 'Use jsonl or csv.'],
])('%j says what is wrong', async (words, said) => {
  const state = folderWith({})
  await writeLog(state)

  const { code, stderr } = await run(words, { env: { PARLEY_STATE: state }, cwd: state })

  expect(code).toBe(1)
  expect(stderr).toContain(said)
})
