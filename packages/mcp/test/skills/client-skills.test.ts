import { supportedRevisions } from '@parley/mcp'
import { createServer, type ServerExtension } from '@parley/mcp/server'
import {
  clientSkills,
  getSkill,
  listSkills,
  readSkillFile,
  serverSkills,
  type Skill,
} from '@parley/mcp/skills'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { pixel, sampleSkills, skillText } from './sample-skills.ts'

function open(extension: ServerExtension, more: Parameters<typeof createTestClient>[1] = {}) {
  const server = createServer({
    name: 'skilled',
    version: '1.0.0',
    extensions: [extension],
    onError: () => undefined,
  })
  return createTestClient(server, more)
}

/** A server that lists one skill as it is told, whatever its files are. */
function claiming(skill: object, files: Record<string, string | Uint8Array>): ServerExtension {
  const honest = serverSkills({ skills: [{ path: 'good', files }] })
  return {
    ...honest,
    methods: {
      'skills/list': () => ({ skills: [skill] }),
      'skills/get': () => ({ skill }),
    },
  } as ServerExtension // a skill that may be none
}

const uri = 'skill://good/SKILL.md'
const helper = 'skill://good/a.md'
const text = skillText('good')

async function honestSkill(files: Record<string, string | Uint8Array>): Promise<Skill> {
  await using client = await open(serverSkills({ skills: [{ path: 'good', files }] }))
  return await getSkill(client, uri) // before it is closed
}

describe.each(supportedRevisions)('a client of %s', (revision) => {
  test('lists skills page by page and reads none of their files', async () => {
    await using client = await open(serverSkills({ skills: sampleSkills, pageSize: 1 }), {
      revision,
    })

    const skills = await listSkills(client).toArray()
    const page = await listSkills(client).page()

    expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['pdf-processing', 'refunds'])
    expect(page).toEqual({ items: [skills[0]], nextCursor: expect.any(String) })
    expect(methodsSent(client.frames)).not.toContain('resources/read')
  })

  test('reads every file of a skill as the bytes it was made of', async () => {
    await using client = await open(serverSkills({ skills: sampleSkills }), { revision })
    const skill = await getSkill(client, 'skill://pdf-processing/SKILL.md')

    const read = async (path: string) =>
      readSkillFile(client, skill, `skill://pdf-processing/${path}`)

    expect(await read('assets/pixel.png')).toEqual(pixel)
    expect(new TextDecoder().decode(await read('SKILL.md'))).toBe(
      sampleSkills[0]?.files['SKILL.md'],
    )
    expect(new TextDecoder().decode(await read('templates/regional/eu%20invoice.md'))).toBe(
      '# Facture é',
    )
  })
})

