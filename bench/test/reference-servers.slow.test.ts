import { expect, test } from 'vitest'

import { measureReferenceServers, renderReferenceServer } from '../reference-servers.mjs'

test('large work of the servers yields figures for ours and for the official one', async () => {
  const shown: string[] = []
  const parts = await measureReferenceServers({
    quick: true,
    files: 400,
    onProgress: () => undefined,
    onResult: (result: Parameters<typeof renderReferenceServer>[0]) =>
      shown.push(renderReferenceServer(result)),
  })

  const contestants = parts.map(({ rows }) =>
    rows.map(({ title }: { title: string }) => title.split(',')[0]),
  )
  expect(contestants).toEqual([['parley', 'parley', 'official', 'official'], ['parley']])
  for (const { rows } of parts) {
    for (const { ms, peakMb } of rows) {
      expect(ms).toBeGreaterThan(0)
      expect(peakMb).toBeGreaterThan(0)
    }
  }
  expect(shown.join('\n')).toContain('search_files over 400 files')
})
