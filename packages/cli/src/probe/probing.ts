import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/printer.ts'
import { rootsOf } from '../target/roots.ts'
import type { Target } from '../target/target.ts'
import { openTrace } from '../trace-file.ts'
import { answerRoots, type LinkOptions } from './link-options.ts'

/** What the flags of a command line mean for one that talks to a server by hand. */
export interface Probing extends AsyncDisposable {
  readonly options: LinkOptions
}

/** Opens the trace, if one is wanted; disposing closes it. */
export async function startProbing(target: Target, flags: CommonFlags, io: Io): Promise<Probing> {
  const printer = createPrinter(io, flags)
  const trace = await openTrace(flags.trace, target, io)
  return {
    options: {
      timeoutMs: flags.timeout,
      signal: io.signal,
      answer: answerRoots(rootsOf(target, flags, io.cwd)),
      onMessage: trace?.hooks.onMessage,
      onStderr(line) {
        trace?.hooks.onStderr?.(line)
        printer.detail(`| ${line}`)
      },
    },
    async [Symbol.asyncDispose]() {
      await trace?.[Symbol.asyncDispose]()
    },
  }
}
