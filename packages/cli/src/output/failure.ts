import { createColors, safeJson, safeText } from '@parley/foundation/terminal'

import { exitCodes, type Failure } from '../exit.ts'
import { asInvoked } from '../invoked-as.ts'
import type { Io } from '../io.ts'

/** How it is told. */
export interface FailureLook {
  readonly isJson: boolean
  /** Undefined unless it was said. */
  readonly color?: boolean | undefined
}

/** Tells why the program fails: for people in a few lines, for programs in one of JSON. */
export function printFailure(failure: Failure, io: Io, { isJson, color }: FailureLook): void {
  const { code, message, cause, details } = failure
  const hint = failure.hint && asInvoked(failure.hint, io.env)
  if (isJson) {
    const error = { code, message, cause, hint, details, exit: exitCodes[code] }
    return void io.stderr.write(`${safeJson({ error })}\n`)
  }
  if (code === 'interrupted') return
  const colors = createColors({ env: io.env, isTty: io.stderr.isTTY === true, color })
  const name = cause === undefined ? '' : ` (${cause})`
  io.stderr.write(`${colors.red('error:')} ${safeText(message, { lineLength: 2_000 })}${name}\n`)
  const stderr = details?.['stderr']
  if (typeof stderr === 'string' && stderr !== '') {
    const lines = safeText(stderr, { lineLength: 400 }).trimEnd().split('\n').slice(-20)
    io.stderr.write(`${lines.map((line) => colors.dim(`  | ${line}`)).join('\n')}\n`)
  }
  if (hint !== undefined) io.stderr.write(`${safeText(hint)}\n`)
  else if (cause !== undefined && io.stderr.isTTY) {
    io.stderr.write(colors.dim(`More: ${troubleshooting}\n`))
  }
}

/** Causes and cures by message, for people: a program reads the code. */
const troubleshooting = 'https://github.com/parley-mcp/parley/blob/main/docs/errors.md'
