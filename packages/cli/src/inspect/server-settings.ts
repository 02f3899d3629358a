import type { ConfiguredServer } from '@parley/inspector'

import { eraOf } from '../connection.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { rootsOf } from '../target/roots.ts'
import type { Target } from '../target/target.ts'

/** What the inspector begins with: the flags of the command line, else what the entry says. */
export function serverSettings(
  flags: CommonFlags,
  { cwd }: Pick<Io, 'cwd'>,
  target: Pick<Target, 'era' | 'roots' | 'requestMs' | 'connectMs'> = { roots: [] },
): ConfiguredServer['settings'] {
  const wanted = eraOf(flags.era ?? target.era)
  const roots = rootsOf(target, flags, cwd)
  const requestTimeoutMs = flags.timeout ?? target.requestMs
  return {
    ...(wanted !== undefined && { era: wanted }),
    ...(roots.length > 0 && { roots }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(target.connectMs !== undefined && { connectTimeoutMs: target.connectMs }),
  }
}
