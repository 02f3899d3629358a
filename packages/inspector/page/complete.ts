import type { CompletionParams } from '@parley/page/parts'

import { openChannel } from './channel.ts'

/** Asks a server for values that complete an argument. */
export async function completeBy(server: string, params: CompletionParams): Promise<unknown> {
  const { result } = await openChannel().ask('runs/start', {
    server,
    run: crypto.randomUUID(),
    method: 'completion/complete',
    params: { ...params },
  })
  return result
}
