import { join } from 'node:path'

import { openProjectTrust } from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

test('approvals given at the same time are all kept', async () => {
  const file = join(folderWith({}), 'deep/trusted.json')
  const all = Array.from({ length: 20 }, (_, at) => ({
    kind: 'starts' as const,
    reads: [],
    fingerprint: `${at}`,
  }))

  await Promise.all(all.map((one) => openProjectTrust(file).approve(one)))

  const kept = await Promise.all(all.map((one) => openProjectTrust(file).isApproved(one)))
  expect(kept).toEqual(all.map(() => true))
})

test('a file that cannot be read approves nothing', async () => {
  const folder = folderWith({ 'trusted.json': '{ "0": true' })
  const one = { kind: 'starts' as const, reads: [], fingerprint: '0' }

  expect(await openProjectTrust(join(folder, 'trusted.json')).isApproved(one)).toBe(false)
})
