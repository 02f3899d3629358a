import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run } from '../run.ts'

/** The command of a server that answers so. */
function scripted(answers: object): readonly string[] {
  const file = repositoryFile('packages/cli/test/fixtures/scripted-server.mjs')
  return ['--', execPath, file, JSON.stringify(answers)]
}

const schema = { type: 'object' }
const failing = { $error: { code: -32603, message: 'out of order' } }
const tools = {
  tools: [
    { name: 'get_time', title: 'Current time', description: 'Tells it.', inputSchema: schema },
    { name: 'plain', inputSchema: schema, annotations: { title: 'Older title' } },
  ],
}

describe('list', () => {
  test('goes on after a list that fails, and names it', async () => {
    const answers = {
      'tools/list': tools,
      'resources/list': failing,
      'prompts/list': { prompts: [] },
    }

    const { code, stdout, stderr } = await run(['list', ...scripted(answers)])

    expect(code).toBe(1)
    expect(stdout).toContain('get_time')
    expect(stdout).toContain('prompts (0)')
    expect(stderr).toContain('resources/list failed: out of order (-32603)')
  })

  test('does not fail for templates that a server has forgotten, unless they are asked for', async () => {
    const command = scripted({
      'tools/list': tools,
      'resources/list': { resources: [] },
      'prompts/list': { prompts: [] },
    })

    const all = await run(['list', ...command])
    const json = await run(['list', '--json', ...command])
    const asked = await run(['list', 'templates', ...command])

    expect(all.code).toBe(0)
    expect(all.stderr).toContain('resources/templates/list failed: Method not found (-32601)')
    expect(JSON.parse(json.stdout)).toMatchObject({
      failed: [{ method: 'resources/templates/list', wireCode: -32601 }],
    })
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('resources/templates/list failed')
  })

  test('shows titles after the names that calls need, older ones too [SCH-02, XREV-09]', async () => {
    const initialize = {
      protocolVersion: '2025-03-26',
      capabilities: { tools: {} },
      serverInfo: { name: 'older', version: '1' },
    }
    const untitled = { name: 'untitled', inputSchema: schema }
    const list = { tools: [...tools.tools, untitled] }
    const command = scripted({ initialize, 'tools/list': list })

    const { stdout } = await run(['list', 'tools', ...command])

    expect(stdout).toMatch(/^ {2}get_time +Current time +Tells it\.$/m)
    expect(stdout).toMatch(/^ {2}plain +Older title$/m)
    expect(stdout).toMatch(/^ {2}untitled$/m)
  })

  test('--long says what icons there are, and which are not safe [N11-ICON-01, N11-ICON-04]', async () => {
    const icons = [
      { src: 'https://x.example/a.png', mimeType: 'image/png', sizes: ['48x48'] },
      { src: 'javascript:alert(1)' },
      { src: 'data:image/png;base64,AAAA', mimeType: 'image/png' },
    ]
    const command = scripted({ 'tools/list': { tools: [{ ...tools.tools[0], icons }] } })

    const { stdout } = await run(['list', 'tools', '--long', ...command])
    const one = await run(['describe', 'get_time', ...command])

    const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
    const said =
      '3 icons: image/png, 48x48, from https://x.example; no type, any size, from javascript:, not safe to show; image/png, any size, in place (26 characters)'
    expect(flat(stdout)).toContain(said)
    expect(flat(one.stdout)).toContain(said)
  })
})

