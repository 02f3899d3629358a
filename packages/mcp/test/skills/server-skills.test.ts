import { createHash } from 'node:crypto'

import { isMcpError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { serverSkills, type ServerSkillsOptions, type SkillSource } from '@parley/mcp/skills'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { describeStandalone } from '../support/modern-client.ts'
import { pixel, sampleSkills, skillText } from './sample-skills.ts'

function createSkillServer(options: Partial<ServerSkillsOptions> = {}): {
  readonly server: Server
  readonly errors: unknown[]
} {
  const errors: unknown[] = []
  const server = createServer({
    name: 'skilled',
    version: '1.0.0',
    extensions: [serverSkills({ skills: sampleSkills, ...options })],
    onError: (error) => errors.push(error),
  })
  return { server, errors }
}

function digest(contents: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(contents).digest('hex')}`
}

const pdf = 'skill://pdf-processing'
const pdfText = String(sampleSkills[0]?.files['SKILL.md'])
const pdfEntry = {
  uri: `${pdf}/SKILL.md`,
  frontmatter: {
    name: 'pdf-processing',
    description: 'How to do pdf-processing',
    metadata: { version: '2.1' },
    'allowed-tools': ['Read'],
  },
  resources: [
    { uri: `${pdf}/SKILL.md`, digest: digest(pdfText), size: pdfText.length },
    { uri: `${pdf}/templates/invoice.md`, digest: digest('# Invoice'), size: 9 },
    {
      uri: `${pdf}/templates/regional/eu%20invoice.md`,
      digest: digest('# Facture é'),
      size: 12,
    },
    { uri: `${pdf}/assets/pixel.png`, digest: digest(pixel), size: 5 },
  ],
}

describeStandalone(
  'skills in 2026-07-28',
  ({ open }) => {
    test('are declared with the resources they are read by', async () => {
      const client = await open(createSkillServer().server)

      const { result } = await client.request('server/discover')

      expect(result).toMatchObject({
        capabilities: {
          resources: {},
          extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
        },
      })
    })

    test('are listed with everything needed to check them, and how long to keep it', async () => {
      const client = await open(
        createSkillServer({ cache: { ttlMs: 300_000, scope: 'public' } }).server,
      )

      const { result } = await client.request('skills/list')

      expect(result).toMatchObject({
        resultType: 'complete',
        ttlMs: 300_000,
        cacheScope: 'public',
        skills: [pdfEntry, { uri: 'skill://acme/billing/refunds/SKILL.md' }],
      })
      expect(result).not.toHaveProperty('nextCursor')
    })

    test('without a hint are to be kept not at all', async () => {
      const client = await open(createSkillServer().server)

      const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      expect((await client.request('skills/list')).result).toMatchObject(kept)
      expect((await client.request('skills/get', { uri: `${pdf}/SKILL.md` })).result).toMatchObject(
        kept,
      )
    })

    test('are got one by one, as they are listed', async () => {
      const client = await open(createSkillServer().server)

      const { result } = await client.request('skills/get', { uri: `${pdf}/SKILL.md` })

      expect(result).toMatchObject({ skill: pdfEntry })
      expect(result).not.toHaveProperty('nextCursor')
    })

    test.each([
      ['skills/get', { uri: 'skill://none/SKILL.md' }, 'no skill is served at'],
      ['skills/get', { uri: `${pdf}/templates/invoice.md` }, 'no skill is served at'],
      ['skills/get', {}, 'skills/get: uri: a string'],
      ['skills/list', { cursor: 'made up' }, 'invalid cursor'],
      ['skills/list', { cursor: 1 }, 'skills/list: cursor: a string'],
      ['resources/directory/read', { uri: `${pdf}/SKILL.md` }, 'is not a directory'],
      ['resources/directory/read', { uri: `${pdf}/` }, 'is not a directory'],
      ['resources/directory/read', { uri: 'skill://none' }, 'is not a directory'],
      ['resources/read', { uri: `${pdf}/templates/../SKILL.md` }, 'there is no resource'],
      ['resources/read', { uri: `${pdf}/templates` }, 'there is no resource'],
    ])('%s of %j is bad params', async (method, params, why) => {
      const client = await open(createSkillServer().server)

      const { error } = await client.request(method, params)

      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(why) })
    })

    test('have files that are read as text where they are text, else as bytes', async () => {
      const client = await open(createSkillServer().server)

      const read = async (path: string) => {
        const { result } = await client.request('resources/read', { uri: `${pdf}/${path}` })
        return result
      }

      expect(await read('SKILL.md')).toMatchObject({
        contents: [{ uri: `${pdf}/SKILL.md`, mimeType: 'text/markdown', text: pdfText }],
      })
      expect(await read('templates/regional/eu%20invoice.md')).toMatchObject({
        contents: [{ mimeType: 'text/markdown', text: '# Facture é' }],
      })
      expect(await read('assets/pixel.png')).toMatchObject({
        contents: [{ mimeType: 'image/png', blob: Buffer.from(pixel).toString('base64') }],
      })
    })
  },
  ['memory', 'http'],
)

describe('a folder of a skill', () => {
  test.each([
    [
      pdf,
      [
        { uri: `${pdf}/SKILL.md`, name: 'pdf-processing', mimeType: 'text/markdown' },
        { uri: `${pdf}/templates`, name: 'templates', mimeType: 'inode/directory' },
        { uri: `${pdf}/assets`, name: 'assets', mimeType: 'inode/directory' },
      ],
    ],
    [
      `${pdf}/templates/regional`,
      [{ uri: `${pdf}/templates/regional/eu%20invoice.md`, name: 'eu invoice.md' }],
    ],
    ['skill://acme', [{ uri: 'skill://acme/billing', mimeType: 'inode/directory' }]],
  ])('%s has its direct children', async (uri, resources) => {
    await using client = await createTestClient(createSkillServer().server)

    const result = await client.request('resources/directory/read', { uri })

    expect(result).toMatchObject({ resources })
    expect(result['resources']).toHaveLength(resources.length)
  })

  test('comes in pages', async () => {
    await using client = await createTestClient(createSkillServer({ pageSize: 2 }).server)

    const first = await client.request('resources/directory/read', { uri: pdf })
    const second = await client.request('resources/directory/read', {
      uri: pdf,
      cursor: first['nextCursor'],
    })

    expect(first['resources']).toHaveLength(2)
    expect(second).toMatchObject({ resources: [{ uri: `${pdf}/assets` }] })
    expect(second).not.toHaveProperty('nextCursor')
  })
})

test('files are listed as resources, a skill by its own name and description', async () => {
  await using client = await createTestClient(createSkillServer().server)

  const resources = await client.listResources().toArray()

  expect(resources).toEqual([
    {
      uri: `${pdf}/SKILL.md`,
      name: 'pdf-processing',
      description: 'How to do pdf-processing',
      mimeType: 'text/markdown',
    },
    { uri: `${pdf}/templates/invoice.md`, name: 'invoice.md', mimeType: 'text/markdown' },
    {
      uri: `${pdf}/templates/regional/eu%20invoice.md`,
      name: 'eu invoice.md',
      mimeType: 'text/markdown',
    },
    { uri: `${pdf}/assets/pixel.png`, name: 'pixel.png', mimeType: 'image/png' },
    {
      uri: 'skill://acme/billing/refunds/SKILL.md',
      name: 'refunds',
      description: 'How to do refunds',
      mimeType: 'text/markdown',
    },
  ])
})

test('a skill inside another is listed by itself, and its files as those of both', async () => {
  const skills: readonly SkillSource[] = [
    { path: 'outer', files: { 'SKILL.md': skillText('outer'), 'a.md': 'a' } },
    { path: 'outer/inner', files: { 'SKILL.md': skillText('inner') } },
  ]
  await using client = await createTestClient(createSkillServer({ skills }).server)

  const { skills: listed } = await client.request('skills/list')

  expect(listed).toMatchObject([
    {
      uri: 'skill://outer/SKILL.md',
      resources: [
        { uri: 'skill://outer/SKILL.md' },
        { uri: 'skill://outer/a.md' },
        { uri: 'skill://outer/inner/SKILL.md' },
      ],
    },
    {
      uri: 'skill://outer/inner/SKILL.md',
      resources: [{ uri: 'skill://outer/inner/SKILL.md' }],
    },
  ])
})

describe('what cannot be served is refused where it is defined', () => {
  const good = { 'SKILL.md': skillText('good') }
  const many = Object.fromEntries(Array.from({ length: 512 }, (_, at) => [`${at}.md`, '']))

  test.each<readonly [why: string, source: SkillSource]>([
    ['a path is parts of', { path: '../good', files: good }],
    ['a path is parts of', { path: '/good', files: good }],
    ['a path is parts of', { path: 'a//good', files: good }],
    ['a path is parts of', { path: 'a?b/good', files: good }],
    ['a path is parts of', { path: 'Good', files: good }],
    ['a path is parts of', { path: '', files: good }],
    ['no SKILL.md', { path: 'good', files: {} }],
    ['"../x.md" is not a path inside', { path: 'good', files: { ...good, '../x.md': '' } }],
    ['"a/./x.md" is not a path inside', { path: 'good', files: { ...good, 'a/./x.md': '' } }],
    ['"/etc/x.md" is not a path inside', { path: 'good', files: { ...good, '/etc/x.md': '' } }],
    ['is not a path inside', { path: 'good', files: { ...good, 'a\\..\\x.md': '' } }],
    ['is not a path inside', { path: 'good', files: { ...good, 'a\n.md': '' } }],
    ['is not a path inside', { path: 'good', files: { ...good, 'a\ud800.md': '' } }],
    ['is a file and a folder', { path: 'good', files: { ...good, a: '', 'a/b': '' } }],
    ['more than 512 files', { path: 'good', files: { ...good, ...many } }],
    ['does not begin with', { path: 'good', files: { 'SKILL.md': '# Good' } }],
    ['no second line', { path: 'good', files: { 'SKILL.md': '---\nname: good\n' } }],
    [
      'line 3 has a tag',
      { path: 'good', files: { 'SKILL.md': '---\nname: good\nx: !t a\n---\n' } },
    ],
    ['no description', { path: 'good', files: { 'SKILL.md': '---\nname: good\n---\n' } }],
    ['last part of its path', { path: 'good', files: { 'SKILL.md': skillText('bad') } }],
    ['not text in UTF-8', { path: 'good', files: { 'SKILL.md': pixel } }],
  ])('%s: %j', (why, source) => {
    const define = () => serverSkills({ skills: [source] })

    expect(define).toThrow(why)
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test('one URI cannot be two files', () => {
    const skills = [
      { path: 'good', files: { ...good, 'deep/SKILL.md': '' } },
      { path: 'good/deep', files: { 'SKILL.md': skillText('deep') } },
    ]

    expect(() => serverSkills({ skills })).toThrow('skill://good/deep/SKILL.md is already there')
  })

  test('a page holds something, and a time is a time', () => {
    expect(() => serverSkills({ skills: [], pageSize: 0 })).toThrow('pageSize')
    expect(() => serverSkills({ skills: [], cache: { ttlMs: -1 } })).toThrow('ttlMs')
  })
})

describe('skills that are looked up when asked for', () => {
  test('are asked for anew, so that they come and go', async () => {
    let skills: readonly SkillSource[] = []
    const { server } = createSkillServer({ skills: () => Promise.resolve(skills) })
    await using client = await createTestClient(server)

    expect(await client.request('skills/list')).toMatchObject({ skills: [] })
    skills = sampleSkills
    expect(await client.request('skills/list')).toMatchObject({ skills: [pdfEntry, {}] })
  })

  test('are left out and reported if they cannot be served; the others are listed', async () => {
    const skills: readonly SkillSource[] = [
      { path: '../up', files: {} },
      { path: 'broken', files: { 'SKILL.md': () => Promise.reject(new Error('disk on fire')) } },
      { path: 'good', files: { 'SKILL.md': () => Promise.resolve(skillText('good')) } },
    ]
    const { server, errors } = createSkillServer({ skills: () => Promise.resolve(skills) })
    await using client = await createTestClient(server)

    const listed = await client.request('skills/list')
    const got = client.request('skills/get', { uri: 'skill://broken/SKILL.md' })

    expect(listed).toMatchObject({ skills: [{ uri: 'skill://good/SKILL.md' }] })
    await expect(got).rejects.toMatchObject({ code: 'internal_error' })
    expect(errors.filter((error) => isMcpError(error, 'invalid_definition'))).toHaveLength(1)
    expect(errors.filter((error) => String(error).includes('disk on fire'))).toHaveLength(2)
  })

  test('a file that is neither text nor bytes is a fault of its author', async () => {
    const nothing = () => Promise.resolve(undefined as unknown as string) // as plain JavaScript may
    const { server, errors } = createSkillServer({
      skills: [{ path: 'good', files: { 'SKILL.md': skillText('good'), 'a.md': nothing } }],
    })
    await using client = await createTestClient(server)

    const read = client.readResource('skill://good/a.md')

    await expect(read).rejects.toMatchObject({ code: 'internal_error' })
    expect(String(errors[0])).toContain('skill://good/a.md are neither text nor bytes')
  })

  test('more than 16 MiB are no skill', async () => {
    const large = () => Promise.resolve(new Uint8Array(16 * 1024 * 1024))
    const { server, errors } = createSkillServer({
      skills: [{ path: 'good', files: { 'SKILL.md': skillText('good'), 'large.bin': large } }],
    })
    await using client = await createTestClient(server)

    expect(await client.request('skills/list')).toMatchObject({ skills: [] })
    expect(String(errors[0])).toContain('more than the 16777216 a skill may have')
  })
})

describe('files that are read when asked for', () => {
  test('are not read to define or open anything, and once for every list', async () => {
    let reads = 0
    const load = () => {
      reads += 1
      return Promise.resolve(skillText('good'))
    }
    const { server } = createSkillServer({
      skills: [{ path: 'good', files: { 'SKILL.md': load } }],
    })
    await using client = await createTestClient(server)
    expect(reads).toBe(0)

    await Promise.all([client.request('skills/list'), client.request('skills/list')])
    await client.request('skills/get', { uri: 'skill://good/SKILL.md' })
    await client.listResources().toArray()

    expect(reads).toBe(1)
  })

  test('have a new digest once they have been read anew', async () => {
    let text = 'first'
    const { server } = createSkillServer({
      skills: [
        {
          path: 'good',
          files: { 'SKILL.md': skillText('good'), 'a.md': () => Promise.resolve(text) },
        },
      ],
    })
    await using client = await createTestClient(server)
    const entry = () => client.request('skills/get', { uri: 'skill://good/SKILL.md' })
    expect(await entry()).toMatchObject({ skill: { resources: [{}, { digest: digest('first') }] } })

    text = 'second'
    await client.readResource('skill://good/a.md')

    expect(await entry()).toMatchObject({
      skill: { resources: [{}, { digest: digest('second') }] },
    })
  })
})
