import { dirname, join, resolve } from 'node:path'

import type { TokenStore } from '@parley/auth/client'
import { memberOf } from '@parley/foundation/config'
import { stateFolder } from '@parley/foundation/secrets'

import { bareEntry, fillInVariables } from './fill-in-variables.ts'
import type { GatewayConfig } from './gateway-config.ts'
import type { Reading } from './read-servers.ts'

/** `tokens: { folder, passphrase }`: only what acts for callers needs it. */
export async function readTokens(
  { reader, root, problems, env, path, resolveWith }: Reading,
  servers: GatewayConfig['servers'],
): Promise<TokenStore | undefined> {
  const tokensNode = memberOf(root, 'tokens')?.node
  const entry = bareEntry('tokens', path, tokensNode?.line ?? 1)
  const node =
    tokensNode && (await fillInVariables(tokensNode, 'tokens', entry, resolveWith, problems))
  const object = node && reader.object(node, 'tokens', ['folder', 'passphrase'])
  const folder = reader.text(object, 'folder', 'tokens.folder')
  const passphrase = reader.text(object, 'passphrase', 'tokens.passphrase')
  const isNeeded = Object.values(servers).some(({ auth }) => auth?.type === 'user')
  if (!isNeeded) return undefined
  const directory =
    folder === undefined
      ? join(stateFolder({ env }), 'gateway-tokens')
      : resolve(dirname(path), folder)
  const { createFileTokenStore } = await import('@parley/auth/node')
  return createFileTokenStore({ directory, passphrase })
}
