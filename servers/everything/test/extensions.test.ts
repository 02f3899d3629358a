import { pickIcon } from '@parley/mcp'
import { clientSkills, getSkill, listSkills, readSkillFile } from '@parley/mcp/skills'
import { expect, test } from 'vitest'

import { inEveryRevision, textsOf } from './support.ts'

const extras = { extras: true }

inEveryRevision((open, revision) => {
  const hasIcons = revision >= '2025-11-25'

  test('has a skill whose files are what was promised', async () => {
    await using client = await open({ extensions: [clientSkills()] }, extras)

    const [found] = await listSkills(client).toArray()
    const skill = await getSkill(client, found?.uri ?? '')
    const list = 'skill://testing/test-a-client/references/LIST.md'
    const bytes = await readSkillFile(client, skill, list)

    expect(found?.frontmatter).toMatchObject({ name: 'test-a-client' })
    expect(new TextDecoder().decode(bytes)).toContain('# What is there')
  })

  test('answers a method of an extension, and checks its params itself', async () => {
    await using client = await open({}, extras)
    const now = (params: object) => client.request('dev.parley/clock/now', params)

    expect(await now({ timeZone: 'Europe/Oslo' })).toMatchObject({
      at: expect.stringMatching(/^\d{4}-/) as string,
      local: expect.stringMatching(/^\d\d\/\d\d\/\d{4}/) as string,
    })
    await expect(now({ timeZone: 'Nowhere' })).rejects.toMatchObject({ code: 'invalid_params' })
    await expect(now({ timeZone: 1 })).rejects.toMatchObject({ code: 'invalid_params' })
  })

  test('has neither unless asked to', async () => {
    await using client = await open()

    const templates = await client.listResourceTemplates().toArray()

    expect(templates).toHaveLength(2)
    await expect(client.request('dev.parley/clock/now')).rejects.toMatchObject({
      code: 'method_not_found',
    })
  })

  test('has an icon, and so have the tools that only it has', async () => {
    await using client = await open({}, extras)

    const tools = await client.listTools().toArray()
    const region = tools.find(({ name }) => name === 'echo-region')

    expect(pickIcon(client.server.info?.icons, { size: 20 }) !== undefined).toBe(hasIcons)
    expect(pickIcon(region?.icons)?.src.startsWith('data:image/png')).toBe(hasIcons || undefined)
    expect(tools.find(({ name }) => name === 'echo')?.icons).toBeUndefined()
  })

  test('says how long its answers may be kept', async () => {
    await using client = await open()
    const uri = 'demo://resource/static/document/features.md'
    const read = async () => {
      await client.listPrompts().toArray()
      await client.readResource(uri)
    }

    await read()
    const before = client.frames.length
    await read()

    expect(client.frames.length - before).toBe(revision >= '2026-07-28' ? 0 : 4)
  })

  test('trigger-sampling-with-tools runs the tool the model wants', async () => {
    const turns: number[] = []
    await using client = await open(
      {
        sampling: { tools: true },
        sample({ messages, tools }) {
          turns.push(messages.length)
          const isCompleted = messages.length > 1
          return {
            role: 'assistant',
            model: 'scripted',
            content: isCompleted
              ? { type: 'text', text: `${tools?.[0]?.name}: yes, it is cold.` }
              : { type: 'tool_use', id: 'a', name: 'temperature', input: { city: 'Oslo' } },
            stopReason: isCompleted ? 'endTurn' : 'toolUse',
          }
        },
      },
      extras,
    )
    const names = (await client.listTools().toArray()).map(({ name }) => name)
    expect(names.includes('trigger-sampling-with-tools')).toBe(revision >= '2025-11-25')
    if (revision < '2025-11-25') return

    const result = await client.callTool('trigger-sampling-with-tools')

    expect(turns).toEqual([1, 3])
    expect(textsOf(result)).toEqual(['temperature: yes, it is cold.'])
  })
})
