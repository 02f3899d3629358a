import { serverApps } from '@parley/mcp/apps'
import { createServer, type Server } from '@parley/mcp/server'
import { serverTasks, type TaskStore } from '@parley/mcp/tasks'

import { diceApp } from './extras/app.ts'
import { clockExtension } from './extras/clock-extension.ts'
import { countSlowly } from './extras/count-slowly.ts'
import { triggerError } from './extras/errors.ts'
import { httpTools } from './extras/http.ts'
import { roundTools } from './extras/input-rounds.ts'
import { largeOutput } from './extras/large-output.ts'
import { numberedResources } from './extras/numbered-resources.ts'
import { samplingWithTools } from './extras/sampling-with-tools.ts'
import { schemaTools } from './extras/schemas.ts'
import { skills } from './extras/skills.ts'
import { icons } from './icons.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { createSessions } from './session.ts'
import { annotatedMessage } from './tools/annotated-message.ts'
import {
  echo,
  printEnvironment,
  resourceReference,
  structuredContent,
  sum,
  tinyImage,
} from './tools/basic-tools.ts'
import { elicitationRequestAsync } from './tools/elicitation-request-async.ts'
import { elicitationRequest } from './tools/elicitation-request.ts'
import { gzipTool } from './tools/gzip.ts'
import { longRunningOperation } from './tools/long-running-operation.ts'
import { researchQuery } from './tools/research-query.ts'
import { resourceLinks } from './tools/resource-links.ts'
import { rootsList } from './tools/roots-list.ts'
import { samplingRequestAsync } from './tools/sampling-request-async.ts'
import { samplingRequest } from './tools/sampling-request.ts'
import { createSimulatedLogging } from './tools/simulated-logging.ts'
import { createSubscriberUpdates } from './tools/subscriber-updates.ts'
import { urlElicitation } from './tools/url-elicitation.ts'

/** What may differ from the reference. */
export interface EverythingOptions {
  /** Adds what the reference does not have: tools for testing clients, a skill, an extension, icons. @defaultValue false */
  readonly extras?: boolean | undefined
  /** Adds that many resources to the list. @defaultValue 0 */
  readonly numberedResources?: number | undefined
  /** Items on one page of a list. @defaultValue 1_000 */
  readonly pageSize?: number | undefined
  /** Shows the environment of the process to callers over the network, too. @defaultValue false */
  readonly allowEnvironment?: boolean | undefined
  /** Between two pretended changes of a resource. @defaultValue 5_000 */
  readonly updateEveryMs?: number | undefined
  /** One of the four stages of `simulate-research-query`. @defaultValue 1_000 */
  readonly stageMs?: number | undefined
  /** Where tasks are kept, if several processes share them. @defaultValue the memory of this process */
  readonly taskStore?: TaskStore | undefined
  /** How long a user pretends to be on a page that was opened. @defaultValue 1_000 */
  readonly visitMs?: number | undefined
}

const extras = [
  ...schemaTools,
  triggerError,
  largeOutput,
  ...roundTools,
  samplingWithTools,
  countSlowly,
  ...httpTools,
  ...diceApp,
]

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
    icons: options.extras ? icons : undefined,
    pageSize: options.pageSize,
    cache: { ttlMs: 10_000 },
    onDeprecated: () => undefined, // it shows every feature, as long as there is one
    extensions: [
      serverTasks({
        store: options.taskStore,
        ttlMs: 300_000,
        pollIntervalMs: 1_000,
        inlineMs: 200,
      }),
      ...(options.extras ? [skills, clockExtension, serverApps()] : []),
    ],
  })
  server.use('tools/call', logging.duringCalls)
  server.add(
    echo,
    annotatedMessage,
    printEnvironment(options.allowEnvironment ?? false),
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
    urlElicitation(sessionOf, options.visitMs ?? 1_000),
    samplingRequest,
    researchQuery(options.stageMs ?? 1_000),
    samplingRequestAsync,
    elicitationRequestAsync,
    ...prompts,
    ...resources(updates.watch, sessionOf),
  )
  if (options.extras) {
    server.add(...extras)
  }
  if (options.numberedResources) server.add(numberedResources(options.numberedResources))
  return server
}

/** For the model: what no single description says. */
const instructions = `# Everything server

A server to test clients with: it uses every feature of the protocol once. Nothing here does real work.

## What belongs together

- \`get-resource-links\` and \`get-resource-reference\` point at the resources of the two templates
  \`demo://resource/dynamic/text/{resourceId}\` and \`demo://resource/dynamic/blob/{resourceId}\`.
- \`gzip-file-as-resource\` adds a resource at \`demo://resource/session/…\` that only this session can read, until it ends.
  Where the protocol has no sessions, from 2026-07-28 on, it belongs to the caller; all who are not signed in are one caller.
- \`toggle-subscriber-updates\` has an effect on resources that were subscribed to.
- \`toggle-simulated-logging\` respects the logging level.
- \`trigger-url-elicitation\` with \`errorPath\` fails once and says what to open; the same call then goes through.
- \`simulate-research-query\` is a task: it is followed by its id, and asks what is meant if the topic is ambiguous.
- \`trigger-sampling-request-async\` and \`trigger-elicitation-request-async\` ask the client for a task and follow it.
- \`trigger-long-running-operation\` tells its progress if the request has a progress token, and can be cancelled.

## Limits

- Ids of resources are positive integers.
- \`gzip-file-as-resource\` takes \`data:\` URLs, and pages of hosts the operator allowed; up to 10 MiB.
- Tools that ask the client for roots, sampling or elicitation are listed only if it offers them, tasks only if it can
  follow them.
`
