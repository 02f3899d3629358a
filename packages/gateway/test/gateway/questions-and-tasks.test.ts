import { join } from 'node:path'

import { readAuditLog } from '@parley/foundation/audit'
import { createServer, type Server } from '@parley/mcp/server'
import { clientTasks, serverTasks, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { readChecks } from '../../src/checks/read-checks.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const
const secret = `AKIA${'ABCD'.repeat(4)}`

/** Leaks a secret in whatever it says but the result of a call. */
function leaky(): Server {
  const extensions = [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })]
  const server = createServer({ name: 'leaky', version: '1.0.0', extensions })
  const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  server.tool('ask', {}, async (_, { elicit }) => {
    await elicit({ message: `Is ${secret} yours?`, requestedSchema })
    return 'asked'
  })
  server.tool('ask-much', {}, async (_, { elicit }) => {
    await elicit({ message: 'x'.repeat(5_000), requestedSchema })
    return 'asked'
  })
  server.tool('render', { task: 'optional' }, async () => {
    await new Promise((resolve) => void setTimeout(resolve, 50)) // longer than `inlineMs`
    return `rendered with ${secret}`
  })
  return server
}

test.each(eras)(
  'a question in a result passes the checks like a result (server: %s)',
  async (protocolVersion) => {
    const folder = folderWith({})
    const { checks, audit } = readChecks(
      { patterns: { secrets: 'redact' }, limits: { results: '2KB' }, audit: 'audit.jsonl' },
      { folder },
    )
    await using service = await serveTest(leaky())
    await using gateway = await startTestGateway({
      servers: { one: { url: service.url.href, protocolVersion } },
      checks,
    })
    const asked: string[] = []
    await using client = await open(gateway, {
      protocolVersion: 'modern',
      elicit: ({ message }) => {
        asked.push(message)
        return { action: 'accept', content: { city: 'Oslo' } }
      },
    })

    const answered = await client.callTool('one__ask')
    const rejected = await client.callTool('one__ask-much')
    await audit?.flush()

    expect(textOf(answered)).toBe('asked')
    expect(asked).toEqual(['Is [redacted: AWS access key] yours?'])
    expect(textOf(rejected)).toContain('the result of "one__ask-much" has more than 2048 bytes')
    const sizes: unknown[] = []
    for await (const { record } of readAuditLog(join(folder, 'audit.jsonl'))) {
      if (record['type'] === 'decision')
        sizes.push([record['name'], record['outcome'], typeof record['resultBytes']])
    }
    expect(sizes).toEqual([
      ['ask', 'passed', 'number'],
      ['ask', 'passed', 'number'],
      ['ask-much', 'refused', 'undefined'],
    ])
  },
)

test.each(eras)('what comes of a task passes the checks (%s)', async (protocolVersion) => {
  const folder = folderWith({})
  const { checks, audit } = readChecks(
    { patterns: { secrets: 'redact' }, audit: 'audit.jsonl' },
    { folder },
  )
  await using service = await serveTest(leaky())
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href, protocolVersion } },
    checks,
  })
  await using client = await open(gateway, { protocolVersion, extensions: [clientTasks()] })

  const started = await startTool(client, 'one__render', {})
  if (started.kind !== 'task') throw new TypeError('it is a task')
  const result = textOf(await started.task.result())
  await audit?.flush()

  expect(result).toBe('rendered with [redacted: AWS access key]')
  const methods = new Set<string>()
  for await (const { record } of readAuditLog(join(folder, 'audit.jsonl'))) {
    if (record['type'] === 'decision')
      methods.add(JSON.stringify([record['method'], record['name']]))
  }
  expect(methods).toContain('["tools/call","render"]')
  expect([...methods].some((each) => each.startsWith('["tasks/'))).toBe(true)
})
