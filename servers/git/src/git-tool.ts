import {
  defineTool,
  toolResult,
  type Context,
  type Feature,
  type ToolResult,
} from '@parley/mcp/server'
import { GitError, type GitOutput, type Repository } from '@parley/server-kit/git'
import { explainErrors, type toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { Repositories } from './repositories.ts'

/** What a tool is beside its work. */
interface GitToolConfig<Shape extends z.ZodRawShape, Output extends z.ZodObject> {
  readonly title: string
  readonly description: string
  /** Besides `repo_path`. */
  readonly input: Shape
  readonly output: Output
  readonly annotations: ReturnType<typeof toolHints>
}

/** What a tool answers: the text of the reference, and the same as data. */
interface Answer<Data> {
  readonly text: string
  readonly data: Unwritable<Data>
}
type Unwritable<T> = T extends object ? { readonly [Key in keyof T]: Unwritable<T[Key]> } : T

/** What the work of a tool is given besides the repository and the arguments. */
export interface GitCall {
  readonly repositories: Repositories
  readonly context: Context
}

/** Made once it is known which repositories there are. */
export type GitTool = (repositories: Repositories) => Feature

/** A tool that works on one repository. */
export function gitTool<Shape extends z.ZodRawShape, Output extends z.ZodObject>(
  name: string,
  { input, output, ...config }: GitToolConfig<Shape, Output>,
  work: (
    repository: Repository,
    args: z.infer<z.ZodObject<Shape>>,
    call: GitCall,
  ) => Promise<Answer<z.input<Output>>>,
): GitTool {
  const repoPath = z.string().describe('A folder of the repository')
  // The types were compared by the signature above; inside they would only be compared again.
  const inputSchema: z.ZodObject = z.object({ repo_path: repoPath, ...input })
  const outputSchema: z.ZodObject = output
  const { readOnlyHint, openWorldHint } = config.annotations
  const takesTurns = !readOnlyHint && !openWorldHint // nobody waits until a user has answered
  return (repositories) =>
    defineTool(name, { ...config, inputSchema, outputSchema }, (args, context) =>
      explained(async (): Promise<ToolResult<Record<string, unknown>>> => {
        const path = String(args['repo_path'])
        const repository = await repositories.open(path, context.signal)
        const received = args as z.infer<z.ZodObject<Shape>> // checked by the schema made of that shape
        const begin = () => work(repository, received, { repositories, context })
        const { text, data } = takesTurns
          ? await repositories.inTurn(repository.commonDirectory, begin)
          : await begin()
        return toolResult({ structuredContent: { ...data }, content: [text] })
      }),
    )
}

/** What git has to say is for the model; the rest is a fault of ours. */
export const explained = explainErrors((error) => error instanceof GitError)

/** What git said, without the newline at its end, and with a word if there was more. */
export function said({ text, isCut, bytes }: GitOutput): string {
  const shown = text.endsWith('\n') ? text.slice(0, -1) : text
  return isCut ? `${shown}\n[cut after ${bytes.length} bytes]` : shown
}

/** A list as text, with a word if there was more. */
export function listed(text: string, isCut: boolean): string {
  return isCut ? `${text}\n[cut: there is more]` : text
}
