import type { GatewayServer } from '../upstreams/server-options.ts'

/** Describes in words the identity that a server is called with. Nothing in it is secret. */
export function describeOutgoing(server: GatewayServer): string {
  if ('command' in server) return 'started by the gateway, with the environment of its entry'
  const { auth, headers = {} } = server
  switch (auth?.type) {
    case 'client-credentials': {
      const way = auth.key === undefined ? 'a secret' : 'a key'
      return `as the gateway: client ${auth.clientId} with ${way}${at(auth.issuer)}`
    }
    case 'user':
      return `as each caller, who signs in${at(auth.issuer)}`
    case 'token-exchange':
      return `as each caller, by a token exchanged${at(auth.issuer)}`
    case 'id-jag':
      return `as each caller, by the word of ${auth.idp.issuer}`
    case 'pass-through':
      return "as each caller, with the caller's own token if it was issued for the server"
    case undefined: {
      const names = Object.keys(headers).join(', ')
      return names === '' ? 'as nobody' : `the same for all callers, by ${names}`
    }
  }
}

function at(issuer: string | undefined): string {
  return issuer === undefined ? '' : ` at ${issuer}`
}
