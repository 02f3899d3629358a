import type { McpServer } from '../../server/mcp.ts'
import type { RegisteredTool } from '../../server/registered.ts'
import type { AnySchema, ZodRawShapeCompat } from '../../server/zod-compat.ts'
import type { ToolAnnotations, ToolExecution } from '../../types.ts'
import type { ToolTaskHandler, TaskToolExecution } from './interfaces.ts'

interface TaskToolConfig<InputArgs, OutputArgs> {
  title?: string
  description?: string
  inputSchema?: InputArgs
  outputSchema?: OutputArgs
  annotations?: ToolAnnotations
  execution?: TaskToolExecution
  _meta?: Record<string, unknown>
}

/** Tools that run as tasks. */
export class ExperimentalMcpServerTasks {
  private readonly _mcpServer: McpServer

  constructor(_mcpServer: McpServer) {
    this._mcpServer = _mcpServer
  }

  /** Registers a tool that runs as a task; without `execution` clients have to ask for one. */
  registerToolTask<OutputArgs extends undefined | ZodRawShapeCompat | AnySchema>(
    name: string,
    config: {
      title?: string
      description?: string
      outputSchema?: OutputArgs
      annotations?: ToolAnnotations
      execution?: TaskToolExecution
      _meta?: Record<string, unknown>
    },
    handler: ToolTaskHandler,
  ): RegisteredTool
  registerToolTask<
    InputArgs extends ZodRawShapeCompat | AnySchema,
    OutputArgs extends undefined | ZodRawShapeCompat | AnySchema,
  >(
    name: string,
    config: {
      title?: string
      description?: string
      inputSchema: InputArgs
      outputSchema?: OutputArgs
      annotations?: ToolAnnotations
      execution?: TaskToolExecution
      _meta?: Record<string, unknown>
    },
    handler: ToolTaskHandler<InputArgs>,
  ): RegisteredTool
  registerToolTask<
    InputArgs extends undefined | ZodRawShapeCompat | AnySchema,
    OutputArgs extends undefined | ZodRawShapeCompat | AnySchema,
  >(
    name: string,
    config: TaskToolConfig<InputArgs, OutputArgs>,
    handler: ToolTaskHandler<InputArgs>,
  ): RegisteredTool {
    const execution: ToolExecution = { taskSupport: 'required', ...config.execution }
    if (execution.taskSupport === 'forbidden') {
      throw new Error(
        `Cannot register task-based tool '${name}' with taskSupport 'forbidden'. Use registerTool() instead.`,
      )
    }
    const { title, description, inputSchema, outputSchema, annotations, _meta } = config
    const server = this._mcpServer as unknown as {
      _createRegisteredTool(...args: unknown[]): RegisteredTool
    }
    return server._createRegisteredTool(
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      execution,
      _meta,
      handler,
    )
  }
}
