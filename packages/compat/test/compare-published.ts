import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { programOf } from '../published/servers.mjs'
import { type PublishedServer, recordTranscript } from '../published/transcript.mjs'

/** Adds a test for each server, which expects the same answers on both packages. */
export function comparePublished(
  servers: (folder: string) => Readonly<Record<string, Omit<PublishedServer, 'file'>>>,
): void {
  test.each(Object.keys(servers('')))('%s answers the same on this package', async (name) => {
    const file = fileURLToPath(programOf(name))
    // A folder of its own for each run: what one writes, the other would find.
    const record = async (sdk: 'official' | 'parley') => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'compat-')))
      const transcript = await recordTranscript({ file, ...servers(folder)[name] }, sdk)
      return JSON.parse(JSON.stringify(transcript).replaceAll(folder, 'FOLDER')) as Answer[]
    }
    const [own, official] = await Promise.all([record('parley'), record('official')])

    expect(own).toEqual(official)
    const calls = official.filter(
      ({ method, message }) => method === 'tools/call' && message.result,
    )
    expect(calls.length).toBeGreaterThan(1)
    expect(official.at(-1)).toMatchObject({ method: 'ping', message: { result: {} } })
  })
}

interface Answer {
  readonly method: string
  readonly message: { readonly result?: object }
}
