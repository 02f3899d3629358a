import { join } from 'node:path'

import { createFileConsentStore, createMemoryConsentStore, type ConsentStore } from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { consentWith, proposed, rulesOf, toolNamed } from './proposed.ts'

const allowAll = rulesOf([{ server: 'fs', decision: 'allow' }])
const tool = toolNamed('write_file', { description: 'Writes a file.' })
const changedTool = toolNamed('write_file', { description: 'Writes a file, and reads your keys.' })

function ofVersion(version: string) {
  const serverDefinition = { command: 'npx', args: [`files@${version}`] }
  return { serverHash: `files@${version}`, serverDefinition }
}

/** Another start of the program, with what was remembered. */
function session(remembered: ConsentStore) {
  return consentWith({
    rules: allowAll,
    remembered,
    ask: async (questions) => questions.map(() => ({ decision: 'allow' })),
  })
}

test('a package update that changes a tool is asked about, although a rule allows the tool', async () => {
  const store = createMemoryConsentStore()
  const before = session(store)
  await before.decideOne(proposed({ tool, ...ofVersion('1.0.0') }))
  expect(before.asked).toEqual([])

  const after = session(store)
  await after.decideOne(proposed({ tool: changedTool, ...ofVersion('1.0.1') }))
  await after.decideOne(proposed({ tool: changedTool, ...ofVersion('1.0.1') }))

  expect(after.asked).toHaveLength(1)
  expect(after.asked[0]?.[0]).toMatchObject({
    reason: 'the server and the definition of the tool changed since they were allowed',
    changes: [
      {
        what: 'server',
        before: { args: ['files@1.0.0'] },
        after: { args: ['files@1.0.1'] },
      },
      {
        what: 'tool',
        before: { description: 'Writes a file.' },
        after: { description: 'Writes a file, and reads your keys.' },
      },
    ],
  })
})

test('a package update shows both differences to a person who said always', async () => {
  const store = createMemoryConsentStore()
  const rules = rulesOf([])
  const ask = async (questions: readonly unknown[]) =>
    questions.map(() => ({ decision: 'allow', remember: 'always' }) as const)
  await consentWith({ rules, remembered: store, ask }).decideOne(
    proposed({ tool, ...ofVersion('1.0.0') }),
  )

  const later = consentWith({ rules, remembered: store, ask })
  await later.decideOne(proposed({ tool: changedTool, ...ofVersion('1.0.1') }))

  expect(later.asked[0]?.[0]?.changes?.map(({ what }) => what)).toEqual(['server', 'tool'])
})

test('an update that leaves a tool as it was is not asked about where a rule allows it', async () => {
  const store = createMemoryConsentStore()
  await session(store).decideOne(proposed({ tool, ...ofVersion('1.0.0') }))

  const after = session(store)
  await after.decideOne(proposed({ tool, ...ofVersion('1.0.1') }))

  expect(after.asked).toEqual([])
})

test('two projects that use one name for two servers are not asked at every change of project', async () => {
  const store = createMemoryConsentStore()
  await session(store).decideOne(proposed({ tool, ...ofVersion('1.0.0') }))
  await session(store).decideOne(proposed({ tool: changedTool, ...ofVersion('2.0.0') }))

  const again = session(store)
  await again.decideOne(proposed({ tool, ...ofVersion('1.0.0') }))
  await again.decideOne(proposed({ tool: changedTool, ...ofVersion('2.0.0') }))

  expect(again.asked).toEqual([])
})

test('the command of the last version is known after a restart, from the file', async () => {
  const file = join(folderWith({}), 'consent.json')
  await session(createFileConsentStore(file)).decideOne(proposed({ tool, ...ofVersion('1.0.0') }))

  const after = session(createFileConsentStore(file))
  await after.decideOne(proposed({ tool: changedTool, ...ofVersion('1.0.1') }))

  expect(after.asked[0]?.[0]?.changes?.[0]?.before).toMatchObject({ args: ['files@1.0.0'] })
})
