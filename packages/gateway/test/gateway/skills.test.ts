import { createServer } from '@parley/mcp/server'
import { clientSkills, getSkill, listSkills, readSkillFile, serverSkills } from '@parley/mcp/skills'
import { expect, test } from 'vitest'

import { open, serveTest, startTestGateway } from './running.ts'

function shop(path: string) {
  const name = path.split('/').at(-1)
  const files = {
    'SKILL.md': `---\nname: ${name}\ndescription: How to do ${name}\n---\n\nAs in mail.md.\n`,
    'examples/mail.md': `Dear ${name}`,
  }
  const extensions = [serverSkills({ skills: [{ path, files }] })]
  return createServer({ name: 'shop', version: '1.0.0', extensions })
}

test('skills of several servers are one list, and each file comes from its server', async () => {
  await using red = await serveTest(shop('billing/refunds'))
  await using blue = await serveTest(shop('billing/invoices'))
  await using gateway = await startTestGateway({
    servers: { red: { url: red.url.href }, blue: { url: blue.url.href } },
  })
  await using client = await open(gateway, {
    protocolVersion: 'modern',
    extensions: [clientSkills()],
  })

  const uris: string[] = []
  for await (const { uri } of listSkills(client)) uris.push(uri)

  expect(uris).toEqual(['skill://billing/refunds/SKILL.md', 'skill://billing/invoices/SKILL.md'])
  for (const name of ['refunds', 'invoices']) {
    const skill = await getSkill(client, `skill://billing/${name}/SKILL.md`)
    const bytes = await readSkillFile(client, skill, `skill://billing/${name}/examples/mail.md`)
    expect(new TextDecoder().decode(bytes)).toBe(`Dear ${name}`)
  }
})

test('a gateway without skills has no methods for them', async () => {
  await using plain = await serveTest(createServer({ name: 'plain', version: '1.0.0' }))
  await using gateway = await startTestGateway({ servers: { plain: { url: plain.url.href } } })
  await using client = await open(gateway, {
    protocolVersion: 'modern',
    extensions: [clientSkills()],
  })

  await expect(listSkills(client).toArray()).rejects.toThrow()
})