test('the extension tells the server that skills are used', async () => {
  await using client = await open(serverSkills({ skills: [] }), { extensions: [clientSkills()] })

  expect(client.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/skills': {} })
})

test('a server without skills is not asked for any', async () => {
  await using client = await open({ id: 'com.example/other' })

  const listed = listSkills(client).toArray()

  await expect(listed).rejects.toMatchObject({
    code: 'unsupported',
    details: { capability: 'io.modelcontextprotocol/skills' },
  })
  expect(methodsSent(client.frames)).not.toContain('skills/list')
})

describe('what differs from the description of the skill is not handed out', () => {
  test.each([
    ['another text of the same size', text.replace('# good', '# evil'), 'its digest is'],
    ['a longer text', `${text}more`, 'bytes, not'],
  ])('%s', async (_, served, why) => {
    const described = await honestSkill({ 'SKILL.md': text })
    await using client = await open(claiming(described, { 'SKILL.md': served }))
    const [skill = described] = await listSkills(client).toArray()

    const read = readSkillFile(client, skill, uri)

    await expect(read).rejects.toMatchObject({
      code: 'invalid_message',
      peer: 'skilled',
      message: expect.stringContaining(why),
    })
  })

  test.each([
    ['another description', { description: 'Exfiltrate credentials' }, 'its description is not'],
    ['a field more', { license: 'MIT' }, 'its license is not'],
  ])('%s, although the digest fits', async (_, change, why) => {
    const honest = await honestSkill({ 'SKILL.md': text })
    const described = { ...honest, frontmatter: { ...honest.frontmatter, ...change } }
    await using client = await open(claiming(described, { 'SKILL.md': text }))

    const read = readSkillFile(client, described, uri)

    await expect(read).rejects.toMatchObject({
      code: 'invalid_message',
      message: expect.stringContaining(why),
    })
  })

  test('a file that is not listed is not even asked for', async () => {
    const described = await honestSkill({ 'SKILL.md': text })
    await using client = await open(claiming(described, { 'SKILL.md': text, 'a.md': 'new' }))

    const read = readSkillFile(client, described, helper)

    await expect(read).rejects.toMatchObject({ code: 'invalid_message' })
    expect(methodsSent(client.frames)).not.toContain('resources/read')
  })

  test('a skill that has changed is read by its new description', async () => {
    let contents = 'first'
    const files = { 'SKILL.md': text, 'a.md': () => Promise.resolve(contents) }
    await using client = await open(serverSkills({ skills: [{ path: 'good', files }] }))
    const before = await getSkill(client, uri)

    contents = 'second'
    const stale = readSkillFile(client, before, helper)
    await expect(stale).rejects.toMatchObject({ code: 'invalid_message' })
    const bytes = await readSkillFile(client, await getSkill(client, uri), helper)

    expect(new TextDecoder().decode(bytes)).toBe('second')
  })
})

describe('a description that cannot be right is not read by', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const own = { uri, digest, size: 1 }
  const good = { uri, frontmatter: { name: 'good', description: 'x' }, resources: [own] }
  const many = Array.from({ length: 512 }, (_, at) => ({ ...own, uri: `skill://good/${at}` }))

  test.each<readonly [what: string, code: string, skill: object]>([
    ['no SKILL.md', 'invalid_message', { ...good, uri: 'skill://good/OTHER.md' }],
    ['another name', 'invalid_message', { ...good, frontmatter: { name: 'x', description: 'x' } }],
    ['a file twice', 'invalid_message', { ...good, resources: [own, own] }],
    ['not its own file', 'invalid_message', { ...good, resources: [] }],
    [
      'a file outside',
      'invalid_message',
      { ...good, resources: [own, { ...own, uri: 'skill://goodness/a.md' }] },
    ],
    [
      'a way out',
      'invalid_message',
      { ...good, resources: [own, { ...own, uri: 'skill://good/%2e%2e/a.md' }] },
    ],
    ['too many files', 'limit_exceeded', { ...good, resources: [own, ...many] }],
    [
      'too many bytes',
      'limit_exceeded',
      { ...good, resources: [{ ...own, size: 16 * 1024 * 1024 + 1 }] },
    ],
    ['nothing to check', 'unsupported', { ...good, resources: 'dynamic' }],
  ])('%s is %s', async (_, code, skill) => {
    await using client = await open(claiming(skill, { 'SKILL.md': text }))
    const [listed = good] = await listSkills(client).toArray()

    const read = readSkillFile(client, listed, uri)

    await expect(read).rejects.toMatchObject({ code })
    expect(methodsSent(client.frames)).not.toContain('resources/read')
  })

  test.each([
    ['no resources', { uri, frontmatter: good.frontmatter }],
    ['no name', { ...good, frontmatter: { description: 'x' } }],
    ['no digest', { ...good, resources: [{ uri, size: 1 }] }],
    [
      'a digest in capitals',
      { ...good, resources: [{ ...own, digest: `sha256:${'A'.repeat(64)}` }] },
    ],
    ['half a byte', { ...good, resources: [{ ...own, size: 0.5 }] }],
  ])('%s is not even listed', async (_, skill) => {
    await using client = await open(claiming(skill, { 'SKILL.md': text }))

    await expect(listSkills(client).toArray()).rejects.toMatchObject({ code: 'invalid_message' })
    await expect(getSkill(client, uri)).rejects.toMatchObject({ code: 'invalid_message' })
  })

  test('another skill than the one that was asked for', async () => {
    await using client = await open(claiming(good, { 'SKILL.md': text }))

    const got = getSkill(client, 'skill://other/SKILL.md')

    await expect(got).rejects.toMatchObject({ code: 'invalid_message' })
  })
})

function methodsSent(frames: readonly { readonly message: unknown }[]): readonly unknown[] {
  return frames.map(({ message }) => (message as { readonly method?: unknown }).method) // a message has it or not
}
