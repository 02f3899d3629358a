import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { existingLog } from './show.ts'

interface VerifyFlags extends CommonFlags {
  readonly keyEnv?: string
  readonly end?: string
}

/** `parley audit verify` */
export function buildVerify({ io }: CommandContext): Command {
  const command = newCommand(
    'verify',
    'Checks that no entry was changed, removed or put in; exits with 6 if one was.',
  )
    .argument('[file]', 'the log (default: that of the host)')
    .option(
      '--end <end>',
      'an end that verify printed earlier; a log rolled back behind it is noticed',
    )
    .option('--key-env <name>', 'the variable with the key that the log was written with')
  return addOutputFlags(command).action(async (named: string | undefined, flags: VerifyFlags) => {
    const printer = createPrinter(io, flags)
    const { verifyAuditLog } = await import('@parley/foundation/audit')
    const file = await existingLog(named, io)
    const key = keyOf(flags.keyEnv, io.env)
    const found = await verifyAuditLog(file, { key, lastEnd: endOf(flags.end) })
    const { isIntact, entries, problems, notes, last } = found
    if (printer.isJson) printer.json({ file, ...found })
    else {
      for (const { kind, line, message, file: where } of [...problems, ...notes]) {
        const location = line === 0 ? where : `${where}:${line}`
        printer.line(`${flat(location)}: ${kind}: ${flat(message)}`)
      }
    }
    if (!isIntact) {
      throw new CliError('invalid', `the log was changed: ${counted(problems.length, 'problem')}`, {
        hint: key === undefined ? 'A log with a key needs --key-env NAME.' : undefined,
      })
    }
    if (printer.isJson) return
    const count = entries === 1 ? '1 entry' : `${entries} entries`
    printer.line(`intact: ${count}${last === undefined ? '' : `, end ${last.seq}:${last.hash}`}`)
  })
}

function keyOf(
  name: string | undefined,
  env: { readonly [name: string]: string | undefined },
): string | undefined {
  if (name === undefined) return undefined
  const key = env[name]
  if (key) return key
  throw new CliError('error', `the variable ${name} of --key-env is not set`)
}

function endOf(text: string | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash }
  throw new CliError('error', `--end ${JSON.stringify(text)} is not the end of a log`, {
    hint: 'Use what parley audit verify printed after "end": a number, a colon, 64 digits.',
  })
}
