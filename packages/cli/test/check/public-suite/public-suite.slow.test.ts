import { execPath, versions } from 'node:process'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../../test-support/temporary-folder.ts'
import { guarded } from '../../guarded.ts'
import { startEverything, startOfficialEverything } from '../../http-server.ts'
import { repositoryFile, run } from '../../run.ts'
import { howToGetIt, node22 } from './node-22.ts'

const suite = ['check', '--suite', 'public']
const mcp = repositoryFile('packages/mcp/dist/entry/server.js')
/** A tool that the suite calls, and that answers with something else than it wants. */
const broken = `import { createServer } from ${JSON.stringify(mcp)}
export const server = createServer({ name: 'mine', version: '1.0.0' })
server.tool('test_simple_text', { description: 'Answers wrong' }, () => ({
  content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
}))`

describe.skipIf(node22 === undefined)(`on Node 22, ${howToGetIt}`, () => {
  const env = { PARLEY_NODE: node22 }

  test('our everything server fails in nothing that stands for itself', async () => {
    await using server = await startEverything('streamableHttp')

    const { code, stdout } = await run([...suite, '--era', 'modern', server.url], { env })

    expect(stdout).toMatch(/^1\d passed, 0 failed, \d+ not tried, in 2026-07-28\n$/)
    expect(code).toBe(0)
  })

  test('the official everything server fails in what it is known for', async () => {
    await using server = await startOfficialEverything()

    const { code, stdout, stderr } = await run([...suite, '--all', server.url], { env })

    expect(code).toBe(6)
    expect(stderr).toBe('error: 1 scenario fails: dns-rebinding-protection\n')
    expect(stdout).toContain('✓ ping (2025-11-25)\n')
    expect(stdout).toContain(
      '– prompts-get-simple (2025-11-25): the server has no test_simple_prompt\n',
    )
    expect(stdout).toMatch(
      /✗ dns-rebinding-protection \(2025-11-25\)\n.+ MUST localhost-host-rebinding-rejected\n {2}seen: .+ got 200\n {2}see: {2}https:/,
    )
    expect(stdout).toMatch(/! server-session-lifecycle \(2025-11-25, not required\)\n/)
  })

  test('a definition is served for it, and what it does wrong has its evidence', async () => {
    const cwd = folderWith({ 'server.mjs': broken })
    const words = [...suite, '--era', '2025-06-18', '--json', 'server.mjs']

    const { code, stdout, stderr } = await run(words, { env, cwd })

    const { scenarios, failed } = JSON.parse(stdout) as {
      scenarios: readonly object[]
      failed: number
    } // its shape is the test
    expect(code).toBe(6)
    expect(failed).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'invalid', message: '1 scenario fails: tools-call-simple-text' },
    })
    expect(scenarios).toContainEqual({
      scenario: 'tools-call-simple-text',
      revision: '2025-06-18',
      isRequired: true,
      verdict: {
        kind: 'broken',
        broken: [
          {
            id: 'tools-call-simple-text',
            level: 'MUST',
            rule: 'Tool returns simple text content',
            seen: 'No text content found',
            reference: expect.stringContaining('server/tools'),
          },
        ],
      },
    })
  })

  test('nor in sessions; headers go with every request of the suite, however it is made', async () => {
    await using server = await startEverything('streamableHttp')
    const url = await guarded(server.url)

    const without = await run([...suite, url], { env })
    const { code, stdout } = await run([...suite, '--era', 'legacy', '-H', 'X-Key: k', url], {
      env,
    })

    expect(without.code).toBe(3)
    expect(stdout).toMatch(/^9 passed, 0 failed, \d+ not tried, in 2025-11-25\n$/)
    expect(code).toBe(0)
  })

  test('whoever has had enough stops it', async () => {
    const cwd = folderWith({ 'server.mjs': broken })
    const signal = AbortSignal.timeout(2_000)

    const { code } = await run([...suite, 'server.mjs'], { env, cwd, signal })

    expect(code).toBe(130)
  })
})

const url = 'http://127.0.0.1:1/mcp'
const isNew = Number(versions.node.split('.')[0]) >= 22

describe('what cannot be run', () => {
  test.skipIf(isNew)('says which Node it needs, and how to get one', async () => {
    const { code, stderr } = await run([...suite, url])

    expect(code).toBe(1)
    expect(stderr).toContain(`the public suite needs Node 22, this is ${versions.node}`)
    expect(stderr).toContain('npm install --prefix ~/node22 node@22')
    expect(stderr).toContain('--node ~/node22/node_modules/node/bin/node')
    expect(stderr).toContain('leave --suite out')
  })

  test.each([
    [['--node', '/nonexistent/node', url], '--node /nonexistent/node is not Node'],
    [['--trace', 't.jsonl', url], '--trace cannot be used with the public suite'],
    [['--root', '/tmp', url], '--root cannot be used with the public suite'],
  ])('%j', async (words, said) => {
    const { code, stderr } = await run([...suite, ...words])

    expect(code).toBe(1)
    expect(stderr).toContain(said)
  })

  test.skipIf(isNew)('a Node that is too old', async () => {
    const { code, stderr } = await run([...suite, '--node', execPath, url])

    expect(code).toBe(1)
    expect(stderr).toContain(`is Node ${versions.node}; the public suite needs 22`)
  })

  test.skipIf(node22 === undefined)('a command, which does not listen', async () => {
    const { code, stderr } = await run([...suite, '--', execPath, 'server.js'], {
      env: { PARLEY_NODE: node22 },
    })

    expect(code).toBe(1)
    expect(stderr).toContain('the public suite needs HTTP')
  })
})
