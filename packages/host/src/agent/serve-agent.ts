import { jsonSchema, ToolError } from '@parley/mcp'
import { createServer, type Context, type Server, type ServerOptions } from '@parley/mcp/server'
import { serverTasks, type ServerTasksOptions } from '@parley/mcp/tasks'

import type { HostAgent, HostAgentRun } from './agent.ts'

/** How an agent is offered. */
export interface ServeAgentOptions extends Omit<ServerOptions, 'app'> {
  /** The description of the agent, for the model that decides whether to call it. */
  readonly description: string
  /** The name of its tool. @defaultValue `name` */
  readonly tool?: string | undefined
  /** Where its tasks are kept, and how many there may be. @defaultValue 10 running tasks for each caller, in memory */
  readonly tasks?: ServerTasksOptions | undefined
  /** How long one piece of work may take, not counting questions. @defaultValue 3_600_000 */
  readonly timeoutMs?: number | undefined
  /** The longest prompt it takes. @defaultValue 100_000 */
  readonly promptCharacters?: number | undefined
}

const tasksExtension = 'io.modelcontextprotocol/tasks'

/**
 * A server with one tool, which gives work to an agent: as a task where the client knows tasks, else while the call waits.
 * Add to it what you like, and offer it with `serve` or `serveHttp`.
 */
export function serveAgent(agent: HostAgent, options: ServeAgentOptions): Server {
  const { description, tool, tasks, timeoutMs, promptCharacters = 100_000, ...rest } = options
  const extensions = [serverTasks({ maxPerPrincipal: 10, ...tasks }), ...(rest.extensions ?? [])]
  const server = createServer({ ...rest, extensions })
  const prompt = { type: 'string', minLength: 1, maxLength: promptCharacters } as const
  const inputSchema = jsonSchema<{ prompt: string }>({
    type: 'object',
    properties: {
      prompt: { ...prompt, description: 'What to do, with everything it needs to know' },
    },
    required: ['prompt'],
    additionalProperties: false,
  })
  server.tool(
    tool ?? options.name,
    { description, inputSchema, task: 'optional', timeoutMs },
    async ({ prompt: input }, context) => {
      await rejectSecondStart(context)
      return agent(createRun(input, context))
    },
  )
  return server
}

function createRun(prompt: string, context: Context): HostAgentRun {
  let reports = 0
  return {
    prompt,
    signal: context.signal,
    context,
    report: (message) => context.progress({ progress: (reports += 1), message }),
    ...(canAsk(context) && { elicit: context.elicit }),
  }
}

/**
 * Whether a question can be asked while the agent waits. Since 2026-07-28 that needs a task: without one the call would have
 * to be made again with the answer, and the agent would do everything twice.
 */
function canAsk({ client: { capabilities }, revision }: Context): boolean {
  if (capabilities.elicitation === undefined) return false
  return revision < '2026-07-28' || capabilities.extensions?.[tasksExtension] !== undefined
}

/** For a caller that has so many tasks that its call could not become one. */
async function rejectSecondStart({ once }: Context): Promise<void> {
  let isFirst = false
  await once('the agent has started', () => (isFirst = true))
  if (isFirst) return
  throw new ToolError(
    'The agent had a question, and could not wait for the answer: the caller has too many running tasks. Call it again when fewer run.',
  )
}
