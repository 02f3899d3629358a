import type { JsonValue } from '@parley/mcp'

import type { CheckProblem } from '../checks/check-problem.ts'
import { openSection } from '../checks/section.ts'
import type { GatewayClusterOptions } from '../cluster/processes.ts'
import { UsageError } from '../usage-error.ts'

/** What `cluster:` says: how several processes are one gateway. */
export interface ClusterSettings {
  /** Where shared state is kept. */
  readonly engine: 'redis' | 'postgres'
  /** The address of the database. */
  readonly url: string
  /** The first seals, all open. */
  readonly secret: readonly string[]
  /** Where this process takes forwards of the others. */
  readonly address?: string | undefined
  /** A process that is silent for so long counts as lost. */
  readonly leaseMs?: number | undefined
}

/** Reads `cluster: { redis: URL, secret: TEXT }`. There is no default secret: without one nothing starts. */
export function readCluster(
  settings: JsonValue,
  problems: CheckProblem[],
): ClusterSettings | undefined {
  const section = openSection(settings, ['cluster'], problems)
  if (section === undefined) return undefined
  const redis = section.text('redis')
  const postgres = section.text('postgres')
  const secrets = section.texts('secrets')?.flatMap((_, at) => section.item('secrets', at) ?? [])
  const secret = section.text('secret')
  const address = section.text('address')
  const leaseMs = section.duration('lease')
  section.end()
  const url = redis ?? postgres
  if (url === undefined || (redis !== undefined && postgres !== undefined)) {
    section.problem(
      'redis',
      'the cluster needs one of redis and postgres',
      'write redis: "redis://…"',
    )
    return undefined
  }
  const all = [...(secret === undefined ? [] : [secret]), ...(secrets ?? [])]
  const short = all.find(({ length }) => length < minCharacters)
  if (all.length === 0 || short !== undefined) {
    const what =
      short === undefined ? 'the cluster has no secret' : 'a secret of the cluster is short'
    const cure = `write secret: "\${PARLEY_SECRET}", ${minCharacters} random characters or more, the same at every process`
    section.problem('secret', what, cure)
    return undefined
  }
  if (address !== undefined && !/^\[?[^\s\]]+\]?:\d{1,5}$/.test(address)) {
    section.problem('address', `address is ${JSON.stringify(address)}`, 'write 10.0.0.5:7100')
    return undefined
  }
  return { engine: redis === undefined ? 'postgres' : 'redis', url, secret: all, address, leaseMs }
}

const minCharacters = 32

/** What a gateway is started with. Throws `UsageError` if a package is missing. */
export async function openCluster(settings: ClusterSettings): Promise<GatewayClusterOptions> {
  const { engine, url, secret, address, leaseMs } = settings
  try {
    if (engine === 'redis') {
      const { createRedisCluster } = await import('@parley/cluster/redis')
      return { store: createRedisCluster({ url, secret, leaseMs }), address }
    }
    const { createPostgresCluster } = await import('@parley/cluster/postgres')
    return { store: createPostgresCluster({ connectionString: url, secret, leaseMs }), address }
  } catch (error) {
    const { code } = error as { readonly code?: unknown } // any error may have one
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    const name = engine === 'redis' ? 'ioredis' : 'pg'
    throw new UsageError(`cluster.${engine} needs the package ${name}: npm install ${name}`)
  }
}
