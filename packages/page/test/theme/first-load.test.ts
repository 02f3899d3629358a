import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

const packages = new URL('../../../', import.meta.url)

/** What `index.html` loads, in kB of gzip, without the typeface. */
const budgets = { chat: 230, gateway: 200, inspector: 240, registry: 190 } as const

describe.each(Object.entries(budgets))('the page of %s', (program, budget) => {
  const folder = new URL(`${program}/dist/page/`, packages)

  test.skipIf(!existsSync(folder))(`loads at most ${budget} kB first`, () => {
    const document = readFileSync(new URL('index.html', folder), 'utf8')
    const loaded = [...document.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)]
    const bytes = loaded.map(([, path = '']) => gzipSync(readBuilt(new URL(path, folder))).length)

    expect(loaded.length).toBeGreaterThan(1)
    expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThanOrEqual(budget)
  })

  test.skipIf(!existsSync(folder))('has its typeface beside it', () => {
    const fonts = readdirSync(new URL('assets/', folder)).filter((name) => name.endsWith('.woff2'))

    expect(fonts).toHaveLength(1)
  })
})

/** The content of a file of a page, which the build packs where that makes it smaller. */
function readBuilt(file: URL): Buffer {
  if (existsSync(file)) return readFileSync(file)
  return brotliDecompressSync(readFileSync(new URL(`${file.href}.br`)))
}