describe('describe', () => {
  const inputSchema = {
    type: 'object',
    required: ['city'],
    properties: {
      city: { type: 'string', description: 'Where', minLength: 1 },
      unit: { enum: ['C', 'F'], default: 'C' },
      days: { type: 'array', items: { $ref: '#/$defs/day' } },
    },
    $defs: { day: { type: 'object', properties: { date: { type: 'string', format: 'date' } } } },
  }
  const forecast = {
    name: 'forecast',
    title: 'Forecast',
    description: 'Tells the weather.',
    inputSchema,
    outputSchema: { type: 'object', properties: { celsius: { type: 'number' } } },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  const command = scripted({
    'tools/list': { tools: [forecast] },
    'prompts/list': {
      prompts: [
        { name: 'greet', arguments: [{ name: 'who', description: 'Whom', required: true }] },
      ],
    },
    'resources/list': { resources: [{ uri: 'x:1', name: 'one', mimeType: 'text/plain', size: 3 }] },
  })

  test('shows what a tool takes and gives', async () => {
    const { code, stdout } = await run(['describe', 'forecast', ...command])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^Forecast$/m)
    expect(stdout).toMatch(/^name +forecast$/m)
    expect(stdout).toMatch(/^says that it +only reads, reaches other systems$/m)
    expect(stdout).toContain('\nTells the weather.\n')
    expect(stdout).toMatch(/^ {2}city +string +required +Where \(minLength 1\)$/m)
    expect(stdout).toMatch(/^ {2}unit +"C" \| "F" +\(default "C"\)$/m)
    expect(stdout).toMatch(/^ {2}days +object\[\]$/m)
    expect(stdout).toMatch(/^ {2}days\[\]\.date +string +\(format "date"\)$/m)
    expect(stdout).toMatch(/^ {2}celsius +number$/m)
    expect(stdout).toContain('parley call TARGET forecast city=TEXT [unit=C|F] [days=JSON]')
  })

  test('says how to call it to somebody who runs it by npx', async () => {
    const env = { npm_command: 'exec' }
    const { stdout } = await run(['describe', 'forecast', ...command], { env })

    expect(stdout).toContain('\nnpx @parley/cli call TARGET forecast city=TEXT')
  })

  test('finds prompts and resources too, and gives them as JSON', async () => {
    const prompt = await run(['describe', 'greet', ...command])
    const resource = await run(['describe', 'x:1', '--json', ...command])
    const wrong = await run(['describe', 'forecast', '--kind', 'prompt', ...command])

    expect(prompt.stdout).toMatch(/^ {2}who +text +required +Whom$/m)
    expect(JSON.parse(resource.stdout)).toMatchObject({ kind: 'resource', uri: 'x:1', size: 3 })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('the server has no prompt "forecast"\nKnown: greet.')
  })
})

describe('doctor', () => {
  test('finds a revision that there is not', async () => {
    const initialize = {
      protocolVersion: '2031-01-01',
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    }

    const { code, stdout } = await run(['doctor', ...scripted({ initialize })])

    expect(code).toBe(4)
    expect(stdout).toContain(
      '✗ negotiation: it answers with the revision "2031-01-01", which does not exist',
    )
  })

  test('finds lists that fail, and takes forgotten templates for a warning', async () => {
    const answers = {
      'tools/list': failing,
      'resources/list': { resources: 1 },
      'prompts/list': { prompts: [] },
    }

    const { code, stdout } = await run(['doctor', ...scripted(answers)])

    expect(code).toBe(4)
    expect(stdout).toContain('✗ tools/list: it fails: -32603 out of order')
    expect(stdout).toContain('✗ resources/list: its resources is 1')
    expect(stdout).toContain('! resources/templates/list: it fails: -32601 Method not found')
    expect(stdout).toContain('✓ lists: 0 in prompts/list')
  })

  test('shows what was written to standard error on lines of its own', async () => {
    const program = 'console.error("one\\ntwo \u001b[2J"); process.exit(3)'

    const { stdout } = await run(['doctor', '--', execPath, '-e', program])

    expect(stdout).toContain(
      '✗ starting: the command exited before it answered\n  | one\n  | two \\e[2J\n  →',
    )
  })
})

