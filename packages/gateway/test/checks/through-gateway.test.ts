import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readAuditLog, verifyAuditLog } from '@parley/foundation/audit'
import type { JsonObject } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { readChecks } from '../../src/checks/read-checks.ts'
import { open, serveTest, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'

function notes() {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', { annotations: { readOnlyHint: true } }, () => 'some notes')
  server.tool(
    'write',
    { inputSchema: z.object({ path: z.string() }) },
    ({ path }) => `wrote ${path}`,
  )
  server.tool('wipe', {}, () => 'gone')
  server.tool('fail', { annotations: { readOnlyHint: true } }, () => {
    throw new Error('broken')
  })
  server.tool('leak', { annotations: { readOnlyHint: true } }, () => `AKIA${'ABCD'.repeat(4)}`)
  return server
}

test.each(['legacy', 'modern'] as const)(
  'lists and calls pass all checks, and the audit says so (%s)',
  async (protocolVersion) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-checks-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { checks, audit, pinning, problems } = readChecks(
      {
        policy: [
          'mcp.tool.annotations.readOnlyHint',
          'mcp.tool.name == "write" && args.path.startsWith("/srv/")',
        ],
        limits: { concurrency: 1, arguments: '1KB' },
        patterns: { secrets: 'redact' },
        pinning: 'warn',
        audit: 'audit.jsonl',
      },
      { folder },
    )
    expect(problems).toEqual([])
    await using upstream = await serveTest(notes())
    await using gateway = await startTestGateway({
      servers: { notes: { url: upstream.url.href } },
      checks,
    })
    await using client = await open(gateway, { protocolVersion })
    const call = async (name: string, given: JsonObject = {}) =>
      textOf(await client.callTool(`notes__${name}`, given))

    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual([
      'notes__read',
      'notes__write',
      'notes__fail',
      'notes__leak',
    ])
    expect(await call('read')).toBe('some notes')
    expect(await call('write', { path: '/srv/a' })).toBe('wrote /srv/a')
    expect(await call('write', { path: '/etc/passwd' })).toContain(
      'the policy refuses tools/call of "notes__write"',
    )
    expect(await call('write', { path: `/srv/${'x'.repeat(2_000)}` })).toContain(
      'more than 1024 bytes',
    )
    expect(await call('wipe')).toContain('no rule allows it')
    await call('fail')
    expect(await call('leak')).toBe('[redacted: AWS access key]')
    await pinning?.flush()
    await audit?.flush()

    const file = join(folder, 'audit.jsonl')
    const decisions: unknown[] = []
    for await (const { record } of readAuditLog(file)) {
      if (record['type'] === 'decision')
        decisions.push([record['name'], record['outcome'], record['rule']])
    }
    expect(decisions).toEqual([
      ['read', 'passed', undefined],
      ['write', 'passed', undefined],
      ['write', 'refused', 'policy: no rule allows it'],
      ['write', 'refused', 'limits: size of arguments'],
      ['wipe', 'refused', 'policy: no rule allows it'],
      ['fail', 'passed', undefined],
      ['leak', 'passed', undefined],
    ])
    expect((await verifyAuditLog(file)).isIntact).toBe(true)
    expect(pinning?.listQuarantine().map(({ name }) => name)).toContain('read')
  },
)
