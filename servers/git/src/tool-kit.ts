import type { ToolAnnotations } from '@parley/mcp'
import {
  defineTool,
  toolResult,
  type Context,
  type Feature,
  type ToolResult,
} from '@parley/mcp/server'
import type { GitOutput, Repository } from '@parley/server-kit/git'
import { z } from 'zod'

import { explained, type Repositories } from './repositories.ts'

/** What a tool is beside its work. */
interface RepositoryTool<Shape extends z.ZodRawShape, Output extends z.ZodObject> {
  readonly title: string
  readonly description: string
  /** Besides `repo_path`. */
  readonly input: Shape
  readonly output: Output
  readonly annotations: ToolAnnotations
}

/** What a tool answers: the text of the reference, and the same as data. */
export interface Answer<Data> {
  readonly text: string
  readonly data: Data
}

type Arguments<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>

/** A tool that works on one repository. */
export function repositoryTool<Shape extends z.ZodRawShape, Output extends z.ZodObject>(
  repositories: Repositories,
  name: string,
  { title, description, input, output, annotations }: RepositoryTool<Shape, Output>,
  work: (
    repository: Repository,
    args: Arguments<Shape>,
    context: Context,
  ) => Promise<Answer<z.input<Output>>>,
): Feature {
  const inputSchema: z.ZodObject = z.object({
    repo_path: z.string().describe('A folder of the repository'),
    ...input,
  })
  const outputSchema: z.ZodObject = output
  return defineTool(
    name,
    { title, description, inputSchema, outputSchema, annotations },
    (args, context): Promise<ToolResult<Record<string, unknown>>> =>
      explained(async () => {
        const path = String(args['repo_path'])
        const repository = await repositories.open(path, context.signal)
        // Parsed by the schema made of that shape.
        const { text, data } = await work(repository, args as Arguments<Shape>, context)
        return toolResult({ structuredContent: { ...data }, content: [text] })
      }),
  )
}

/** What git said, without the newline at its end, and with a word if there was more. */
export function said({ text, isCut, bytes }: GitOutput): string {
  const shown = text.endsWith('\n') ? text.slice(0, -1) : text
  return isCut ? `${shown}\n[cut after ${bytes.length} bytes]` : shown
}
