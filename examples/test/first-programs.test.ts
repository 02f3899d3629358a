import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { readPrograms } from './doc-programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Who begins copies a server and a client from one page, into files that Node runs as they are. */
const pages = [
  { page: 'README.md', file: 'notes.js', printed: 'Deleted.\n' },
  {
    page: 'docs/get-started.md',
    file: 'greeter.js',
    printed: 'greet Greets somebody\nHello, Ada!\n',
  },
  { page: 'packages/mcp/README.md', file: 'weather.js', printed: '' },
  { page: 'site/landing.md', file: 'weather.js', printed: 'It will be sunny in Oslo.\n' },
]

test.each(pages)(
  'the first programs of $page run in plain Node [SDKS-01]',
  async ({ page, file, printed }) => {
    const [server, ownClient, ...others] = readPrograms(root, page)
    const client = ownClient ?? readPrograms(root, 'packages/mcp/README.md')[1]
    const folder = mkdtempSync(join(root, 'examples/first-programs-'))
    try {
      writeFileSync(join(folder, file), server?.code ?? '')
      writeFileSync(join(folder, 'client.js'), client?.code ?? '')

      const { stdout } = await promisify(execFile)(execPath, ['client.js'], { cwd: folder })

      expect(stdout).toBe(printed)
      for (const { code, expected } of others.filter(({ mode }) => mode === 'run')) {
        writeFileSync(join(folder, 'other.js'), code)
        const other = await promisify(execFile)(execPath, ['other.js'], { cwd: folder })
        expect(other.stdout.trimEnd().split('\n')).toEqual(expected)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
