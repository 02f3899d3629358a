import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'

/** Flags of `parley registry verify`. */
export interface VerifyFlags extends RegistryFlags {
  readonly key?: string
  readonly index?: string
}

/** Ends with 7 if the copy says something that the original did not sign. */
export async function verify(
  url: string,
  flags: VerifyFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const { verifyMirror } = await import('@parley/registry/client')
  const copy = await openRegistryClient({ ...flags, registry: url }, io)
  const original =
    flags.index === undefined
      ? copy
      : await openRegistryClient({ ...flags, registry: flags.index }, io)
  const index = await withRegistry(() => original.index())
  const found = await withRegistry(() => verifyMirror(copy, index, flags.key ?? ''))
  const { fault, changed, unknown, restored, missing, compared, keyId, at } = found
  if (printer.isJson) printer.json(found)
  if (fault !== undefined) {
    throw new CliError('assertion_failed', `the index of ${original.url} is not believed: ${fault}`)
  }
  if (!printer.isJson) {
    for (const key of changed) printer.line(`changed: ${flat(key)}`)
    for (const key of unknown) printer.line(`not in the index: ${flat(key)}`)
    for (const key of restored) printer.line(`deleted at the original: ${flat(key)}`)
    printer.line(
      `${counted(compared, 'version')} compared with the index of ${at}, key ${keyId}; ${missing} left out`,
    )
  }
  const wrong = changed.length + unknown.length + restored.length
  if (wrong > 0) {
    throw new CliError('assertion_failed', `${copy.url} is not a copy of what was signed`)
  }
}
