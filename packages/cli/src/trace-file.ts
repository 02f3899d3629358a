import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { ConnectOptions } from '@parley/mcp/client'

import { CliError } from './exit.ts'
import type { Io } from './io.ts'
import type { Target } from './target/target.ts'

/** Everything that crosses a connection, written to a file; secrets masked. */
export interface TraceFile extends AsyncDisposable {
  readonly hooks: Pick<ConnectOptions, 'onMessage' | 'onStderr' | 'onStatus'>
  setRevision(revision: string): void
}

/** Nothing without a file. One that is there is replaced. */
export async function openTrace(
  file: string | undefined,
  { name, secrets }: Target,
  { cwd }: Io,
): Promise<TraceFile | undefined> {
  if (file === undefined) return undefined
  const path = resolve(cwd, file)
  await writeFile(path, '', { mode: 0o600 }).catch((error: unknown) => {
    throw new CliError('error', `${file} cannot be written`, { cause: error })
  })
  const { createMask, createRecorder, createTraceWriter } = await import('@parley/foundation/trace')
  const recorder = createRecorder({ records: 1_000, mask: createMask(secrets) })
  const writer = createTraceWriter(path, { program: 'parley' })
  const tap = recorder.tap(name)
  recorder.onRecord((record) => writer.write(recorder.masked(record)))
  return {
    hooks: {
      onMessage: (frame) => void tap.onMessage(frame),
      onStderr: (line) => tap.onStderr(line),
      onStatus: (status, previous) => tap.onStatus(status, previous),
    },
    setRevision: (revision) => tap.setRevision(revision),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
