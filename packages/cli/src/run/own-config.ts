import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import process from 'node:process'

import type { CustomEntry } from '@parley/chat'
import {
  configLocations,
  editConfig,
  loadConfig,
  type ConfigEntry,
} from '@parley/foundation/config'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** The user's own configuration file: the one there is, else where it would be. */
async function ownFile({ env, cwd }: Io): Promise<string> {
  const home = env['HOME'] || env['USERPROFILE'] || homedir()
  const own = configLocations({ cwd, home, env, platform: process.platform }).filter(
    ({ format, scope }) => format === 'parley' && scope === 'user',
  )
  for (const { file } of own) {
    const isThere = await readFile(file).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  const [first] = own
  if (first === undefined) throw new CliError('error', 'there is no place for a configuration')
  return first.file
}

/** Writes a server to the user's own configuration, and reads it back as any other entry. */
export async function addCustomServer(
  name: string,
  entry: CustomEntry,
  io: Io,
): Promise<ConfigEntry> {
  const file = await ownFile(io)
  await changeServers(file, { [name]: entry })
  const { entries } = await loadConfig({ files: [file], cwd: io.cwd, env: io.env })
  const found = entries.find((candidate) => candidate.name === name)
  if (found !== undefined) return found
  throw new CliError('error', `${name} was written to ${file}, and cannot be read there`)
}

/** Takes a server out of the user's own configuration, if it is there. */
export async function removeCustomServer(name: string, io: Io): Promise<void> {
  const file = await ownFile(io)
  const { entries } = await loadConfig({ files: [file], cwd: io.cwd, env: io.env })
  if (entries.some((entry) => entry.name === name)) await changeServers(file, { [name]: undefined })
}

async function changeServers(
  file: string,
  servers: { readonly [name: string]: object | undefined },
): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const { after, diff } = editConfig({ file, text, format: 'parley', servers })
  if (diff === '') return
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, after)
}
