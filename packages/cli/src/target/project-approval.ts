import { join, relative } from 'node:path'

import {
  openProjectTrust,
  projectDisclosure,
  type ConfigEntry,
  type ProjectDisclosure,
  type Resolution,
} from '@parley/foundation/config'
import { stateFolder } from '@parley/foundation/secrets'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createAsker } from '../questions/asker.ts'

/**
 * Throws unless the user has approved what the file of a project sends of theirs to an address it names. Asks at a
 * terminal; `--trust` approves without a question. The approval holds until the address or what is sent changes.
 */
export async function requireApproval(
  entry: ConfigEntry,
  resolved: Extract<Resolution, { ok: true }>,
  flags: CommonFlags,
  io: Io,
): Promise<void> {
  const disclosure = projectDisclosure(entry, resolved)
  if (disclosure === undefined) return
  const trust = openProjectTrust(join(stateFolder({ env: io.env }), 'trusted-projects.json'))
  if (await trust.isApproved(disclosure)) return
  const told = describe(entry, disclosure, io)
  if (flags.trust !== true && !(await isAllowed(told, flags, io))) {
    throw new CliError('input_required', told, {
      hint: 'If that is meant, use --trust once; it holds until the address or what is sent changes.',
      details: { to: disclosure.to, reads: disclosure.reads },
    })
  }
  await trust.approve(disclosure).catch(() => undefined) // not kept: it is asked again
}

function describe({ name, source }: ConfigEntry, { reads, to }: ProjectDisclosure, io: Io): string {
  const file = relative(io.cwd, source.file)
  const what = reads.map(({ variable, key }) => `  ${variable} as ${key}`)
  return [`${name} of ${file} sends this of yours to ${to}:`, ...what].join('\n')
}

async function isAllowed(told: string, flags: CommonFlags, io: Io): Promise<boolean> {
  if (io.stdin.isTTY !== true || flags.json === true) return false
  const asker = createAsker(io)
  try {
    const answer = await asker.ask(`${told}\nThe file came with the project. Send it? [y/N] `)
    return /^y(?:es)?$/i.test(answer?.trim() ?? '')
  } finally {
    asker.close()
  }
}
