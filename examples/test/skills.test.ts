import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createTestClient } from '@parley/mcp/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createSkillServer, describeSkills, loadSkill } from '../skills.ts'

const instructions = '---\nname: refunds\ndescription: How to refund\n---\n\nBe generous.\n'
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skills-'))
  await mkdir(join(directory, 'billing/refunds/examples'), { recursive: true })
  await writeFile(join(directory, 'billing/refunds/SKILL.md'), instructions)
  await writeFile(join(directory, 'billing/refunds/examples/email.md'), 'Dear customer')
  await writeFile(join(directory, 'README.md'), 'no skill')
})
afterAll(() => rm(directory, { recursive: true }))

test('a folder is served as skills, described, and loaded by name', async () => {
  await using client = await createTestClient(await createSkillServer(directory))

  const described = await describeSkills(client)
  const loaded = await loadSkill(client, 'refunds')
  const resources = await client.listResources().toArray()

  expect(described).toBe('- refunds (skill://billing/refunds/SKILL.md): How to refund')
  expect(loaded).toBe(instructions)
  expect(await loadSkill(client, 'unknown')).toBeUndefined()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'skill://billing/refunds/SKILL.md',
    'skill://billing/refunds/examples/email.md',
  ])
})

test('a file that changes on disk fails its check until the skill is described anew', async () => {
  await using client = await createTestClient(await createSkillServer(directory))
  await describeSkills(client)

  await writeFile(join(directory, 'billing/refunds/SKILL.md'), `${instructions}Be quick.\n`)
  const stale = loadSkill(client, 'refunds')

  await expect(stale).rejects.toMatchObject({ code: 'invalid_message' })
  expect(await loadSkill(client, 'refunds')).toContain('Be quick.')
})
