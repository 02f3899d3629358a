import type { Tool } from '@parley/mcp'
import { type ToolRules, TransformError, transformTools } from '@parley/tools'
import { describe, expect, test } from 'vitest'

const tool: Tool = {
  name: 'create_issue',
  title: 'Create',
  description: 'Creates an issue',
  inputSchema: {
    type: 'object',
    properties: { owner: { type: 'string' }, repo: { type: 'string' }, labels: { type: 'array' } },
    required: ['owner', 'repo'],
  },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, openWorldHint: true },
  _meta: { kept: true },
}

describe('toExposed', () => {
  test('changes name, title, description, annotations and output, and keeps the rest', () => {
    const transform = transformTools({
      create_issue: {
        name: 'open_ticket',
        title: 'Open a ticket',
        description: 'For bugs',
        annotations: { destructiveHint: false },
        outputSchema: false,
      },
    })
    const { outputSchema: _, ...rest } = tool

    expect(transform.toExposed(tool)).toEqual({
      ...rest,
      name: 'open_ticket',
      title: 'Open a ticket',
      description: 'For bugs',
      annotations: { readOnlyHint: false, openWorldHint: true, destructiveHint: false },
    })
  })

  test('hides tools, and with * all that have no rule', () => {
    const transform = transformTools({ '*': { hide: true }, create_issue: {} })

    expect(transform.toExposed(tool)?.name).toBe('create_issue')
    expect(transform.toExposed({ ...tool, name: 'other' })).toBeUndefined()
    expect(transformTools({ create_issue: { hide: true } }).toExposed(tool)).toBeUndefined()
  })

  test('a tool whose name another one has taken is not there', () => {
    const transform = transformTools({ create_issue: { name: 'other' } })

    expect(transform.toExposed({ ...tool, name: 'other' })).toBeUndefined()
  })
})

describe('toCall', () => {
  const transform = transformTools({
    create_issue: {
      name: 'open_ticket',
      arguments: {
        owner: { value: 'acme' },
        repo: { name: 'project', default: 'main' },
        labels: { hide: true },
      },
    },
    gone: { hide: true },
  })

  test('restores names, fixes and fills in arguments', () => {
    expect(transform.toCall('open_ticket', {})).toEqual({
      kind: 'call',
      name: 'create_issue',
      args: { owner: 'acme', repo: 'main' },
    })
    expect(transform.toCall('open_ticket', { project: 'x', more: 1 })).toMatchObject({
      args: { owner: 'acme', repo: 'x', more: 1 },
    })
    expect(transform.toCall('untouched', { a: 1 })).toEqual({
      kind: 'call',
      name: 'untouched',
      args: { a: 1 },
    })
  })

  test.each(['owner', 'repo', 'labels'])('a caller cannot set %s by its old name', (name) => {
    expect(transform.toCall('open_ticket', { [name]: 'evil' })).toEqual({
      kind: 'refused',
      problem: `unknown argument "${name}"`,
    })
  })

  test('neither old names nor hidden tools are known', () => {
    expect(transform.toCall('create_issue', {})).toEqual({ kind: 'unknown' })
    expect(transform.toCall('gone', {})).toEqual({ kind: 'unknown' })
    expect(transformTools({ '*': { hide: true } }).toCall('any', {})).toEqual({ kind: 'unknown' })
  })

  test('names of Object are names like others', () => {
    expect(transform.toCall('constructor', {})).toMatchObject({ kind: 'call', name: 'constructor' })
    expect(
      transform.toCall('open_ticket', JSON.parse('{"__proto__": {"owner": "evil"}}')),
    ).toMatchObject({
      args: { owner: 'acme' },
    })
  })
})

describe('a chain', () => {
  const chain = transformTools(
    {
      create_issue: {
        name: 'issue',
        arguments: { owner: { value: 'acme' }, repo: { name: 'project' } },
      },
    },
    { issue: { name: 'bug', arguments: { project: { name: 'p', default: 'main' } } } },
  )

  test('each step sees what the one before exposes', () => {
    expect(chain.toExposed(tool)).toMatchObject({
      name: 'bug',
      inputSchema: { properties: { p: { type: 'string', default: 'main' }, labels: {} } },
    })
    expect(chain.toCall('bug', {})).toMatchObject({
      name: 'create_issue',
      args: { owner: 'acme', repo: 'main' },
    })
    expect(chain.toCall('issue', {})).toEqual({ kind: 'unknown' })
    expect(chain.check([tool])).toEqual([])
  })

  test('check names the rule of the step that does not fit', () => {
    const wrong = transformTools(
      { create_issue: { name: 'issue' } },
      { create_issue: {}, issue: { arguments: { nothing: { hide: true } } } },
    )

    expect(wrong.check([tool]).map(({ message }) => message)).toEqual([
      'rule for tool "create_issue": there is no such tool; there are issue',
      'rule for tool "issue", argument "nothing": the tool has no such argument; it has owner, repo, labels',
    ])
  })
})

describe('rules that are wrong for any tool', () => {
  test.each<[ToolRules, string]>([
    [{ a: { name: 'with space' } }, 'a name has 1 to 128 of the characters'],
    [{ a: { name: 'c' }, b: { name: 'c' } }, 'it would be called c, as a is'],
    [{ a: { name: 'b' }, b: {} }, 'it would be called b, as a is'],
    [{ '*': { name: 'x' } }, '"name" is for one tool'],
    [{ a: { arguments: { x: { value: 1, default: 2 } } } }, '"value" is always sent'],
    [{ a: { arguments: { x: { hide: true, name: 'y' } } } }, 'a hidden argument needs no name'],
    [{ a: { arguments: { x: { name: 'z' }, y: { name: 'z' } } } }, 'it would be called z, as x is'],
    [{ a: { arguments: { x: { name: '' } } } }, 'its new name is empty'],
  ])('%j', (rules, why) => {
    expect(() => transformTools(rules)).toThrow(TransformError)
    expect(() => transformTools(rules)).toThrow(why)
  })

  test('check tells of a name that is taken by a tool without a rule', () => {
    const transform = transformTools({ create_issue: { name: 'other' } })

    expect(transform.check([tool, { ...tool, name: 'other' }])[0]?.message).toContain(
      'there is a tool called other already: hide or rename it',
    )
  })
})
