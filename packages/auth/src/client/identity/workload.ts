import type { ClientAuth } from '@parley/mcp/client'

import type { TokenOptions } from '../options.ts'
import { silentAuth } from '../sign-in/silent.ts'

/** The identity, and how it is presented. */
export interface WorkloadOptions extends TokenOptions {
  /** A JWT that the platform gave this program, for this issuer. Asked for whenever a token is needed. */
  readonly assertion: () => string | Promise<string>
  /** The client id of this program at the issuer, where it asks for one. */
  readonly clientId?: string | undefined
}

/** The grant type of RFC 7523. */
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A program with an identity from its platform (RFC 7523). @experimental */
export function workload(options: WorkloadOptions): ClientAuth {
  const { assertion, clientId = '' } = options
  return silentAuth({
    options,
    identify: async () => ({ id: clientId, source: 'configured', method: 'none' }),
    async present() {
      return { kind: 'other', grantType: jwtBearer, parameters: { assertion: await assertion() } }
    },
  })
}
