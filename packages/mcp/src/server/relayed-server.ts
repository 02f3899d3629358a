import type { OnError } from '../rpc/errors/error-report.ts'
import { McpError } from '../rpc/errors/mcp-error.ts'
import type { RequestObserver } from '../rpc/observer.ts'
import type { Implementation } from '../schema/metadata.ts'
import { createDefinition } from './definition.ts'
import { serveDefinition } from './peer/serve.ts'
import type { Relay } from './relay.ts'
import type { Server } from './server.ts'

/** Makes of a relay a server that every transport can serve. It has no features of its own. */
export function createRelayedServer(
  info: Implementation,
  relay: Relay,
  onError: OnError,
  observer?: RequestObserver,
): Server {
  const definition = createDefinition(
    info,
    {
      declares: [],
      extensions: [],
      invalidArguments: 'tool_error',
      pageSize: 1_000,
      observer,
      onError,
      deprecated: () => undefined, // its server knows
    },
    relay,
  )
  return {
    info: definition.info,
    '~definition': definition,
    '~serve': (transport, given) => serveDefinition(definition, transport, given),
    tools: () => [],
    tool: noFeatures,
    resource: noFeatures,
    prompt: noFeatures,
    add: noFeatures,
    mount: noFeatures,
    use: noFeatures,
    notifyChanged: noFeatures,
  }
}

/** What it answers with is elsewhere. */
export function noFeatures(): never {
  throw new McpError(
    'invalid_definition',
    'a proxy has no features of its own: put them in a server of their own',
    { details: { feature: 'proxy' } },
  )
}
