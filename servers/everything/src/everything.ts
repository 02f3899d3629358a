import { createServer, type Server } from '@parley/mcp/server'

import { triggerError } from './extras/errors.ts'
import { largeOutput } from './extras/large-output.ts'
import { numberedResources } from './extras/numbered-resources.ts'
import { schemaTools } from './extras/schemas.ts'
import { instructions } from './instructions.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { createSessions } from './session.ts'
import { annotatedMessage } from './tools/annotated-message.ts'
import { echo } from './tools/echo.ts'
import { elicitationRequest } from './tools/elicitation-request.ts'
import { printEnvironment } from './tools/env.ts'
import { gzipTool } from './tools/gzip.ts'
import { longRunningOperation } from './tools/long-running-operation.ts'
import { resourceLinks } from './tools/resource-links.ts'
import { resourceReference } from './tools/resource-reference.ts'
import { rootsList } from './tools/roots-list.ts'
import { samplingRequest } from './tools/sampling-request.ts'
import { createSimulatedLogging } from './tools/simulated-logging.ts'
import { structuredContent } from './tools/structured-content.ts'
import { createSubscriberUpdates } from './tools/subscriber-updates.ts'
import { sum } from './tools/sum.ts'
import { tinyImage } from './tools/tiny-image.ts'

/** What may differ from the reference. */
export interface EverythingOptions {
  /** Adds the tools for testing clients: schemas, errors, large output. @defaultValue false */
  readonly extras?: boolean | undefined
  /** Adds that many resources to the list. @defaultValue 0 */
  readonly numberedResources?: number | undefined
  /** Items on one page of a list. @defaultValue 1_000 */
  readonly pageSize?: number | undefined
  /** Between two pretended changes of a resource. @defaultValue 5_000 */
  readonly updateEveryMs?: number | undefined
}

/** A server that uses every feature of the protocol once, by the names the reference server gave them. */
export function createEverythingServer(options: EverythingOptions = {}): Server {
  const updates = createSubscriberUpdates(options.updateEveryMs ?? 5_000)
  const sessionOf = createSessions()
  const logging = createSimulatedLogging(sessionOf)
  const server: Server = createServer({
    name: 'mcp-servers/everything',
    title: 'Everything Reference Server',
    version: '2.0.0',
    instructions,
    pageSize: options.pageSize,
  })
  server.use('tools/call', logging.duringCalls)
  server.add(
    echo,
    annotatedMessage,
    printEnvironment,
    resourceLinks,
    resourceReference,
    structuredContent,
    sum,
    tinyImage,
    gzipTool(sessionOf, () => server.notifyChanged('resources')),
    logging.tool,
    updates.tool,
    longRunningOperation,
    rootsList,
    elicitationRequest,
    samplingRequest,
    ...prompts,
    ...resources(updates.watch, sessionOf),
  )
  if (options.extras) server.add(...schemaTools, triggerError, largeOutput)
  if (options.numberedResources) server.add(numberedResources(options.numberedResources))
  return server
}