describe('call', () => {
  const png = Buffer.from('picture').toString('base64')
  const image = { type: 'image', data: png, mimeType: 'image/png' }

  test('-o keeps an image as it is', async () => {
    const cwd = folderWith({})
    const command = scripted({
      'tools/call': { content: [{ type: 'text', text: 'cheese' }, image] },
    })

    const { code, stdout } = await run(['call', 'shoot', '-o', 'out/a.png', ...command], { cwd })

    expect(code).toBe(0)
    expect(stdout).toContain('cheese')
    expect(readFileSync(join(cwd, 'out/a.png'), 'utf8')).toBe('picture')
  })

  test('-o keeps several beside each other, or in a folder, under names of ours', async () => {
    const cwd = folderWith({})
    const audio = { type: 'audio', data: png, mimeType: '../../evil/x' }
    const command = scripted({ 'tools/call': { content: [image, audio] } })

    await run(['call', 'shoot', '-o', 'a.png', ...command], { cwd })
    await run(['call', 'shoot', '-o', 'folder/', ...command], { cwd })

    const files = ['a-1.png', 'a-2.png', 'folder/1.png', 'folder/2.bin']
    expect(files.filter((file) => !existsSync(join(cwd, file)))).toEqual([])
  })

  test('-o says so where there is nothing to keep', async () => {
    const command = scripted({ 'tools/call': { content: [{ type: 'text', text: 'x' }] } })

    const { code, stderr } = await run(['call', 'shoot', '-o', 'a.png', ...command])

    expect(code).toBe(1)
    expect(stderr).toContain('no image, audio or embedded file')
  })

  test.each([
    [['x', '{bad'], 'the arguments: not JSON, line 1, column 2: expected name or }'],
    [['x', '{"a": 1,}'], 'line 1, column 9: expected name'],
    [
      ['x', 'a:={'],
      'a:= needs JSON, and { is not valid JSON: line 1, column 2: expected name or }',
    ],
    [['x', '-'], 'standard input: expected an object, not [1]'],
  ])('%j says what is wrong with the JSON, and where', async (words, said) => {
    const { code, stderr } = await run(['call', ...words, ...scripted({})], { input: '[1]' })

    expect(code).toBe(1)
    expect(stderr).toContain(said)
  })
})

test('prompt shows how it is called where an argument is missing', async () => {
  const answers = {
    'prompts/list': {
      prompts: [{ name: 'greet', arguments: [{ name: 'how' }, { name: 'who', required: true }] }],
    },
    'prompts/get': { $error: { code: -32602, message: 'who is missing' } },
  }

  const { code, stderr } = await run(['prompt', 'greet', ...scripted(answers)])

  expect(code).toBe(1)
  expect(stderr).toContain('who is missing')
  expect(stderr).toContain('Usage: greet who=TEXT [how=TEXT]')
})

test('types are not written over those of another server, or over a file of yours', async () => {
  const own = '// mine\n'
  const cwd = folderWith({ 'mine.ts': own })
  const answers = { 'tools/list': { tools: [] }, 'prompts/list': { prompts: [] } }
  const other = { serverInfo: { name: 'other', version: '1' } }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, ...other }

  const first = await run(['types', '-o', 'a.ts', ...scripted(answers)], { cwd })
  const again = await run(['types', '-o', 'a.ts', ...scripted(answers)], { cwd })
  const foreign = await run(['types', '-o', 'a.ts', ...scripted({ initialize })], { cwd })
  const mine = await run(['types', '-o', 'mine.ts', ...scripted(answers)], { cwd })
  const forced = await run(['types', '-o', 'a.ts', '--force', ...scripted({ initialize })], { cwd })

  expect([first.code, again.code, foreign.code, mine.code, forced.code]).toEqual([0, 0, 1, 1, 0])
  expect(foreign.stderr).toContain('holds the types of scripted')
  expect(foreign.stderr).toContain('--force')
  expect(mine.stderr).toContain('was not written by `parley types`')
  expect(readFileSync(join(cwd, 'mine.ts'), 'utf8')).toBe(own)
})
