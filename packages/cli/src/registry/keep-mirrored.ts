import { setTimeout as sleep } from 'node:timers/promises'

import { errorMessage } from '@parley/mcp/json'
import type { Registry, SyncSource } from '@parley/registry'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { counted, flat } from '../output/printer.ts'
import type { ServiceLog } from '../output/service-log.ts'

/** Which registries are mirrored, and how often. */
export interface MirrorPlan {
  readonly sources: readonly SyncSource[]
  readonly everyMs: number
}

/** What `--mirror`, `--mirror-every`, `--allow` and `--deny` say; undefined if nothing is mirrored. */
export function mirrorPlan(
  flags: {
    readonly mirror?: readonly string[] | undefined
    readonly mirrorEvery?: string | undefined
    readonly allow?: readonly string[] | undefined
    readonly deny?: readonly string[] | undefined
    readonly mirrorKey?: string | undefined
  },
  { env }: Io,
): MirrorPlan | undefined {
  const { mirror = [], mirrorEvery = '60', allow, deny, mirrorKey: key } = flags
  if (mirror.length === 0) {
    if (allow === undefined && deny === undefined && key === undefined) return undefined
    throw new CliError('error', '--allow, --deny and --mirror-key need --mirror')
  }
  if (key !== undefined && mirror.length > 1) {
    throw new CliError('error', '--mirror-key is for one --mirror: a key belongs to one registry')
  }
  const minutes = Number(mirrorEvery)
  if (!(minutes >= 1 && minutes <= 10_080)) {
    throw new CliError('error', `--mirror-every ${mirrorEvery}: use 1 to 10080 minutes`)
  }
  const sources = mirror.map((url) => {
    if (!/^https?:\/\/./.test(url)) {
      throw new CliError('error', `--mirror ${url} is not a URL: it begins with https://`)
    }
    // A token is for one registry; with several nobody could say for which.
    const token = mirror.length === 1 ? env['PARLEY_REGISTRY_TOKEN'] : undefined
    return { id: new URL(url).host, url, token, allow, deny, key }
  })
  const hosts = new Set(sources.map(({ id }) => id))
  if (hosts.size < sources.length) {
    throw new CliError('error', 'two --mirror have the same host: use each once')
  }
  return { sources, everyMs: minutes * 60_000 }
}

/** Takes over what has changed, now and then, one source after the other, until the signal aborts. A source that fails is asked again the next time. */
export async function keepMirrored(
  registry: Registry,
  { sources, everyMs }: MirrorPlan,
  { log, signal }: { readonly log: ServiceLog; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    for (const source of sources) {
      try {
        const { changed, refused } = await registry.sync({ source, signal })
        if (changed > 0)
          log.write('info', 'mirrored', `${source.id}: ${counted(changed, 'change')}`)
        for (const why of refused) {
          log.write('warning', 'left-out', `${source.id}: left out: ${flat(why)}`)
        }
      } catch (error) {
        if (signal.aborted) return
        const why = errorMessage(error)
        log.write('error', 'not-mirrored', `${source.id}: ${flat(why)}. It is tried again.`)
      }
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined) // the loop ends
  }
}
