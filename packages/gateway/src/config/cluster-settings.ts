import type { GatewayClusterOptions } from '../cluster/processes.ts'
import { UsageError } from '../usage-error.ts'
import type { SectionValue } from './gateway-file.ts'

/** How several processes are one gateway. */
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

/** The `cluster` section with its secrets in order. There is no default secret: without one nothing starts. */
export function clusterSettings(section: SectionValue<'cluster'>): ClusterSettings {
  const { redis, postgres, secret, secrets = [], address, lease } = section
  return {
    engine: redis === undefined ? 'postgres' : 'redis',
    url: redis ?? postgres ?? '', // one of them is there, by the declaration
    secret: [...(secret === undefined ? [] : [secret]), ...secrets],
    address,
    leaseMs: lease,
  }
}

/** Opens the store that a gateway is started with. Throws `UsageError` if a package is missing. */
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
