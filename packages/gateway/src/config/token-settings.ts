import { dirname, join, resolve } from 'node:path'

import type { TokenStore } from '@parley/auth/client'
import { stateFolder } from '@parley/foundation/secrets'

import type { GatewayConfig } from './gateway-config.ts'
import type { SectionValue } from './gateway-file.ts'
import type { Reading } from './read-servers.ts'

/**
 * Opens the store of `tokens: { folder, passphrase }`: only a gateway that acts for callers needs it. Without the section,
 * processes of a cluster keep tokens in its store.
 */
export async function openTokens(
  section: SectionValue<'tokens'> | undefined,
  { env, path }: Pick<Reading, 'env' | 'path'>,
  servers: GatewayConfig['servers'],
  isCluster: boolean,
): Promise<TokenStore | undefined> {
  if (!Object.values(servers).some(({ auth }) => auth?.type === 'user')) return undefined
  if (isCluster && section === undefined) return undefined
  const { folder, passphrase } = section ?? {}
  const directory =
    folder === undefined
      ? join(stateFolder({ env }), 'gateway-tokens')
      : resolve(dirname(path), folder)
  const { createFileTokenStore } = await import('@parley/auth/node')
  return createFileTokenStore({ directory, passphrase })
}
