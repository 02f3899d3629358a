import { expect, test } from 'vitest'

import { inEveryRevision, openGit } from './support.ts'

const text = { type: 'string' }
const lines = { type: 'integer', default: 3 }
const looksOnly = [true, false, true, false]
const adds = [false, false, false, false]

/** The twelve tools of the reference server: input besides `repo_path`, what of it is required, and hints. */
const contract: readonly (readonly [string, object, readonly string[], readonly boolean[]])[] = [
  ['git_status', {}, [], looksOnly],
  ['git_diff_unstaged', { context_lines: lines }, [], looksOnly],
  ['git_diff_staged', { context_lines: lines }, [], looksOnly],
  ['git_diff', { target: text, context_lines: lines }, ['target'], looksOnly],
  ['git_commit', { message: text }, ['message'], adds],
  ['git_add', { files: { type: 'array', items: text } }, ['files'], [false, false, true, false]],
  ['git_reset', {}, [], [false, true, true, false]],
  [
    'git_log',
    { max_count: { type: 'integer', default: 10 }, start_timestamp: {}, end_timestamp: {} },
    [],
    looksOnly,
  ],
  ['git_create_branch', { branch_name: text, base_branch: {} }, ['branch_name'], adds],
  ['git_checkout', { branch_name: text }, ['branch_name'], adds],
  ['git_show', { revision: text }, ['revision'], looksOnly],
  ['git_branch', { branch_type: text, contains: {}, not_contains: {} }, ['branch_type'], looksOnly],
]

inEveryRevision((revision) => {
  test('lists the tools of the reference server, in its order [REFS-04, HDEC-07]', async () => {
    await using client = await openGit({}, { revision })

    const tools = await client.listTools().toArray()

    expect(client.server.info).toMatchObject({ name: 'mcp-git' })
    expect(tools.map(({ name }) => name)).toEqual(contract.map(([name]) => name))
    for (const [index, tool] of tools.entries()) {
      const [, properties, required, hints] = contract[index] ?? []
      const { inputSchema, annotations, outputSchema, description } = tool
      expect(inputSchema['properties']).toMatchObject({ repo_path: text, ...properties })
      expect(Object.keys(inputSchema['properties'] ?? {})).toEqual([
        'repo_path',
        ...Object.keys(properties ?? {}),
      ])
      expect(inputSchema['required']).toEqual(['repo_path', ...(required ?? [])])
      expect(description).toMatch(/\.$/)
      if (revision < '2025-03-26') continue
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {}
      expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual(hints)
      if (revision >= '2025-06-18') expect(outputSchema?.['type']).toBe('object')
    }
  })
})
